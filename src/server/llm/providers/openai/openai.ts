import type { ChatRequest, OnPart } from '../../chat.ts'
import { streamProviderRequest } from '../stream-request.ts'
import type { ProviderTarget } from '../stream-request.ts'
import { buildOpenaiBody } from './request.ts'
import { parseOpenaiStream } from './stream.ts'

/** Streams a chat completion of an OpenAI-compatible server: `base_url` stands before `/chat/completions`. As streamAnswer. */
export function streamOpenai(
  target: ProviderTarget,
  request: ChatRequest,
  signal: AbortSignal,
  onPart: OnPart,
): Promise<void> {
  const { base_url, api_key, model, cumulative } = target
  const headers: Record<string, string> = api_key ? { authorization: `Bearer ${api_key}` } : {}
  const call = {
    url: `${base_url}/chat/completions`,
    headers,
    body: buildOpenaiBody(model, request),
    parser: parseOpenaiStream(cumulative),
  }
  return streamProviderRequest(call, target, signal, onPart)
}
