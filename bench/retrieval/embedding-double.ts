import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** What a text is about: its paragraph and the article of that. */
export type Subject = { article: number; paragraph: number }

const DIMENSIONS = 256
/** Shares of a vector's length, squared: two texts of one paragraph have a cosine of 0.7, of one article 0.45, else 0.3. */
const SHARES = { common: 0.3, article: 0.15, paragraph: 0.25, noise: 0.3 }

/**
 * An embedding model over real HTTP that knows what texts are about because it is told, in any language; with as much noise as
 * models have. It says nothing of a model's quality; it shows what is made of one.
 */
export async function startEmbeddingDouble(findSubject: (text: string) => Subject | undefined) {
  const server = createServer((request, response) => {
    void (async () => {
      const { input } = (await json(request)) as { input: string[] }
      const data = input.map((text, index) => ({ index, embedding: createVector(text, findSubject(text)) }))
      const tokens = input.join('').length
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data, usage: { prompt_tokens: tokens, total_tokens: tokens } }))
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void (server.closeAllConnections(), server.close()),
  }
}

function createVector(text: string, subject: Subject | undefined): number[] {
  const parts = [
    [SHARES.common, 'common'],
    [SHARES.article, subject ? `article ${subject.article}` : text],
    [SHARES.paragraph, subject ? `paragraph ${subject.paragraph}` : text],
    [SHARES.noise, `noise ${text}`],
  ] as const
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  for (const [share, seed] of parts) {
    const direction = createDirection(seed)
    for (const [at, value] of direction.entries()) vector[at]! += Math.sqrt(share) * value
  }
  return vector
}

/** A direction that is always the same for a seed, at a right angle to nearly all others. */
function createDirection(seed: string): number[] {
  const numbers: number[] = []
  for (let block = 0; numbers.length < DIMENSIONS; block++) {
    const digest = createHash('sha512').update(`${seed} ${block}`).digest()
    for (let at = 0; at < 64; at += 2) numbers.push(digest.readUInt16LE(at) / 32_768 - 1)
  }
  const length = Math.hypot(...numbers)
  return numbers.map((number) => number / length)
}
