import type { ChatRequest, Take } from '../chat.ts'
import { streamAnswer } from './answer.ts'
import type { Target } from './answer.ts'
import { geminiBody } from './gemini-body.ts'
import { hearGemini } from './gemini-hear.ts'

/**
 * Streams the content that a Gemini generates: `base_url` stands before `/models/`, as
 * `https://generativelanguage.googleapis.com/v1beta`. As streamAnswer.
 */
export function streamGemini(
  target: Target,
  request: ChatRequest,
  signal: AbortSignal,
  take: Take,
): Promise<void> {
  const { base_url, api_key, model } = target
  const headers: Record<string, string> = api_key ? { 'x-goog-api-key': api_key } : {}
  const call = {
    url: `${base_url}/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    headers,
    body: geminiBody(model, request),
    hear: hearGemini(),
  }
  return streamAnswer(call, target, signal, take)
}
