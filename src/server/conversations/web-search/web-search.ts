import type { SearchConfig } from '#server/core/config.ts'
import type { Log } from '#server/core/log.ts'
import { PROVIDERS } from './providers.ts'
import type { SearchProvider } from './providers.ts'
import { toResults } from './results.ts'
import type { WebSearch } from './results.ts'

export { createSearchPreparation } from './preparation.ts'
export type { WebSearch } from './results.ts'

/** Longer searches are not worth waiting for. */
const TIMEOUT_MS = 8_000
const MAX_ANSWER_BYTES = 2_000_000
const MAX_QUERY = 200

/** The web search of the operator's choice; null where none is configured. */
export function createWebSearch(config: SearchConfig | null, log: Log): WebSearch | null {
  if (!config) return null
  const provider = PROVIDERS[config.provider]
  return {
    async searchWeb(question, signal) {
      const query = question.replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY).toWellFormed()
      try {
        const results = toResults(await fetchHits(provider, config, query, signal))
        return { state: results.length ? 'found' : 'nothing', results }
      } catch (cause) {
        signal.throwIfAborted()
        log.warn({ provider: config.provider, reason: describeError(cause) }, 'web search failed')
        return { state: 'failed', results: [] }
      }
    },
  }
}

async function fetchHits(provider: SearchProvider, config: SearchConfig, query: string, signal: AbortSignal) {
  const { url, init } = provider.request(query, config.base_url, config.api_key)
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  // A redirect would take the key along to an unknown host.
  const response = await fetch(url, { ...init, redirect: 'error', signal: deadline })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  return provider.parseHits(JSON.parse(await readText(response)))
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new Error(`more than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Describes an error without the address, which may hold a person's question. */
function describeError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause instanceof Error ? ` (${cause.cause.message})` : ''
  return `${cause.name}: ${cause.message.slice(0, 300)}${inner}`
}
