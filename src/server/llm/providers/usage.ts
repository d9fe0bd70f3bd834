import type { StreamPart } from '../stream-part.ts'

/** No context window comes near it; more is an error of the upstream. */
const MAX_TOKENS = 100_000_000

/** A usage as an upstream reported it, in our terms, not yet validated. */
export type ReportedUsage = {
  input: unknown
  output: unknown
  cached: unknown
  reasoning: unknown
  cache_write?: unknown
  cache_write_1h?: unknown
}

/** The usage part of what was reported. What cannot be true is flagged, never corrected. */
export function toUsagePart(reported: ReportedUsage): StreamPart {
  const { input, output, cached, reasoning, cache_write = 0, cache_write_1h = 0 } = reported
  if (
    isTokenCount(input) &&
    isTokenCount(output) &&
    isTokenCount(cached) &&
    isTokenCount(reasoning) &&
    isTokenCount(cache_write) &&
    isTokenCount(cache_write_1h) &&
    cached + cache_write <= input &&
    cache_write_1h <= cache_write &&
    reasoning <= output &&
    input > 0 &&
    output > 0
  ) {
    const usage = { input, output, cached, reasoning }
    if (!cache_write) return { type: 'usage', usage }
    return { type: 'usage', usage: { ...usage, cache_write, ...(cache_write_1h ? { cache_write_1h } : {}) } }
  }
  return { type: 'usage_flagged', detail: JSON.stringify(reported).slice(0, 200) }
}

/** The sum of counts that were reported separately; the list itself, which is no count, when one of them cannot be true. */
export function sumTokens(...counts: unknown[]): unknown {
  return counts.every(isTokenCount) ? counts.reduce((sum, count) => sum + count, 0) : counts
}

function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS
}
