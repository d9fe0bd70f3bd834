import { Agent, errors } from 'undici'
import type { Dispatcher } from 'undici'
import { UpstreamError } from '../upstream-error.ts'
import { READ, takeChunks } from './socket-reading.ts'
import { Watchdog } from './watchdog.ts'
import type { Timeouts } from './watchdog.ts'

/** How long the rest of a finished response may take to arrive, so that its connection can be reused. */
const KEEP_ALIVE_GRACE_MS = 250

/** One Agent for each connect timeout: undici sets it by Agent. Connections are kept alive; redirects not followed. */
const agents = new Map<number, Agent>()

function getAgent(connect_ms: number): Agent {
  const agent = agents.get(connect_ms) ?? new Agent({ connect: { timeout: connect_ms, onread: READ } })
  agents.set(connect_ms, agent)
  return agent
}

export type ResponseHead = { status: number; headers: Record<string, string | string[] | undefined> }

/** Reads the body of a response. */
export type BodyReader = {
  /** Receives the next bytes. Until a returned promise resolves, no more are read. What it throws ends the call. */
  onData(bytes: Buffer): Promise<void> | void
  /** The rest does not matter: the call is over; its connection is kept if the rest comes at once. */
  readonly done: boolean
}

type PostOptions = {
  headers: Record<string, string>
  body: string | Buffer
  timeouts: Timeouts
  signal: AbortSignal
}

/**
 * A POST to an operator's upstream; resolves when its response was read to the end. It is undici's dispatch, without a
 * stream between socket and reader: all text of all models comes through here. Throws UpstreamError, what the reader
 * throws, or the caller's abort reason.
 */
export function post(
  url: string,
  options: PostOptions,
  createReader: (head: ResponseHead) => BodyReader,
): Promise<void> {
  const { timeouts, signal } = options
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null
    let reader: BodyReader | null = null
    let isOver = false

    const end = (): boolean => {
      if (isOver) return false
      isOver = true
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
    let release_timer: NodeJS.Timeout | undefined
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(own) {
        controller = own
        if (isOver) own.abort(HUNG_UP)
      },
      onResponseStart(own, status, headers) {
        // Slices of what was read, which would keep the whole piece of memory that they are in.
        own.rawHeaders = null
        if (isOver || status < 200) return
        try {
          reader = createReader({ status, headers })
        } catch (error) {
          fail(error)
        }
      },
      onResponseData(own, bytes) {
        // undici passes on an empty chunk when it resumes at the end of what it had read.
        if (bytes.length === 0) return
        const pending = waiting ? waiting.then(() => read(bytes)) : read(bytes)
        if (pending) return waitFor(pending, own)
        takeChunks(bytes, takeChunk)
      },
      onResponseEnd() {
        clearTimeout(release_timer)
        if (waiting) void waiting.then(succeed)
        else succeed()
      },
      onResponseError(_, cause) {
        clearTimeout(release_timer)
        fail(reader ? new UpstreamError('upstream_cut', describeError(cause)) : toConnectError(cause))
      },
    }
    const read = (bytes: Buffer): Promise<void> | void => {
      if (isOver || !reader) return
      watchdog.markActivity()
      try {
        const pending = reader.onData(bytes)
        if (pending) return pending
      } catch (error) {
        return fail(error)
      }
      if (reader.done) releaseConnection()
    }
    const waitFor = (pending: Promise<void>, own: Dispatcher.DispatchController): void => {
      own.pause()
      watchdog.pause()
      pending.then(() => {
        if (isOver) return
        if (reader?.done) releaseConnection()
        watchdog.resume()
        own.resume()
      }, fail)
    }
    /** Until what was taken past undici has been received. */
    let waiting: Promise<void> | null = null
    const takeChunk = (bytes: Buffer): boolean => {
      const pending = read(bytes)
      if (!pending) return true
      watchdog.pause()
      waiting = pending.then(() => {
        waiting = null
        if (isOver) return
        if (reader?.done) releaseConnection()
        watchdog.resume()
      }, fail)
      return false
    }
    const releaseConnection = (): void => {
      succeed()
      release_timer = setTimeout(() => controller?.abort(HUNG_UP), KEEP_ALIVE_GRACE_MS).unref()
    }
    const { headers } = options
    // undici keeps it until the end: bytes of its own, where a Buffer of a string would keep the whole pool that it is in.
    const body = typeof options.body === 'string' ? new TextEncoder().encode(options.body) : options.body
    const request = { origin, path: pathname + search, method: 'POST' as const, headers, body }
    try {
      getAgent(timeouts.connect_ms).dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler)
    } catch (cause) {
      fail(toConnectError(cause))
    }
  })
}

const HUNG_UP = new Error('hung up')

function describeError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause ? `${String(cause.code)} ${cause.message}` : cause.message
}

function toConnectError(cause: unknown): UpstreamError {
  const detail = describeError(cause)
  if (/^UND_ERR_CONNECT_TIMEOUT|^ETIMEDOUT/.test(detail)) return new UpstreamError('upstream_timeout', detail)
  if (cause instanceof errors.HTTPParserError) return new UpstreamError('upstream_malformed', detail)
  // Connected, but closed before any response.
  if (/^UND_ERR_SOCKET|^ECONNRESET|^EPIPE/.test(detail)) return new UpstreamError('upstream_failed', detail)
  return new UpstreamError('upstream_refused', detail)
}
