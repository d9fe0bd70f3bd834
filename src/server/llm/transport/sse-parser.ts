import { createParser } from 'eventsource-parser'

/** Characters that one event may have. */
export const MAX_EVENT = 4 * 1024 * 1024

/** The `data` of server-sent events out of text that arrives in pieces cut anywhere. */
export class SseParser {
  #events: string[] = []
  /** An event longer than MAX_EVENT came: nothing that follows is read. */
  tooLong = false
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ data }) => this.#events.push(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.tooLong = true
    },
  })

  /** Takes the next text and gives the data of each event that it completes. */
  feed(text: string): string[] {
    if (!this.tooLong) this.#parser.feed(text)
    const events = this.#events
    this.#events = []
    return events
  }

  /** What a stream that ended without its last blank line left behind; the standard drops it, real servers rely on it. */
  flush(): string[] {
    return this.feed('\n\n')
  }
}
