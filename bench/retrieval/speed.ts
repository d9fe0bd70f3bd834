import { watchLoop } from '../readers/loop.ts'
import { openBench } from './open.ts'
import type { Row } from './quality.ts'
import { readXquad } from './xquad.ts'

const QUESTIONS = 200
const DOCUMENT_CHUNKS = 2_500

/** How long a search over `chunks` chunks takes, and what indexing them costs; texts are XQuAD's sentences in another order. */
export async function measureSpeed(data: string, chunks: number): Promise<Row> {
  const { paragraphs, questions } = readXquad(data, 'zh')
  const sentences = paragraphs.flatMap(({ text }) => text.match(/[^。！？]+[。！？]?/g) ?? [])
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const writeParagraph = (n: number): string => {
    let text = `${n}. `
    while (text.length < 260) text += sentences[Math.floor(random() * sentences.length)]!
    return text
  }
  const count = Math.ceil(chunks / DOCUMENT_CHUNKS)
  const documents = Array.from({ length: count }, (_, document) => ({
    title: `${document + 1}.md`,
    pieces: Array.from({ length: Math.ceil(chunks / count) }, (_, n) => ({
      n: n + 1,
      text: writeParagraph(n + 1),
      place: { page: n + 1 },
    })),
  }))
  const bench = await openBench()
  try {
    const stopWatching = watchLoop()
    const before = performance.now()
    const ids = await bench.index(documents)
    const seconds = (performance.now() - before) / 1000
    const delay = stopWatching()
    const states = await bench.knowledge.listDocuments(ids)
    const cold = performance.now()
    await bench.search(ids, questions[0]!.text)
    const cold_ms = performance.now() - cold
    const times: number[] = []
    for (const { text } of questions.slice(0, QUESTIONS)) {
      const start = performance.now()
      await bench.search(ids, text)
      times.push(performance.now() - start)
    }
    times.sort((a, b) => a - b)
    const { words } = await bench.getSize()
    return {
      chunks: [...states.values()].reduce((sum, state) => sum + state.chunks, 0),
      'p50 ms': Math.round(times[times.length >> 1]! * 10) / 10,
      'p95 ms': Math.round(times[Math.floor(times.length * 0.95)]! * 10) / 10,
      'first search ms': Math.round(cold_ms),
      'index s': Math.round(seconds * 10) / 10,
      'index MB': Math.round(words / 100_000) / 10,
      'loop kept, own work ms': Math.round(delay.cpu),
      'loop kept, by the clock ms': Math.round(delay.clock),
    }
  } finally {
    await bench.close()
  }
}
