import { UpstreamError } from '../chat.ts'
import type { ChatPart, Timeouts } from '../chat.ts'
import { post } from '../http.ts'
import { AnswerReader } from './answer-reader.ts'
import type { Hear } from './event.ts'
import { refusal, withoutKey } from './refusal.ts'

/** Where a call goes. `base_url` has no slash at its end; an empty `api_key` sends none. */
export type Target = {
  base_url: string
  api_key: string
  model: string
  /** Each chunk carries the whole text so far. */
  cumulative: boolean
  timeouts: Timeouts
}

/** A call as a dialect writes it, and how the dialect hears the answer. */
export type Call = { url: string; headers: Record<string, string>; body: object; hear: Hear }

/**
 * Makes the call and streams its answer. Throws UpstreamError, or the signal's reason when the caller aborts. Usage
 * comes before the finish, which is always last; a broken answer gives what usage it reported.
 */
export async function* streamAnswer(
  { url, headers, body, hear }: Call,
  { api_key, timeouts }: Target,
  signal: AbortSignal,
): AsyncGenerator<ChatPart, void, undefined> {
  const answer = await post(url, {
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
    timeouts,
    signal,
  })
  if (answer.status < 200 || answer.status > 299) throw await refusal(answer, api_key)
  const reader = new AnswerReader(hear)
  try {
    for await (const bytes of answer.chunks) {
      yield* reader.feed(bytes)
      if (!reader.done) continue
      answer.complete()
      break
    }
    yield* reader.end()
  } catch (cause) {
    const failed = cause instanceof UpstreamError
    // A connection that broke or fell silent after all was said took nothing away.
    if (!failed || !reader.whole || !/cut|timeout/.test(cause.code)) {
      yield* reader.usage()
      throw failed ? withoutKey(cause, api_key) : cause
    }
  }
  yield* reader.usage()
  yield reader.finish()
}
