import type { ChatRequest, OnPart } from '../../chat.ts'
import { streamProviderRequest } from '../stream-request.ts'
import type { ProviderTarget } from '../stream-request.ts'
import { buildGeminiBody } from './request.ts'
import { parseGeminiStream } from './stream.ts'

/**
 * Streams the content that a Gemini generates: `base_url` stands before `/models/`, as
 * `https://generativelanguage.googleapis.com/v1beta`. As streamAnswer.
 */
export function streamGemini(
  target: ProviderTarget,
  request: ChatRequest,
  signal: AbortSignal,
  onPart: OnPart,
): Promise<void> {
  const { base_url, api_key, model } = target
  const headers: Record<string, string> = api_key ? { 'x-goog-api-key': api_key } : {}
  const call = {
    url: `${base_url}/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    headers,
    body: buildGeminiBody(model, request),
    parser: parseGeminiStream(),
  }
  return streamProviderRequest(call, target, signal, onPart)
}
