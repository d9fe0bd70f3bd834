import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorShape } from '#contract/gateway/errors.ts'
import { getLimitKey } from '#server/core/client-address.ts'
import { createId } from '#server/core/ids.ts'

/** A request of the gateway and the response to it. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  /** Also in every response, as `x-request-id`, and as `request-id` where clients of Anthropic's API look for it. */
  request_id: string
  /** Whose API the client speaks. */
  shape: ErrorShape
  /** Of the client, and what limits by address count it as. */
  address: string
  limit_key: string
  /** Aborts when the client disconnects before it has the whole response. */
  disconnect_signal: AbortSignal
  /** Fulfilled when nothing of the call is under way any more: its run has ended, its answer is delivered or abandoned. */
  finished: Promise<void>
}

export function createExchange({
  request,
  response,
  shape,
  address,
  finished,
}: Pick<Exchange, 'request' | 'response' | 'shape' | 'address' | 'finished'>): Exchange {
  const request_id = createId()
  response.setHeader('x-request-id', request_id)
  if (shape === 'anthropic') response.setHeader('request-id', request_id)
  const disconnect = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) disconnect.abort()
  })
  const limit_key = getLimitKey(address)
  const { signal: disconnect_signal } = disconnect
  return { request, response, request_id, shape, address, limit_key, disconnect_signal, finished }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
  })
  response.end(bytes)
}

/** A comment, which every reader of an event stream ignores. */
export const KEEP_ALIVE_COMMENT = ': \n\n'

/** Silence after which a keep-alive keeps proxies and clients from giving up the stream, ms. */
const KEEP_ALIVE_INTERVAL_MS = 15_000

type EventStreamOptions = {
  /** What is sent after a silence. */
  keep_alive?: string
  silence_ms?: number
}

export type EventStream = ReturnType<typeof createEventStream>

/**
 * An event stream whose head is sent with the first event or keep-alive, so that what fails before can still be answered
 * with a status of its own. Once the client has disconnected, writing does nothing.
 */
export function createEventStream(
  response: ServerResponse,
  { keep_alive = KEEP_ALIVE_COMMENT, silence_ms = KEEP_ALIVE_INTERVAL_MS }: EventStreamOptions = {},
) {
  let isQuiet = true
  const writeHead = (): void => {
    if (response.headersSent) return
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Asks nginx and the like not to buffer the stream.
      'X-Accel-Buffering': 'no',
    })
  }
  const timer = setInterval(() => {
    if (isQuiet && !response.writableNeedDrain) {
      writeHead()
      response.write(keep_alive)
    }
    isQuiet = true
  }, silence_ms)
  const stop = (): void => clearInterval(timer)
  response.once('close', stop)

  return {
    /** Something was sent, so an error can only be one more event. */
    get hasStarted(): boolean {
      return response.headersSent
    },
    /** Writes whole events. A promise when the client is slow: fulfilled once what was written has been flushed. */
    write(events: string): Promise<void> | void {
      if (response.destroyed) return
      writeHead()
      isQuiet = false
      if (!response.write(events)) return waitForDrain(response)
    },
    end(events: string): void {
      stop()
      if (response.destroyed) return
      writeHead()
      response.end(events)
    },
    /** Stops the keep-alives; the response can then be sent otherwise. */
    stop,
  }
}

/** Until a slow client has received what was written, or has disconnected. */
export function waitForDrain(response: ServerResponse): Promise<void> | void {
  if (response.destroyed) return
  const done = Promise.withResolvers<void>()
  const resume = (): void => {
    response.off('drain', resume).off('close', resume)
    done.resolve()
  }
  response.on('drain', resume).on('close', resume)
  return done.promise
}
