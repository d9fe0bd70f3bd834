import { sql } from 'drizzle-orm'
import { formatDelay, watchLoop } from '../readers/loop.ts'
import { openAgent } from './agent.ts'
import { quantile } from './figures.ts'
import type { Row } from './figures.ts'
import { readXquad } from './xquad.ts'

const QUESTIONS = 200
const DOCUMENT_CHUNKS = 2_500
const CHUNK_CHARS = 260

/** Returns `chunks` texts that make one chunk each: XQuAD's sentences in another order. */
export function createTexts(data: string, chunks: number): string[] {
  const { paragraphs } = readXquad(data, 'zh')
  const sentences = paragraphs.flatMap(({ text }) => text.match(/[^。！？\n]+[。！？]?/g) ?? [])
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  return Array.from({ length: chunks }, (_, n) => {
    let text = `${n + 1}. `
    while (text.length < CHUNK_CHARS) text += sentences[Math.floor(random() * sentences.length)]!
    return text
  })
}

/**
 * Measures the time in which an agent with this many chunks finds its passages, the cost of their indexing, and the waiting time
 * of others meanwhile; the programs that ask and the model's double work in the same process.
 */
export async function measureSpeed(data: string, chunks: number): Promise<Row> {
  const { questions } = readXquad(data, 'zh')
  const texts = createTexts(data, chunks)
  const files = Object.fromEntries(
    Array.from({ length: Math.ceil(chunks / DOCUMENT_CHUNKS) }, (_, at) => [
      `${at + 1}.md`,
      texts.slice(at * DOCUMENT_CHUNKS, (at + 1) * DOCUMENT_CHUNKS).join('\n\n'),
    ]),
  )
  const agent = await openAgent(files)
  try {
    const first = await agent.ask(questions[0]!.text)
    const stopWatching = watchLoop()
    const all: number[] = []
    const searches: number[] = []
    for (const { text } of questions.slice(1, QUESTIONS + 1)) {
      const { ms, search_ms } = await agent.ask(text)
      all.push(ms)
      searches.push(search_ms)
    }
    const searching = stopWatching()
    const { rows } = await agent.world
      .db()
      .execute<{ bytes: number }>(sql`SELECT sum(octet_length(words))::float AS bytes FROM document_segments`)
    console.log(
      `${chunks} chunks, indexing: ${formatDelay(agent.delay)}; searching: ${formatDelay(searching)}`,
    )
    return {
      chunks: agent.chunks,
      'search p50 ms': quantile(searches, 0.5),
      'search p95 ms': quantile(searches, 0.95),
      'call p50 ms': quantile(all, 0.5),
      'call p95 ms': quantile(all, 0.95),
      'first search ms': Math.round(first.search_ms),
      'index s': Math.round(agent.seconds * 10) / 10,
      'index MB': Math.round(rows[0]!.bytes / 100_000) / 10,
      'loop, indexing ms': Math.round(agent.delay.cpu),
      'loop, searching ms': Math.round(searching.cpu),
    }
  } finally {
    await agent.close()
  }
}
