import type { ChatRequest, Take } from '../chat.ts'
import { streamAnswer } from './answer.ts'
import type { Target } from './answer.ts'
import { openaiBody } from './openai-body.ts'
import { hearOpenai } from './openai-hear.ts'

/** Streams a chat completion of an OpenAI-compatible server: `base_url` stands before `/chat/completions`. As streamAnswer. */
export function streamOpenai(
  target: Target,
  request: ChatRequest,
  signal: AbortSignal,
  take: Take,
): Promise<void> {
  const { base_url, api_key, model, cumulative } = target
  const headers: Record<string, string> = api_key ? { authorization: `Bearer ${api_key}` } : {}
  const call = {
    url: `${base_url}/chat/completions`,
    headers,
    body: openaiBody(model, request),
    hear: hearOpenai(cumulative),
  }
  return streamAnswer(call, target, signal, take)
}
