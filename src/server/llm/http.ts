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

export type Head = { status: number; headers: Record<string, string | string[] | undefined> }

/** Reads the body of an answer. */
export type BodyReader = {
  /** The next bytes. A promise: until it is fulfilled no more of them are read. What it throws ends the call. */
  take(bytes: Buffer): Promise<void> | void
  /** What follows is of no interest: the call is over, its connection is kept if the rest comes at once. */
  readonly done: boolean
}

type Sending = {
  headers: Record<string, string>
  body: string | Buffer
  timeouts: Timeouts
  signal: AbortSignal
}

/**
 * A POST to an operator's upstream; resolves when its answer was read to the end. It is undici's dispatch, without a
 * stream between socket and reader: every text that a model says comes through here. Throws UpstreamError, what the reader
 * throws, or the caller's abort reason.
 */
export function post(url: string, sending: Sending, open: (head: Head) => BodyReader): Promise<void> {
  const { timeouts, signal } = sending
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null
    let reader: BodyReader | null = null
    let over = false

    const end = (): boolean => {
      if (over) return false
      over = true
      watchdog.stop()
      signal.removeEventListener('abort', onAbort)
      return true
    }
    const fail = (error: unknown): void => {
      if (!end()) return
      controller?.abort(HUNG_UP)
      reject(error)
    }
    const succeed = (): void => {
      if (end()) resolve()
    }
    const onAbort = (): void => fail(signal.reason)
    const watchdog = new Watchdog(timeouts, fail)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })

    const { origin, pathname, search } = new URL(url)
    let leaving: NodeJS.Timeout | undefined
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(own) {
        controller = own
        if (over) own.abort(HUNG_UP)
      },
      onResponseStart(_, status, headers) {
        if (over || status < 200) return
        try {
          reader = open({ status, headers })
        } catch (error) {
          fail(error)
        }
      },
      onResponseData(own, bytes) {
        // undici hands on no bytes at all when it resumes at the end of what it had read.
        if (over || !reader || bytes.length === 0) return
        watchdog.arrived()
        try {
          const taken = reader.take(bytes)
          if (taken) return waitFor(taken, own)
        } catch (error) {
          return fail(error)
        }
        if (reader.done) leave(own)
      },
      onResponseEnd() {
        clearTimeout(leaving)
        succeed()
      },
      onResponseError(_, cause) {
        clearTimeout(leaving)
        fail(reader ? new UpstreamError('upstream_cut', reasonOf(cause)) : connectFailure(cause))
      },
    }
    const waitFor = (taken: Promise<void>, own: Dispatcher.DispatchController): void => {
      own.pause()
      watchdog.pause()
      taken.then(() => {
        if (over) return
        if (reader?.done) leave(own)
        watchdog.resume()
        own.resume()
      }, fail)
    }
    const leave = (own: Dispatcher.DispatchController): void => {
      succeed()
      leaving = setTimeout(() => own.abort(HUNG_UP), DRAIN_MS).unref()
    }
    const { headers, body } = sending
    const options = { origin, path: pathname + search, method: 'POST' as const, headers, body }
    try {
      agentFor(timeouts.connect_ms).dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)
    } catch (cause) {
      fail(connectFailure(cause))
    }
  })
}

const HUNG_UP = new Error('hung up')

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
