import type { ServerResponse } from 'node:http'
import { KEEP_ALIVE_COMMENT } from '../protocols/response-formatter.ts'

/** A word after this much silence keeps proxies and clients from giving the stream up, ms. */
const KEEP_ALIVE_INTERVAL_MS = 15_000

type Options = {
  /** What is sent after a silence. */
  keep_alive?: string
  silence_ms?: number
}

export type EventStream = ReturnType<typeof createEventStream>

/**
 * An event stream whose head is sent with the first event or word of life, so that what fails before can still be answered
 * with its own status. Once the client has left, writing does nothing.
 */
export function createEventStream(
  response: ServerResponse,
  { keep_alive = KEEP_ALIVE_COMMENT, silence_ms = KEEP_ALIVE_INTERVAL_MS }: Options = {},
) {
  let isQuiet = true
  const writeHead = (): void => {
    if (response.headersSent) return
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Asks nginx and its like not to gather the stream.
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
    /** Writes whole events. A promise, when the client is slow: until it has taken what was written. */
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
    /** Leaves the response to be answered otherwise. */
    stop,
  }
}

/** Until a slow client has taken what was written, or has left. */
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
