import { createParser } from 'eventsource-parser'

/** Characters that one event may have. */
export const MAX_EVENT = 4 * 1024 * 1024

/** The `data` of server-sent events out of text that arrives in pieces cut anywhere. */
export class SseParser {
  #events: string[] = []
  /** An event longer than MAX_EVENT came: nothing after it is read. */
  tooLong = false
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ data }) => this.#events.push(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.tooLong = true
    },
  })

  /** The data of each event that the next text completes. */
  feed(text: string): string[] {
    if (!this.tooLong) this.#parser.feed(text)
    const events = this.#events
    this.#events = []
    return events
  }

  /** The last event of a stream without a final blank line; the standard drops it, real servers rely on it. */
  flush(): string[] {
    return this.feed('\n\n')
  }
}
