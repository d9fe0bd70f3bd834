import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A page that the engine finds, in the engine's words. */
export type FoundPage = { title: string; url: string; text: string; site?: string; date?: string }

export type EngineKind = 'searxng' | 'bocha' | 'tavily' | 'brave'
type EngineScript = {
  pages?: FoundPage[]
  /** Another status, with no page. */
  status?: number
  /** The exact body. */
  body?: string
  headers?: Record<string, string>
  /** Waits for `release()`. */
  stall?: true
}
export type SearchEngine = {
  url: string
  /** The queries so far, in order. */
  queries: string[]
  /** Number of clients that hung up before they had their answer. */
  abortedCount(): number
  script(script: EngineScript): void
  release(): void
  close(): Promise<void>
}

export const ENGINE_KEY = 'key-of-the-engine'

/** Reads a query and its key as each engine takes them; null for a request that it would refuse. */
const queryParsers: Record<EngineKind, (request: IncomingMessage, url: URL, body: unknown) => string | null> =
  {
    searxng: ({ method }, { pathname, searchParams }) =>
      method === 'GET' && pathname === '/search' && searchParams.get('format') === 'json'
        ? searchParams.get('q')
        : null,
    bocha: ({ method, headers }, { pathname }, body) =>
      method === 'POST' && pathname === '/web-search' && headers.authorization === `Bearer ${ENGINE_KEY}`
        ? (body as { query: string }).query
        : null,
    tavily: ({ method, headers }, { pathname }, body) =>
      method === 'POST' && pathname === '/search' && headers.authorization === `Bearer ${ENGINE_KEY}`
        ? (body as { query: string }).query
        : null,
    brave: ({ method, headers }, { pathname, searchParams }) =>
      method === 'GET' && pathname === '/web/search' && headers['x-subscription-token'] === ENGINE_KEY
        ? searchParams.get('q')
        : null,
  }

/** Renders answers as in the engines' documents, with the fields that are read. */
const answerRenderers: Record<EngineKind, (query: string, pages: FoundPage[]) => object> = {
  searxng: (query, pages) => ({
    query,
    number_of_results: 0,
    results: pages.map(({ title, url, text, date }) => ({
      url,
      title,
      content: text,
      publishedDate: date ? `${date}T00:00:00` : null,
      engine: 'bing',
      engines: ['bing'],
      score: 1,
      category: 'general',
    })),
    answers: [],
    suggestions: [],
    unresponsive_engines: [],
  }),
  bocha: (query, pages) => ({
    code: 200,
    log_id: 'log',
    msg: null,
    data: {
      _type: 'SearchResponse',
      queryContext: { originalQuery: query },
      webPages: {
        totalEstimatedMatches: pages.length,
        value: pages.map(({ title, url, text, site, date }) => ({
          id: url,
          name: title,
          url,
          snippet: '短摘要',
          summary: text,
          siteName: site ?? null,
          datePublished: date ? `${date}T08:00:00+08:00` : null,
        })),
      },
    },
  }),
  tavily: (query, pages) => ({
    query,
    answer: null,
    images: [],
    results: pages.map(({ title, url, text }) => ({
      title,
      url,
      content: text,
      score: 0.9,
      raw_content: null,
    })),
    response_time: 1,
  }),
  brave: (query, pages) => ({
    type: 'search',
    query: { original: query },
    web: {
      type: 'search',
      results: pages.map(({ title, url, text, site, date }) => ({
        title,
        url,
        description: `<strong>${text}</strong> &amp; more`,
        ...(date ? { page_age: `${date}T00:00:00` } : {}),
        ...(site ? { profile: { name: site, url } } : {}),
      })),
    },
  }),
}

/** Starts a web search engine over real HTTP; it finds nothing until it is scripted. */
export async function startSearchEngine(kind: EngineKind): Promise<SearchEngine> {
  const queries: string[] = []
  let abortedCount = 0
  let gate = Promise.withResolvers<void>()
  let current: { script: EngineScript; released: Promise<void> } = { script: {}, released: gate.promise }
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) abortedCount += 1
    })
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://engine')
      const body = request.method === 'POST' ? await json(request) : null
      const query = queryParsers[kind](request, url, body)
      if (query === null) return response.writeHead(401).end('{"error":"refused"}')
      queries.push(query)
      const { script, released } = current
      if (script.stall) await released
      const answer = script.body ?? JSON.stringify(answerRenderers[kind](query, script.pages ?? []))
      return response
        .writeHead(script.status ?? 200, { 'content-type': 'application/json', ...script.headers })
        .end(answer)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queries,
    abortedCount: () => abortedCount,
    script: (script) => {
      current = { script, released: gate.promise }
    },
    release: () => {
      gate.resolve()
      gate = Promise.withResolvers<void>()
    },
    async close() {
      gate.resolve()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
