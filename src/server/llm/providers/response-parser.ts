import { isJsonObject } from '#server/core/json.ts'
import { UpstreamError } from '../chat.ts'
import type { ChatPart } from '../chat.ts'
import { MAX_EVENT, SseParser } from '../transport/sse-parser.ts'
import { createMalformedError } from './stream-parser.ts'
import type { StreamParser, Emit } from './stream-parser.ts'
import { toUpstreamError } from './error-response.ts'

type EmitPart = (part: ChatPart) => void

/**
 * Turns the body of an answer into parts: an event stream, or the JSON of a server that ignored the wish for one. Bytes
 * may be cut anywhere. Usage and finish are held back until the end.
 */
export class ResponseParser {
  readonly #hear: StreamParser
  readonly #decoder = new TextDecoder()
  readonly #sse = new SseParser()
  #body: 'unknown' | 'events' | 'json' = 'unknown'
  #json = ''
  #events = 0
  #answered = false
  #finish: Extract<ChatPart, { type: 'finish' }> | null = null
  #usage: ChatPart | null = null
  /** The upstream said that this is all (`[DONE]`, `message_stop`): nothing that follows is read. */
  isDone = false

  constructor(parser: StreamParser) {
    this.#hear = parser
  }

  /** Says the parts that the next bytes complete. Throws UpstreamError, after what came before the fault. */
  feed(bytes: Buffer, emit: EmitPart): void {
    const text = this.#decoder.decode(bytes, { stream: true })
    if (this.#body === 'unknown' && text.trim()) this.#body = /^\s*[{[]/.test(text) ? 'json' : 'events'
    if (this.#body === 'json') {
      if (this.#json.length + text.length > MAX_EVENT)
        throw createMalformedError('a JSON answer that is too long')
      this.#json += text
      return
    }
    this.#read(this.#sse.feed(text), emit)
    if (this.#sse.tooLong) throw createMalformedError(`an event of more than ${MAX_EVENT} characters`)
  }

  /** Says the last parts of a body that ended by itself. Throws UpstreamError when it was not a whole answer. */
  finishBody(emit: EmitPart): void {
    if (this.#body === 'unknown') throw new UpstreamError('upstream_empty', 'an answer without a body')
    if (this.#body === 'json') {
      // Gemini without alt=sse sends the list of its events.
      const body = parseJson(this.#json)
      for (const event of Array.isArray(body) ? body : [body]) this.#take(event, emit)
      this.isDone = true
      return
    }
    try {
      this.#read(this.#sse.flush(), emit)
    } catch (cause) {
      // Half an event is no malformed one: the answer stopped here.
      if (!(cause instanceof UpstreamError) || cause.code !== 'upstream_malformed') throw cause
    }
    if (!this.#events) throw createMalformedError('no event in the whole answer')
    if (!this.isComplete) throw new UpstreamError('upstream_cut', 'ended without saying that it was all')
  }

  /** Whether all that matters has come, so that a broken connection changes nothing. */
  get isComplete(): boolean {
    return this.isDone || this.#finish !== null
  }

  /** What was reported about the usage so far; also worth having of an answer that broke. */
  getUsageParts(): ChatPart[] {
    return this.#usage ? [this.#usage] : []
  }

  /** The finish of a whole answer. Throws UpstreamError when it had neither text nor tool call. */
  getFinishPart(): ChatPart {
    if (!this.#answered)
      throw new UpstreamError('upstream_empty', `finish reason ${this.#finish?.reason ?? 'none'}`)
    return this.#finish ?? { type: 'finish', reason: 'stop' }
  }

  #read(events: string[], emit: EmitPart): void {
    for (const data of events) {
      if (this.isDone || data === '') continue
      this.#events += 1
      if (data.trim() === '[DONE]') this.isDone = true
      else this.#take(parseJson(data), emit, data)
    }
  }

  /** `raw`: the event as it came in a stream. */
  #take(event: unknown, emit: EmitPart, raw?: string): void {
    if (!isJsonObject(event))
      throw createMalformedError(`not an object: ${JSON.stringify(event).slice(0, 200)}`)
    if (event['error']) throw toUpstreamError(event['error'])
    const emitOrHold: Emit = (part) => {
      if (part.type === 'end') this.isDone = true
      else if (part.type === 'finish') this.#finish = part
      else if (part.type === 'usage' || part.type === 'usage_flagged') this.#usage = part
      else {
        if (part.type !== 'reasoning' && part.type !== 'signature') this.#answered = true
        emit(part)
      }
    }
    this.#hear(event, emitOrHold, raw)
  }
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw createMalformedError(`not JSON: ${data.slice(0, 200)}`)
  }
}
