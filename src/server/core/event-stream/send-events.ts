import type { ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import { createEventStream } from './event-stream.ts'

/** One event of a text/event-stream (WHATWG HTML section 9.2). */
export type ServerEvent = { data: string; id?: string; event?: string }

/** `signal` aborts when a session has ended; `release` stops the watch. */
export type SessionWatch = { signal: AbortSignal; release: () => void }

/** The answer of a call whose response is a stream: events until they end, their reader leaves, or its session ends. */
export type StreamAnswer = {
  /** Ends when `signal` aborts. */
  events: (signal: AbortSignal) => AsyncGenerator<ServerEvent>
  session: SessionWatch
}

/** Sends events as fast as their reader takes them. An error cuts the stream; the reader then reconnects. Never throws. */
export async function sendEvents(
  response: ServerResponse,
  { events, session }: StreamAnswer,
  log: Log,
): Promise<void> {
  const endController = new AbortController()
  const end = (): void => endController.abort()
  response.once('close', end)
  session.signal.addEventListener('abort', end)
  if (response.destroyed || session.signal.aborted) end()
  const stream = createEventStream(response)
  // Tells the reader that it is connected, however long the first event takes.
  stream.sendHead()
  try {
    for await (const event of events(endController.signal)) {
      if (endController.signal.aborted) break
      const draining = stream.write(encodeEvent(event))
      if (draining) await draining
    }
    stream.end('')
  } catch (err) {
    log.error({ err }, 'event stream failed')
    stream.stop()
    response.destroy()
  }
  session.release()
}

function encodeEvent({ data, id, event }: ServerEvent): string {
  return `${event ? `event: ${event}\n` : ''}${id ? `id: ${id}\n` : ''}data: ${data}\n\n`
}
