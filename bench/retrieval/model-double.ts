import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { extractQueryTerms } from '#server/documents/knowledge/knowledge.ts'

/** Turns a text into a vector. */
export type Embed = (text: string) => number[]
type Body = { input: string[]; query: string; documents: string[] }

/**
 * Starts doubles of an embedding model and of one that reranks, over real HTTP. The latter counts how much of the question occurs
 * in a text: that is less than the search itself knows, so it shows the way of the data and no model's quality.
 */
export async function startModelDouble(embed: Embed = () => [1]) {
  const server = createServer((request, response) => {
    void (async () => {
      const { input, query, documents } = (await json(request)) as Body
      const answer = request.url?.endsWith('/rerank')
        ? { results: documents.map((text, index) => ({ index, relevance_score: getOverlap(query, text) })) }
        : { data: input.map((text, index) => ({ index, embedding: embed(text) })) }
      const totalTokens = (input ?? documents).join('').length
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({ ...answer, usage: { prompt_tokens: totalTokens, total_tokens: totalTokens } }),
      )
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void (server.closeAllConnections(), server.close()),
  }
}

function getOverlap(query: string, text: string): number {
  const terms = extractQueryTerms(query)
  const known = new Set(extractQueryTerms(text).map(({ hash }) => hash))
  return terms.filter(({ hash }) => known.has(hash)).length / Math.max(1, terms.length)
}
