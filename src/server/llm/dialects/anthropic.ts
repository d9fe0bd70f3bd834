import type { ChatRequest, Take } from '../chat.ts'
import { anthropicBody } from './anthropic-body.ts'
import { hearAnthropic } from './anthropic-hear.ts'
import { streamAnswer } from './answer.ts'
import type { Target } from './answer.ts'

/**
 * Streams a message of an Anthropic-compatible server. `base_url` is what the platform's documents name: with a version
 * at its end (`https://api.anthropic.com/v1`) `/messages` follows, without one (`https://api.deepseek.com/anthropic`)
 * `/v1/messages`, as Anthropic's own clients do. As streamAnswer.
 */
export function streamAnthropic(
  target: Target,
  request: ChatRequest,
  signal: AbortSignal,
  take: Take,
): Promise<void> {
  const { base_url, api_key, model } = target
  const call = {
    url: `${base_url}${/\/v\d+$/.test(base_url) ? '' : '/v1'}/messages`,
    headers: { 'anthropic-version': '2023-06-01', ...(api_key ? { 'x-api-key': api_key } : {}) },
    body: anthropicBody(model, request),
    hear: hearAnthropic(),
  }
  return streamAnswer(call, target, signal, take)
}
