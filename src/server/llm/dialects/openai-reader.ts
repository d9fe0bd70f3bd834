import { UpstreamError } from '../chat.ts'
import type { ChatPart } from '../chat.ts'
import { MAX_EVENT, SseParser } from '../sse.ts'
import { isJson, readUsage } from './openai-usage.ts'
import type { Json } from './openai-usage.ts'

/**
 * Turns the body of a chat completion into parts: an event stream, or the one JSON object of a server that ignored
 * `stream`. Bytes may be cut anywhere. Usage and finish are held back until `end`.
 */
export class AnswerReader {
  readonly #cumulative: boolean
  readonly #decoder = new TextDecoder()
  readonly #sse = new SseParser()
  #body: 'unknown' | 'events' | 'json' = 'unknown'
  #json = ''
  #events = 0
  #answered = false
  #finish: string | null = null
  #usage: ChatPart | null = null
  /** `[DONE]` was seen: nothing that follows is read. */
  done = false

  constructor(cumulative: boolean) {
    this.#cumulative = cumulative
  }

  /** The parts that the next bytes complete. Throws UpstreamError, after what came before the fault. */
  *feed(bytes: Buffer): Generator<ChatPart, void, undefined> {
    const text = this.#decoder.decode(bytes, { stream: true })
    if (this.#body === 'unknown' && text.trim()) this.#body = /^\s*\{/.test(text) ? 'json' : 'events'
    if (this.#body === 'json') {
      if (this.#json.length + text.length > MAX_EVENT) throw malformed('a JSON answer that is too long')
      this.#json += text
      return
    }
    yield* this.#read(this.#sse.feed(text))
    if (this.#sse.tooLong) throw malformed(`an event of more than ${MAX_EVENT} characters`)
  }

  /** The last parts of a body that ended by itself. Throws UpstreamError when it was not a whole answer. */
  *end(): Generator<ChatPart, void, undefined> {
    if (this.#body === 'unknown') throw new UpstreamError('upstream_empty', 'an answer without a body')
    if (this.#body === 'json') {
      yield* this.#chunk(parse(this.#json), 'message')
      this.done = true
      return
    }
    try {
      yield* this.#read(this.#sse.end())
    } catch (cause) {
      // Half an event is no malformed one: the answer stopped here.
      if (!(cause instanceof UpstreamError) || cause.code !== 'upstream_malformed') throw cause
    }
    if (!this.#events) throw malformed('no event in the whole answer')
    if (!this.whole) throw new UpstreamError('upstream_cut', 'ended without finish_reason or [DONE]')
  }

  /** Whether all that matters has come, so that a broken connection changes nothing. */
  get whole(): boolean {
    return this.done || this.#finish !== null
  }

  /** What was reported about the usage so far; also worth having of an answer that broke. */
  usage(): ChatPart[] {
    return this.#usage ? [this.#usage] : []
  }

  /** The finish of a whole answer. Throws UpstreamError when it had no text. */
  finish(): ChatPart {
    if (!this.#answered) throw new UpstreamError('upstream_empty', `finish_reason ${this.#finish ?? 'none'}`)
    return { type: 'finish', reason: this.#finish ?? 'stop' }
  }

  *#read(events: string[]): Generator<ChatPart, void, undefined> {
    for (const data of events) {
      if (this.done || data === '') continue
      this.#events += 1
      if (data.trim() === '[DONE]') this.done = true
      else yield* this.#chunk(parse(data), 'delta')
    }
  }

  #chunk(chunk: Json, holder: 'delta' | 'message'): ChatPart[] {
    if (chunk['error']) throw reported(chunk['error'])
    const choices = chunk['choices']
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
    // Moonshot reports the usage inside the choice.
    this.#usage = readUsage(chunk['usage'] ?? (isJson(choice) ? choice['usage'] : null)) ?? this.#usage
    if (!isJson(choice)) return []
    if (typeof choice['finish_reason'] === 'string' && choice['finish_reason'])
      this.#finish = choice['finish_reason']
    const delta = choice[holder]
    if (!isJson(delta)) return []
    const parts: ChatPart[] = []
    const reasoning = delta['reasoning_content'] ?? delta['reasoning']
    if (typeof reasoning === 'string' && reasoning) parts.push({ type: 'reasoning', text: reasoning })
    const text = delta['content']
    if (typeof text === 'string' && text) {
      this.#answered = true
      parts.push({ type: this.#cumulative ? 'replace' : 'delta', text })
    }
    return parts
  }
}

function malformed(detail: string): UpstreamError {
  return new UpstreamError('upstream_malformed', detail)
}

function parse(data: string): Json {
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch {
    throw malformed(`not JSON: ${data.slice(0, 200)}`)
  }
  if (!isJson(json)) throw malformed(`not an object: ${data.slice(0, 200)}`)
  return json
}

/** An error that a server reports inside a 200. */
function reported(error: unknown): UpstreamError {
  const detail = JSON.stringify(error).slice(0, 500)
  const busy =
    isJson(error) &&
    [error['code'], error['type'], error['status']].some((word) => /^429$|rate_?limit/i.test(String(word)))
  return new UpstreamError(busy ? 'upstream_rate_limited' : 'upstream_failed', detail)
}
