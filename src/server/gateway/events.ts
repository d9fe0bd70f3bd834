import type { ServerResponse } from 'node:http'
import { COMMENT } from './shape.ts'

/** A word after this much silence keeps proxies and clients from giving the stream up, ms. */
const SILENCE_MS = 15_000

type Options = {
  /** What is sent after a silence. */
  keep_alive?: string
  silence_ms?: number
}

export type Events = ReturnType<typeof openEvents>

/**
 * An event stream whose head is sent with the first event or word of life, so that what fails before can still be answered
 * with its own status. Once the client has left, writing does nothing.
 */
export function openEvents(
  response: ServerResponse,
  { keep_alive = COMMENT, silence_ms = SILENCE_MS }: Options = {},
) {
  let quiet = true
  const begin = (): void => {
    if (response.headersSent) return
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Asks nginx and its like not to gather the stream.
      'X-Accel-Buffering': 'no',
    })
  }
  const timer = setInterval(() => {
    if (quiet && !response.writableNeedDrain) {
      begin()
      response.write(keep_alive)
    }
    quiet = true
  }, silence_ms)
  const stop = (): void => clearInterval(timer)
  response.once('close', stop)

  return {
    /** Something was sent, so an error can only be one more event. */
    get begun(): boolean {
      return response.headersSent
    },
    /** Writes whole events. A promise, when the client is slow: until it has taken what was written. */
    write(events: string): Promise<void> | void {
      if (response.destroyed) return
      begin()
      quiet = false
      if (!response.write(events)) return drained(response)
    },
    end(events: string): void {
      stop()
      if (response.destroyed) return
      begin()
      response.end(events)
    },
    /** Leaves the response to be answered otherwise. */
    stop,
  }
}

/** Until a slow client has taken what was written, or has left. */
export function drained(response: ServerResponse): Promise<void> | void {
  if (response.destroyed) return
  const done = Promise.withResolvers<void>()
  const resume = (): void => {
    response.off('drain', resume).off('close', resume)
    done.resolve()
  }
  response.on('drain', resume).on('close', resume)
  return done.promise
}
