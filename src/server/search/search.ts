import type { MessageSearch } from '#contract/search.ts'
import type { SearchConfig } from '../core/config.ts'
import type { Log } from '../core/log.ts'
import { PROVIDERS } from './providers.ts'
import type { Provider } from './providers.ts'
import { resultsOf } from './results.ts'
import type { Result } from './results.ts'

export { blockChars, withResults } from './prompt.ts'

/** Longer searches are not worth waiting for. */
const TIMEOUT_MS = 8_000
const MAX_ANSWER_BYTES = 2_000_000
const MAX_QUERY = 200

export type Found = { state: Exclude<MessageSearch['state'], 'searching'>; results: Result[] }
export type Search = {
  /**
   * Searches the web for a question. A search engine that fails is a state of the answer, not an error: rejects only when
   * `signal` aborts.
   */
  find(question: string, signal: AbortSignal): Promise<Found>
}

/** The web search of the operator's choice; null where none is configured. */
export function openSearch(config: SearchConfig | null, log: Log): Search | null {
  if (!config) return null
  const provider = PROVIDERS[config.provider]
  return {
    async find(question, signal) {
      const query = question.replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY).toWellFormed()
      try {
        const results = resultsOf(await hitsOf(provider, config, query, signal))
        return { state: results.length ? 'found' : 'nothing', results }
      } catch (cause) {
        signal.throwIfAborted()
        log.warn({ provider: config.provider, reason: reasonOf(cause) }, 'web search failed')
        return { state: 'failed', results: [] }
      }
    },
  }
}

async function hitsOf(provider: Provider, config: SearchConfig, query: string, signal: AbortSignal) {
  const { url, init } = provider.request(query, config.base_url, config.api_key)
  const patience = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  // A redirect would take the key along to who knows where.
  const response = await fetch(url, { ...init, redirect: 'error', signal: patience })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  return provider.hits(JSON.parse(await textOf(response)))
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new Error(`more than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Without the address, which may hold what a person asked. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause instanceof Error ? ` (${cause.cause.message})` : ''
  return `${cause.name}: ${cause.message.slice(0, 300)}${inner}`
}
