import { isJsonObject } from '#server/core/json.ts'
import type { StreamPart } from '../stream-part.ts'
import { MAX_EVENT, SseParser } from '../transport/sse-parser.ts'
import { UpstreamError } from '../upstream-error.ts'
import { CallSequence } from './call-sequence.ts'
import { findReportedError, toUpstreamError } from './error-response.ts'
import type { Emit, StreamParser } from './provider.ts'

/** A response of these parts alone is empty. */
const CONTENTLESS: ReadonlySet<StreamPart['type']> = new Set(['signature', 'annotations'])

/**
 * Parses the body of a response: an event stream, or the JSON of a server that did not stream. Bytes may be cut anywhere.
 * Usage and finish are held back until the end.
 */
export class ResponseParser {
  readonly #parser: StreamParser
  readonly #decoder = new TextDecoder()
  /** The bytes so far end with a whole character. False before the first byte: the decoder looks for a byte order mark. */
  #isWhole = false
  readonly #sse = new SseParser()
  readonly #sequence = new CallSequence()
  #body: 'unknown' | 'events' | 'json' = 'unknown'
  #json = ''
  #events = 0
  #hasContent = false
  #finish: Extract<StreamPart, { type: 'finish' }> | null = null
  #usage: StreamPart | null = null
  /** The upstream marked the end (`[DONE]`, `message_stop`): nothing after it is read. */
  isDone = false

  constructor(parser: StreamParser) {
    this.#parser = parser
  }

  /** Emits the parts that the next bytes complete. Throws UpstreamError, after the parts before the fault. */
  parse(bytes: Buffer, emit: Emit): void {
    const text = this.#decode(bytes)
    if (this.#body === 'unknown' && text.trim()) this.#body = /^\s*[{[]/.test(text) ? 'json' : 'events'
    if (this.#body === 'json') {
      if (this.#json.length + text.length > MAX_EVENT)
        throw createMalformedError('a JSON answer that is too long')
      this.#json += text
      return
    }
    this.#parseEvents(this.#sse.feed(text), emit)
    if (this.#sse.tooLong) throw createMalformedError(`an event of more than ${MAX_EVENT} characters`)
  }

  /** Emits the last parts of a body that ended by itself. Throws UpstreamError when the response is not complete. */
  end(emit: Emit): void {
    if (this.#body === 'unknown') throw new UpstreamError('upstream_empty', 'an answer without a body')
    if (this.#body === 'json') {
      // Gemini without alt=sse sends the list of its events.
      const body = parseJson(this.#json)
      for (const event of Array.isArray(body) ? body : [body]) this.#parseEvent(event, emit)
      this.isDone = true
      this.flush(emit)
      return
    }
    try {
      this.#parseEvents(this.#sse.flush(), emit)
    } catch (cause) {
      // Half an event is no malformed one: the response stopped here.
      if (!(cause instanceof UpstreamError) || cause.code !== 'upstream_malformed') throw cause
    }
    if (!this.#events) throw createMalformedError('no event in the whole answer')
    if (!this.isComplete) throw new UpstreamError('upstream_cut', 'ended without saying that it was all')
    this.flush(emit)
  }

  /** Emits the held parts of a complete response. */
  flush(emit: Emit): void {
    this.#sequence.end(emit)
  }

  /** Everything that matters has come, so a broken connection changes nothing. */
  get isComplete(): boolean {
    return this.isDone || this.#finish !== null
  }

  /** The usage reported so far; also of a response that broke. */
  getUsageParts(): StreamPart[] {
    return this.#usage ? [this.#usage] : []
  }

  /**
   * Returns the finish of a complete response, which may well be empty: if all of it was reasoning, or was withheld, or nothing
   * was left to say (`mayBeEmpty`, or a platform that counted tokens). Throws UpstreamError for an empty response that gives no
   * reason, or that plainly stopped without a count: a broken server does that.
   */
  getFinishPart(mayBeEmpty: boolean): StreamPart {
    const isExplained = this.#finish && (this.#finish.reason !== 'stop' || mayBeEmpty || this.#usage)
    if (!this.#hasContent && !isExplained)
      throw new UpstreamError('upstream_empty', `finish reason ${this.#finish?.reason ?? 'none'}`)
    return this.#toWholeFinish(this.#finish ?? { type: 'finish', reason: 'stop' })
  }

  /** Some platforms say `stop` after calls of tools, or announce calls that do not come. */
  #toWholeFinish(finish: Extract<StreamPart, { type: 'finish' }>): StreamPart {
    const { hasCalls } = this.#sequence
    if (finish.reason === 'stop' && hasCalls) return { ...finish, reason: 'tool_calls' }
    return finish.reason === 'tool_calls' && !hasCalls ? { ...finish, reason: 'stop' } : finish
  }

  /** The decoder is slow, and only needed where a character is cut. */
  #decode(bytes: Buffer): string {
    const wasWhole = this.#isWhole
    this.#isWhole = bytes[bytes.length - 1]! < 0x80
    return wasWhole && this.#isWhole ? bytes.toString() : this.#decoder.decode(bytes, { stream: true })
  }

  #parseEvents(events: string[], emit: Emit): void {
    for (const data of events) {
      if (this.isDone || data === '') continue
      this.#events += 1
      if (data.trim() === '[DONE]') this.isDone = true
      else this.#parseEvent(parseJson(data), emit, data)
    }
  }

  /** `raw` is the text of an event of a stream. */
  #parseEvent(event: unknown, emit: Emit, raw?: string): void {
    if (!isJsonObject(event))
      throw createMalformedError(`not an object: ${JSON.stringify(event).slice(0, 200)}`)
    const error = findReportedError(event)
    if (error) throw toUpstreamError(error)
    const emitOrHold: Emit = (part) => {
      if (part.type === 'finish') this.#finish = part
      else if (part.type === 'usage') this.#usage = part
      // Some platforms send a usage of zeros after the true one.
      else if (part.type === 'usage_flagged') this.#usage = this.#usage && part.is_empty ? this.#usage : part
      else {
        if (!CONTENTLESS.has(part.type)) this.#hasContent = true
        this.#sequence.add(part, emit)
      }
    }
    if (this.#parser(event, emitOrHold, raw) === 'end') this.isDone = true
  }
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw createMalformedError(`not JSON: ${data.slice(0, 200)}`)
  }
}

const createMalformedError = (detail: string): UpstreamError =>
  new UpstreamError('upstream_malformed', detail)
