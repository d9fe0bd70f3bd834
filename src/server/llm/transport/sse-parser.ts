import { createParser } from 'eventsource-parser'
import { parseJsonObject } from '#server/core/json.ts'

/** Longest event, characters: a picture comes in one. */
export const MAX_EVENT = 32 * 1024 * 1024

const DATA = 'data: '
const EVENT_END = '\n\n'

/** Tells whether a text is one line of data and no more. Platforms mostly send that, and it needs no parser with a memory. */
const isOneEvent = (text: string): boolean =>
  text.length < MAX_EVENT &&
  text.startsWith(DATA) &&
  text.endsWith(EVENT_END) &&
  text.indexOf('\n') === text.length - EVENT_END.length &&
  !text.includes('\r')

/** Makes the data of an event named `error` an object with an `error`. */
function toErrorData(data: string): string {
  const object = parseJsonObject(data)
  return object?.['error'] ? data : JSON.stringify({ error: object ?? { message: data } })
}

/** Extracts the `data` of server-sent events from text that arrives in pieces cut anywhere. */
export class SseParser {
  #events: string[] = []
  /** An event longer than MAX_EVENT came: nothing after it is read. */
  tooLong = false
  /** The text so far ends with a whole event. */
  #isBetweenEvents = false
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ event, data }) => this.#events.push(event === 'error' ? toErrorData(data) : data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.tooLong = true
    },
  })

  /** The data of each event that the next text completes. */
  feed(text: string): string[] {
    if (this.tooLong) return []
    const wasBetweenEvents = this.#isBetweenEvents
    this.#isBetweenEvents = text.endsWith(EVENT_END)
    if (wasBetweenEvents && isOneEvent(text)) return [text.slice(DATA.length, -EVENT_END.length)]
    this.#parser.feed(text)
    const events = this.#events
    if (events.length) this.#events = []
    return events
  }

  /** The last event of a stream without a final blank line; the standard drops it, real servers rely on it. */
  flush(): string[] {
    return this.feed('\n\n')
  }
}
