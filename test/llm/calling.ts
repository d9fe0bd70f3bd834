import { UpstreamError } from '#server/llm/chat.ts'
import type { ChatPart, ChatRequest, Take, Timeouts } from '#server/llm/chat.ts'
import type { Target } from '#server/llm/dialects/answer.ts'
import { streamOpenai } from '#server/llm/dialects/openai.ts'

const TIMEOUTS: Timeouts = { connect_ms: 5_000, first_byte_ms: 5_000, idle_ms: 5_000, total_ms: 20_000 }

export function targetOf(
  base_url: string,
  over: Partial<Target> = {},
  timeouts: Partial<Timeouts> = {},
): Target {
  return {
    base_url,
    api_key: '',
    model: 'm',
    cumulative: false,
    ...over,
    timeouts: { ...TIMEOUTS, ...timeouts },
  }
}

export function ask(content: string): ChatRequest {
  return { messages: [{ role: 'user', content }], max_tokens: 1000 }
}

export type Heard = { parts: ChatPart[]; text: string; error: unknown }

/** Listens to the end, whatever it is. Deltas are joined, a `replace` starts anew. */
export async function listen(say: (take: Take) => Promise<void>): Promise<Heard> {
  const heard: Heard = { parts: [], text: '', error: null }
  const take: Take = (part) => {
    heard.parts.push(part)
    if (part.type === 'delta') heard.text += part.text
    if (part.type === 'replace') heard.text = part.text
  }
  try {
    await say(take)
  } catch (error) {
    heard.error = error
  }
  return heard
}

export function call(
  target: Target,
  asked: string | ChatRequest = '你好',
  signal = new AbortController().signal,
  stream = streamOpenai,
): Promise<Heard> {
  const request = typeof asked === 'string' ? ask(asked) : asked
  return listen((take) => stream(target, request, signal, take))
}

/** The code of an upstream error; the error itself when it is none, so that a failing test shows it. */
export function codeOf(error: unknown): unknown {
  return error instanceof UpstreamError ? error.code : error
}
