import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { gatherWrites } from './gather-writes.ts'

/** A comment, which every reader of an event stream ignores. */
export const KEEP_ALIVE_COMMENT = ': \n\n'

/** Silence after which a keep-alive is sent, lest proxies and clients give up the stream, ms. */
const KEEP_ALIVE_INTERVAL_MS = 15_000
/** Most characters gathered for one stream: more are written at once, so that a slow client is noticed. */
const MAX_GATHERED_CHARS = 16_000

type EventStreamOptions = {
  /** Sent after a silence. */
  keep_alive?: string
  silence_ms?: number
}

/**
 * An event stream whose head is sent with the first event or keep-alive, or earlier by `sendHead`, so that an error before that
 * can still be answered with a status of its own. Once the client has disconnected, writing does nothing.
 */
export function createEventStream(
  response: ServerResponse,
  { keep_alive = KEEP_ALIVE_COMMENT, silence_ms = KEEP_ALIVE_INTERVAL_MS }: EventStreamOptions = {},
) {
  let isQuiet = true
  let hasStarted = false
  let hasEnded = response.destroyed
  /** Events not yet written. */
  let gathered = ''
  /** This module frames HTTP's chunks itself. */
  let isChunked = false
  /** Gets the events once the head is sent: node:http would buffer each of them a second time. */
  let socket: Socket | null = null
  /** Pending until a slow client has received the data written so far. */
  let draining: Promise<void> | undefined

  const writeHead = (): void => {
    hasStarted = true
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Asks nginx and the like not to buffer the stream.
      'X-Accel-Buffering': 'no',
    })
    // Node would send a chunk and its frame as four pieces, at more cost than everything inside.
    isChunked = response.chunkedEncoding
    response.chunkedEncoding = false
  }
  const write = (events: string): void => {
    if (!hasStarted) writeHead()
    const target: Writable = socket ?? response
    const isFlushed = target.write(...encode(events, isChunked))
    // Null while the client still waits for the answer to an earlier request.
    socket ??= response.socket
    if (isFlushed || draining) return
    draining = waitForDrain(target)?.finally(() => {
      draining = undefined
    })
  }
  const takeGathered = (): string => {
    const events = gathered
    gathered = ''
    return events
  }
  const writeGathered = (): void => {
    if (gathered && !hasEnded) write(takeGathered())
  }
  const timer = setInterval(() => {
    if (isQuiet && !draining && !hasEnded) write(keep_alive)
    isQuiet = true
  }, silence_ms)
  const stop = (): void => clearInterval(timer)
  response.once('close', () => {
    hasEnded = true
    stop()
  })

  return {
    /** Tells whether something was sent, so that an error can only be one more event. */
    hasStarted: () => hasStarted,
    /** Writes whole events. Returns a promise when the client is slow, fulfilled once the written data has been flushed. */
    write(events: string): Promise<void> | void {
      if (hasEnded) return
      if (!hasStarted) writeHead()
      isQuiet = false
      const isFirst = gathered === ''
      gathered += events
      if (gathered.length > MAX_GATHERED_CHARS) writeGathered()
      else if (isFirst) gatherWrites(writeGathered)
      return draining
    },
    end(events: string): void {
      stop()
      if (hasEnded) return
      hasEnded = true
      if (!hasStarted) writeHead()
      const [data, encoding] = encode(takeGathered() + events, isChunked)
      response.end(isChunked ? data + LAST_CHUNK : data, encoding)
    },
    /** Sends the head early, when no later error would need a status of its own. */
    sendHead(): void {
      if (hasEnded) return
      writeHead()
      response.flushHeaders()
    },
    /** Stops the keep-alives; the response can then be sent in another way. */
    stop,
  }
}

const LAST_CHUNK = '0\r\n\r\n'

/** Encodes events for sending, framed as chunks of HTTP/1.1 (RFC 9112, section 7.1); pure ASCII goes out as it is in memory. */
function encode(events: string, isChunked: boolean): [string, BufferEncoding] {
  const bytes = Buffer.byteLength(events)
  const data = isChunked && bytes > 0 ? `${bytes.toString(16)}\r\n${events}\r\n` : events
  return [data, bytes === events.length ? 'latin1' : 'utf8']
}

/** Waits until a slow client has received the written data, or has disconnected. */
export function waitForDrain(stream: Writable): Promise<void> | undefined {
  if (stream.destroyed) return
  const done = Promise.withResolvers<void>()
  const resume = (): void => {
    stream.off('drain', resume).off('close', resume)
    done.resolve()
  }
  stream.on('drain', resume).on('close', resume)
  return done.promise
}
