import type { SessionWatch } from './http.ts'

/** A comment this often keeps proxies from closing a silent stream, ms. */
const COMMENT_EVERY_MS = 15_000

/** One event of a text/event-stream (WHATWG HTML section 9.2). */
export type ServerEvent = { data: string; id?: string; event?: string }

const encoder = new TextEncoder()

function encodeEvent({ data, id, event }: ServerEvent): Uint8Array {
  const head = `${event ? `event: ${event}\n` : ''}${id ? `id: ${id}\n` : ''}`
  return encoder.encode(`${head}data: ${data}\n\n`)
}

/**
 * Answers with an event stream. Events are pulled as fast as the reader takes them; when the reader leaves or its session
 * ends, the generator's `signal` aborts and it ends.
 */
export function createEventStream(
  events: (signal: AbortSignal) => AsyncGenerator<ServerEvent>,
  session: SessionWatch,
): Response {
  const ended = new AbortController()
  const source = events(ended.signal)
  let comments: NodeJS.Timeout
  const end = (): void => {
    clearInterval(comments)
    session.release()
    ended.abort()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        comments = setInterval(() => {
          // A reader that does not keep up has enough to read.
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': \n\n'))
        }, COMMENT_EVERY_MS)
        session.signal.addEventListener('abort', () => {
          if (ended.signal.aborted) return
          end()
          controller.close()
        })
      },
      async pull(controller) {
        try {
          const next = await source.next()
          if (ended.signal.aborted) return
          if (!next.done) return controller.enqueue(encodeEvent(next.value))
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        end()
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  )
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Asks nginx and its like not to gather the stream.
      'X-Accel-Buffering': 'no',
    },
  })
}
