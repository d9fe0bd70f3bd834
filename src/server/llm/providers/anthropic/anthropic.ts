import type { ChatRequest, OnPart } from '../../chat.ts'
import { buildAnthropicBody } from './request.ts'
import { parseAnthropicStream } from './stream.ts'
import { streamProviderRequest } from '../stream-request.ts'
import type { ProviderTarget } from '../stream-request.ts'

/**
 * Streams a message of an Anthropic-compatible server. `base_url` is what the platform's documents name: with a version
 * at its end (`https://api.anthropic.com/v1`) `/messages` follows, without one (`https://api.deepseek.com/anthropic`)
 * `/v1/messages`, as Anthropic's own clients do. As streamAnswer.
 */
export function streamAnthropic(
  target: ProviderTarget,
  request: ChatRequest,
  signal: AbortSignal,
  onPart: OnPart,
): Promise<void> {
  const { base_url, api_key, model } = target
  const call = {
    url: `${base_url}${/\/v\d+$/.test(base_url) ? '' : '/v1'}/messages`,
    headers: { 'anthropic-version': '2023-06-01', ...(api_key ? { 'x-api-key': api_key } : {}) },
    body: buildAnthropicBody(model, request),
    parser: parseAnthropicStream(),
  }
  return streamProviderRequest(call, target, signal, onPart)
}
