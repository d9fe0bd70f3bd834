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
 * Answers with an event stream. Events are pulled as fast as the reader takes them; when the reader leaves, `signal`
 * aborts and the generator ends.
 */
export function createEventStream(events: (signal: AbortSignal) => AsyncGenerator<ServerEvent>): Response {
  const disconnected = new AbortController()
  const source = events(disconnected.signal)
  let comments: NodeJS.Timeout
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        comments = setInterval(() => {
          // A reader that does not keep up has enough to read.
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': \n\n'))
        }, COMMENT_EVERY_MS)
      },
      async pull(controller) {
        try {
          const next = await source.next()
          if (disconnected.signal.aborted) return
          if (!next.done) return controller.enqueue(encodeEvent(next.value))
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        clearInterval(comments)
      },
      cancel() {
        clearInterval(comments)
        disconnected.abort()
      },
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
