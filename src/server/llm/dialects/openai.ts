import { UpstreamError } from '../chat.ts'
import type { ChatPart, ChatRequest, Timeouts } from '../chat.ts'
import { post } from '../http.ts'
import type { Answer } from '../http.ts'
import { retryAfter } from '../retry-after.ts'
import { AnswerReader } from './openai-reader.ts'

/** Where a call goes. `base_url` has no slash at its end; an empty `api_key` sends none. */
export type Target = {
  base_url: string
  api_key: string
  model: string
  /** Each chunk carries the whole text so far. */
  cumulative: boolean
  timeouts: Timeouts
}

const MAX_REFUSAL = 16_384

/**
 * Streams a chat completion of an OpenAI-compatible server. Throws UpstreamError, or the signal's reason when the
 * caller aborts. Usage comes before the finish, which is always last; a broken answer gives what usage it reported.
 */
export async function* streamChat(
  target: Target,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatPart, void, undefined> {
  const answer = await post(`${target.base_url}/chat/completions`, {
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(target.api_key ? { authorization: `Bearer ${target.api_key}` } : {}),
    },
    body: JSON.stringify(bodyOf(target.model, request)),
    timeouts: target.timeouts,
    signal,
  })
  if (answer.status < 200 || answer.status > 299) throw await refusal(answer, target.api_key)
  const reader = new AnswerReader(target.cumulative)
  try {
    for await (const bytes of answer.chunks) {
      yield* reader.feed(bytes)
      if (!reader.done) continue
      answer.complete()
      break
    }
    yield* reader.end()
  } catch (cause) {
    const cut = cause instanceof UpstreamError && cause.code === 'upstream_cut'
    if (!cut || !reader.whole) {
      yield* reader.usage()
      throw cause
    }
  }
  yield* reader.usage()
  yield reader.finish()
}

function bodyOf(model: string, { messages, max_tokens, temperature }: ChatRequest): object {
  // OpenAI's reasoning models refuse max_tokens and any temperature of one's own.
  const reasons = /^(o\d|gpt-5)/.test(model)
  return {
    model,
    messages,
    ...(reasons ? { max_completion_tokens: max_tokens } : { max_tokens }),
    ...(temperature === undefined || reasons ? {} : { temperature }),
    stream: true,
    stream_options: { include_usage: true },
  }
}

/** The error of an answer that is not 2xx. A redirect is one too: keys are not carried elsewhere. */
async function refusal({ status, headers, chunks }: Answer, api_key: string): Promise<UpstreamError> {
  const retry_after = retryAfter(headers['retry-after'], Date.now())
  let said = ''
  try {
    for await (const bytes of chunks) {
      said += bytes.toString('latin1')
      if (said.length > MAX_REFUSAL) break
    }
  } catch (cause) {
    // The status says enough, unless the caller has left.
    if (!(cause instanceof UpstreamError)) throw cause
  }
  const text = Buffer.from(said, 'latin1').toString('utf8').slice(0, 500)
  // Some servers repeat the key that they refuse.
  const detail = `${status} ${api_key ? text.replaceAll(api_key, '***') : text}`
  if (status === 429) return new UpstreamError('upstream_rate_limited', detail, retry_after)
  return new UpstreamError(status >= 500 ? 'upstream_failed' : 'upstream_rejected', detail, retry_after)
}
