import { UpstreamError } from '../chat.ts'
import type { ChatPart } from '../chat.ts'
import { MAX_EVENT, SseParser } from '../sse.ts'
import { isJson, malformed } from './event.ts'
import type { Hear, Say } from './event.ts'
import { reported } from './refusal.ts'

type SayPart = (part: ChatPart) => void

/**
 * Turns the body of an answer into parts: an event stream, or the JSON of a server that ignored the wish for one. Bytes
 * may be cut anywhere. Usage and finish are held back until the end.
 */
export class AnswerReader {
  readonly #hear: Hear
  readonly #decoder = new TextDecoder()
  readonly #sse = new SseParser()
  #body: 'unknown' | 'events' | 'json' = 'unknown'
  #json = ''
  #events = 0
  #answered = false
  #finish: Extract<ChatPart, { type: 'finish' }> | null = null
  #usage: ChatPart | null = null
  /** The upstream said that this is all (`[DONE]`, `message_stop`): nothing that follows is read. */
  done = false

  constructor(hear: Hear) {
    this.#hear = hear
  }

  /** Says the parts that the next bytes complete. Throws UpstreamError, after what came before the fault. */
  feed(bytes: Buffer, say: SayPart): void {
    const text = this.#decoder.decode(bytes, { stream: true })
    if (this.#body === 'unknown' && text.trim()) this.#body = /^\s*[{[]/.test(text) ? 'json' : 'events'
    if (this.#body === 'json') {
      if (this.#json.length + text.length > MAX_EVENT) throw malformed('a JSON answer that is too long')
      this.#json += text
      return
    }
    this.#read(this.#sse.feed(text), say)
    if (this.#sse.tooLong) throw malformed(`an event of more than ${MAX_EVENT} characters`)
  }

  /** Says the last parts of a body that ended by itself. Throws UpstreamError when it was not a whole answer. */
  end(say: SayPart): void {
    if (this.#body === 'unknown') throw new UpstreamError('upstream_empty', 'an answer without a body')
    if (this.#body === 'json') {
      // Gemini without alt=sse sends the list of its events.
      const body = parse(this.#json)
      for (const event of Array.isArray(body) ? body : [body]) this.#take(event, say)
      this.done = true
      return
    }
    try {
      this.#read(this.#sse.end(), say)
    } catch (cause) {
      // Half an event is no malformed one: the answer stopped here.
      if (!(cause instanceof UpstreamError) || cause.code !== 'upstream_malformed') throw cause
    }
    if (!this.#events) throw malformed('no event in the whole answer')
    if (!this.whole) throw new UpstreamError('upstream_cut', 'ended without saying that it was all')
  }

  /** Whether all that matters has come, so that a broken connection changes nothing. */
  get whole(): boolean {
    return this.done || this.#finish !== null
  }

  /** What was reported about the usage so far; also worth having of an answer that broke. */
  usage(): ChatPart[] {
    return this.#usage ? [this.#usage] : []
  }

  /** The finish of a whole answer. Throws UpstreamError when it had neither text nor tool call. */
  finish(): ChatPart {
    if (!this.#answered)
      throw new UpstreamError('upstream_empty', `finish reason ${this.#finish?.reason ?? 'none'}`)
    return this.#finish ?? { type: 'finish', reason: 'stop' }
  }

  #read(events: string[], say: SayPart): void {
    for (const data of events) {
      if (this.done || data === '') continue
      this.#events += 1
      if (data.trim() === '[DONE]') this.done = true
      else this.#take(parse(data), say, data)
    }
  }

  /** `raw`: the event as it came in a stream. */
  #take(event: unknown, say: SayPart, raw?: string): void {
    if (!isJson(event)) throw malformed(`not an object: ${JSON.stringify(event).slice(0, 200)}`)
    if (event['error']) throw reported(event['error'])
    const pass: Say = (said) => {
      if (said.type === 'end') this.done = true
      else if (said.type === 'finish') this.#finish = said
      else if (said.type === 'usage' || said.type === 'usage_flagged') this.#usage = said
      else {
        if (said.type !== 'reasoning' && said.type !== 'signature') this.#answered = true
        say(said)
      }
    }
    this.#hear(event, pass, raw)
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw malformed(`not JSON: ${data.slice(0, 200)}`)
  }
}
