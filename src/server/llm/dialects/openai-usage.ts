import type { ChatPart } from '../chat.ts'

/** No context window comes near it; what is beyond is an error of the upstream. */
const MAX_TOKENS = 100_000_000

export type Json = Record<string, unknown>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function field(from: unknown, name: string): unknown {
  return isJson(from) ? from[name] : undefined
}

/**
 * A `usage` object as a part: OpenAI's fields, and where cached tokens stand with DeepSeek (`prompt_cache_hit_tokens`)
 * and Moonshot (`cached_tokens`). What cannot be true is flagged, never corrected. Null where there is none.
 */
export function readUsage(raw: unknown): ChatPart | null {
  if (!isJson(raw)) return null
  const usage = {
    input: raw['prompt_tokens'],
    output: raw['completion_tokens'],
    cached:
      field(raw['prompt_tokens_details'], 'cached_tokens') ??
      raw['prompt_cache_hit_tokens'] ??
      raw['cached_tokens'] ??
      0,
    reasoning: field(raw['completion_tokens_details'], 'reasoning_tokens') ?? 0,
  }
  const { input, output, cached, reasoning } = usage
  if (
    isTokens(input) &&
    isTokens(output) &&
    isTokens(cached) &&
    isTokens(reasoning) &&
    cached <= input &&
    reasoning <= output &&
    input > 0 &&
    output > 0
  )
    return { type: 'usage', usage: { input, output, cached, reasoning } }
  return { type: 'usage_flagged', detail: JSON.stringify(usage).slice(0, 200) }
}

function isTokens(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS
}
