import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { Agent, errors } from 'undici'
import type { Dispatcher } from 'undici'
import { AppError } from '#server/core/app-error.ts'
import { UpstreamError } from '../upstream-error.ts'
import { StreamedBody } from './streamed-body.ts'
import { Watchdog } from './watchdog.ts'
import type { Timeouts } from './watchdog.ts'

/** How long the rest of a finished response may take to arrive, so that its connection can be reused. */
const KEEP_ALIVE_GRACE_MS = 250
/** Longest silence of a source that a body is read from. */
const SOURCE_STALL_MS = 30_000

/**
 * Reads of all upstream sockets go into one buffer (`onread` of node:net) and are copied out of it: Node's own way allocates 64 kB for
 * each read of a few hundred bytes, which costs more than the copy.
 */
const READ = {
  buffer: Buffer.allocUnsafeSlow(65_536),
  callback(this: Socket, size: number): boolean {
    const bytes = Buffer.allocUnsafe(size)
    READ.buffer.copy(bytes, 0, 0, size)
    return this.push(bytes)
  },
}

/** One Agent for each connect timeout: undici sets it by Agent. Connections are kept alive; redirects not followed. */
const agents = new Map<number, Agent>()

function getAgent(connectMs: number): Agent {
  const agent = agents.get(connectMs) ?? new Agent({ connect: { timeout: connectMs, onread: READ } })
  agents.set(connectMs, agent)
  return agent
}

export type ResponseHead = { status: number; headers: Record<string, string | string[] | undefined> }

/** Reads the body of a response. */
export type BodyReader = {
  /** Receives the next bytes. Until a returned promise resolves, no more are read. An error that it throws ends the call. */
  onData(bytes: Buffer): Promise<void> | void
  /** True when the rest does not matter: the call is over, and its connection is kept if the rest comes at once. */
  readonly done: boolean
}

type PostOptions = {
  headers: Record<string, string>
  body: string | StreamedBody
  timeouts: Timeouts
  signal: AbortSignal
}

/**
 * Posts to an operator's upstream; resolves when its response was read to the end. Uses undici's dispatch, without a stream
 * between socket and reader: all text of all models comes through here. Throws UpstreamError, the reader's errors, AppError
 * file_failed for a body that could not be read, or the caller's abort reason.
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
      sending?.abort()
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
    /** Closes the sources of the body. */
    const sending = options.body instanceof StreamedBody ? new AbortController() : null
    const watchdog = new Watchdog(timeouts, fail)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })

    const { origin, pathname, search } = new URL(url)
    let releaseTimer: NodeJS.Timeout | undefined
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(requestController) {
        controller = requestController
        if (isOver) requestController.abort(HUNG_UP)
      },
      onResponseStart(requestController, status, headers) {
        // They are slices of the bytes that were read, and would keep the whole piece of memory that they are in.
        requestController.rawHeaders = null
        if (isOver || status < 200) return
        try {
          reader = createReader({ status, headers })
        } catch (error) {
          fail(error)
        }
      },
      onResponseData(requestController, bytes) {
        // undici passes on an empty chunk when it resumes at the end of its data.
        if (bytes.length === 0) return
        const pending = read(bytes)
        if (pending) waitFor(pending, requestController)
      },
      onResponseEnd() {
        clearTimeout(releaseTimer)
        succeed()
      },
      onResponseError(_, cause) {
        clearTimeout(releaseTimer)
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
    const waitFor = (pending: Promise<void>, requestController: Dispatcher.DispatchController): void => {
      requestController.pause()
      watchdog.pause()
      pending.then(() => {
        if (isOver) return
        if (reader?.done) releaseConnection()
        watchdog.resume()
        requestController.resume()
      }, fail)
    }
    const releaseConnection = (): void => {
      succeed()
      releaseTimer = setTimeout(() => controller?.abort(HUNG_UP), KEEP_ALIVE_GRACE_MS).unref()
    }
    const { headers, body } = encodeRequest(options, (streamed) =>
      sendPieces(streamed.read(sending!.signal), { watchdog, fail }),
    )
    const request = { origin, path: pathname + search, method: 'POST' as const, headers, body }
    try {
      getAgent(timeouts.connect_ms).dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler)
    } catch (cause) {
      fail(toConnectError(cause))
    }
  })
}

type RequestBody = Pick<PostOptions, 'headers'> & { body: Uint8Array | Readable }

function encodeRequest(
  { headers, body }: PostOptions,
  send: (body: StreamedBody) => AsyncGenerator<Uint8Array>,
): RequestBody {
  // undici keeps the body until the end: bytes of its own, where a Buffer of a string would keep the whole pool that it is in.
  if (typeof body === 'string') return { headers, body: new TextEncoder().encode(body) }
  const length = { 'content-length': String(body.size) }
  return { headers: { ...headers, ...length }, body: Readable.from(send(body), { objectMode: false }) }
}

/** Passes on the pieces of a body. The platform's silence counts while it takes none, not while their source is awaited. */
async function* sendPieces(
  pieces: AsyncGenerator<Uint8Array>,
  { watchdog, fail }: { watchdog: Watchdog; fail: (error: unknown) => void },
): AsyncGenerator<Uint8Array> {
  const stall = (): void => fail(new AppError('file_failed', { cause: new Error('a source stalls') }))
  try {
    for (;;) {
      watchdog.pause()
      const timer = setTimeout(stall, SOURCE_STALL_MS)
      const next = await pieces
        .next()
        .catch((error: unknown) => {
          fail(error)
          throw error
        })
        .finally(() => clearTimeout(timer))
      watchdog.resume()
      if (next.done) return
      yield next.value
    }
  } finally {
    await pieces.return(undefined)
  }
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
