import { UpstreamError } from '#server/llm/chat.ts'
import type { ChatPart, ChatRequest, OnPart, Timeouts } from '#server/llm/chat.ts'
import type { ProviderTarget } from '#server/llm/providers/stream-request.ts'
import { streamOpenai } from '#server/llm/providers/openai/openai.ts'

const TIMEOUTS: Timeouts = { connect_ms: 5_000, first_byte_ms: 5_000, idle_ms: 5_000, total_ms: 20_000 }

export function createTarget(
  base_url: string,
  over: Partial<ProviderTarget> = {},
  timeouts: Partial<Timeouts> = {},
): ProviderTarget {
  return {
    base_url,
    api_key: '',
    model: 'm',
    cumulative: false,
    ...over,
    timeouts: { ...TIMEOUTS, ...timeouts },
  }
}

export function createRequest(content: string): ChatRequest {
  return { messages: [{ role: 'user', content }], max_tokens: 1000 }
}

export type CollectedStream = { parts: ChatPart[]; text: string; error: unknown }

/** Listens to the end, whatever it is. Deltas are joined, a `replace` starts anew. */
export async function collectStream(say: (take: OnPart) => Promise<void>): Promise<CollectedStream> {
  const collected: CollectedStream = { parts: [], text: '', error: null }
  const take: OnPart = (part) => {
    collected.parts.push(part)
    if (part.type === 'delta') collected.text += part.text
    if (part.type === 'replace') collected.text = part.text
  }
  try {
    await say(take)
  } catch (error) {
    collected.error = error
  }
  return collected
}

export function callProvider(
  target: ProviderTarget,
  asked: string | ChatRequest = '你好',
  signal = new AbortController().signal,
  stream = streamOpenai,
): Promise<CollectedStream> {
  const request = typeof asked === 'string' ? createRequest(asked) : asked
  return collectStream((take) => stream(target, request, signal, take))
}

/** The code of an upstream error; the error itself when it is none, so that a failing test shows it. */
export function getErrorCode(error: unknown): unknown {
  return error instanceof UpstreamError ? error.code : error
}
