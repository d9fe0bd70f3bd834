import { findFamily } from '#server/llm/catalogue/families.ts'
import type { Dialect } from '#server/llm/catalogue/schema.ts'
import { findPromptTraits } from '#server/llm/catalogue/prompt-traits.ts'
import { UpstreamError } from '#server/llm/upstream-error.ts'
import type { StreamPart, OnPart } from '#server/llm/stream-part.ts'
import type { ChatRequest } from '#server/llm/chat-request.ts'
import type { Timeouts } from '#server/llm/transport/watchdog.ts'
import { fitPrompt } from '#server/llm/prompt/fit-prompt.ts'
import type { ProviderTarget } from '#server/llm/providers/provider.ts'
import { PROVIDERS } from '#server/llm/providers/providers.ts'

const TIMEOUTS: Timeouts = { connect_ms: 5_000, first_byte_ms: 5_000, idle_ms: 5_000, total_ms: 20_000 }

export function createTarget(
  baseUrl: string,
  over: Partial<ProviderTarget> = {},
  timeouts: Partial<Timeouts> = {},
  dialect: Dialect = 'openai',
): ProviderTarget {
  const model = over.model ?? 'm'
  const family = over.family ?? findFamily({ families: [] }, model)
  return {
    base_url: baseUrl,
    api_key: '',
    model: 'm',
    cumulative: false,
    fields: [],
    family,
    promptTraits: findPromptTraits(dialect, model, family),
    ...over,
    timeouts: { ...TIMEOUTS, ...timeouts },
  }
}

export function createRequest(content: string): ChatRequest {
  return { messages: [{ role: 'user', content }], max_tokens: 1000 }
}

export type CollectedStream = { parts: StreamPart[]; text: string; error: unknown }

/** Collects a stream to its end, normal or not. Deltas are joined, a `replace` starts anew. */
export async function collectStream(stream: (onPart: OnPart) => Promise<void>): Promise<CollectedStream> {
  const collected: CollectedStream = { parts: [], text: '', error: null }
  const onPart: OnPart = (part) => {
    collected.parts.push(part)
    if (part.type === 'delta') collected.text += part.text
    if (part.type === 'replace') collected.text = part.text
  }
  try {
    await stream(onPart)
  } catch (error) {
    collected.error = error
  }
  return collected
}

export function callProvider(
  target: ProviderTarget,
  input: string | ChatRequest = '你好',
  signal = new AbortController().signal,
  stream = PROVIDERS.openai,
): Promise<CollectedStream> {
  const asked = typeof input === 'string' ? createRequest(input) : input
  const { request } = fitPrompt(asked, target.promptTraits)
  return collectStream((onPart) => stream(target, request, signal, onPart))
}

/** Returns the code of an upstream error; any other error itself, so that a failing test shows it. */
export function getErrorCode(error: unknown): unknown {
  return error instanceof UpstreamError ? error.code : error
}
