import { Agent, errors } from 'undici'
import type { Dispatcher } from 'undici'
import { UpstreamError } from './chat.ts'
import type { Timeouts } from './chat.ts'
import { Watchdog } from './watchdog.ts'

/** How long the rest of a finished answer may take to arrive, so that its connection can be used again. */
const DRAIN_MS = 250

/** One Agent for each connect timeout: undici sets it by Agent. Connections are kept alive; redirects not followed. */
const agents = new Map<number, Agent>()

function agentFor(connect_ms: number): Agent {
  const agent = agents.get(connect_ms) ?? new Agent({ connect: { timeout: connect_ms } })
  agents.set(connect_ms, agent)
  return agent
}

export type Answer = {
  status: number
  headers: Dispatcher.ResponseData['headers']
  /** Throws UpstreamError (`upstream_cut`, `upstream_timeout`) or the caller's abort reason. Left early, it hangs up. */
  chunks: AsyncGenerator<Buffer, void, undefined>
  /** The answer is complete as far as its reader is concerned: leaving `chunks` keeps the connection. */
  complete(): void
}

type Sending = { headers: Record<string, string>; body: string; timeouts: Timeouts; signal: AbortSignal }

/** A POST to an operator's upstream. Throws UpstreamError when no answer begins, or the caller's abort reason. */
export async function post(url: string, { headers, body, timeouts, signal }: Sending): Promise<Answer> {
  const watchdog = new Watchdog(timeouts, signal)
  try {
    watchdog.wait()
    watchdog.signal.throwIfAborted()
    const { origin, pathname, search } = new URL(url)
    const response = await Promise.race([
      agentFor(timeouts.connect_ms).request({
        origin,
        path: pathname + search,
        method: 'POST',
        headers,
        body,
        signal: watchdog.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
      // undici notices an abort only once it is connected.
      aborted(watchdog.signal),
    ])
    let complete = false
    return {
      status: response.statusCode,
      headers: response.headers,
      chunks: read(response.body, watchdog, () => complete),
      complete: () => {
        complete = true
      },
    }
  } catch (cause) {
    watchdog.stop()
    throw watchdog.signal.aborted ? watchdog.signal.reason : connectFailure(cause)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

async function* read(
  body: Dispatcher.ResponseData['body'],
  watchdog: Watchdog,
  isComplete: () => boolean,
): AsyncGenerator<Buffer, void, undefined> {
  const chunks: AsyncIterator<Buffer> = body.iterator({ destroyOnReturn: false })
  let ended = false
  try {
    for (;;) {
      watchdog.wait()
      const { value, done } = await chunks.next()
      if (done) {
        ended = true
        return
      }
      watchdog.arrived()
      yield value
    }
  } catch (cause) {
    throw watchdog.signal.aborted
      ? watchdog.signal.reason
      : new UpstreamError('upstream_cut', reasonOf(cause))
  } finally {
    watchdog.stop()
    if (!ended) hangUp(body, isComplete())
  }
}

function hangUp(body: Dispatcher.ResponseData['body'], complete: boolean): void {
  if (!complete) {
    body.on('error', () => {})
    body.destroy()
    return
  }
  const timer = setTimeout(() => body.destroy(), DRAIN_MS).unref()
  body
    .dump({ limit: Number.MAX_SAFE_INTEGER })
    .catch(() => {})
    .finally(() => clearTimeout(timer))
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause ? `${String(cause.code)} ${cause.message}` : cause.message
}

function connectFailure(cause: unknown): UpstreamError {
  const detail = reasonOf(cause)
  if (/^UND_ERR_CONNECT_TIMEOUT|^ETIMEDOUT/.test(detail)) return new UpstreamError('upstream_timeout', detail)
  if (cause instanceof errors.HTTPParserError) return new UpstreamError('upstream_malformed', detail)
  // Connected, but hung up on before a word of answer.
  if (/^UND_ERR_SOCKET|^ECONNRESET|^EPIPE/.test(detail)) return new UpstreamError('upstream_failed', detail)
  return new UpstreamError('upstream_refused', detail)
}
