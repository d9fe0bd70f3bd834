import type { StreamPart, Usage } from '../stream-part.ts'

/** No context window comes near it; more is an error of the upstream. */
const MAX_TOKENS = 100_000_000
/** No platform searches more often for one answer. */
const MAX_SEARCHES = 100

/** A usage as an upstream reported it, in our terms, not yet validated. */
export type ReportedUsage = {
  input: unknown
  output: unknown
  cached: unknown
  reasoning: unknown
  cache_write?: unknown
  cache_write_1h?: unknown
  audio?: { input: unknown; output: unknown }
  image?: { input: unknown; output: unknown }
  searches?: unknown
}

/** Converts a reported usage to a part. A usage that cannot be true is flagged, never corrected. */
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
    const usage: Usage = { input, output, cached, reasoning }
    if (cache_write) usage.cache_write = cache_write
    if (cache_write_1h) usage.cache_write_1h = cache_write_1h
    const audio = toParts(reported.audio, usage)
    if (audio) usage.audio = audio
    const image = toParts(reported.image, usage)
    if (image) usage.image = image
    const searches = reported.searches
    if (isTokenCount(searches) && searches > 0 && searches <= MAX_SEARCHES) usage.searches = searches
    return { type: 'usage', usage }
  }
  const isEmpty = !input && !output
  return {
    type: 'usage_flagged',
    detail: JSON.stringify(reported).slice(0, 200),
    ...(isEmpty ? { is_empty: isEmpty } : {}),
  }
}

/** Tokens of one kind; undefined where there are none. A count that cannot be a part of the whole is left with the text. */
function toParts(reported: ReportedUsage['audio'], { input, output }: Usage): Usage['audio'] {
  const toPart = (count: unknown, whole: number): number =>
    isTokenCount(count) && count <= whole ? count : 0
  const parts = { input: toPart(reported?.input, input), output: toPart(reported?.output, output) }
  return parts.input || parts.output ? parts : undefined
}

/** Sums counts that were reported separately; returns their list, which is no count, when one of them cannot be true. */
export function sumTokens(...counts: unknown[]): unknown {
  return counts.every(isTokenCount) ? counts.reduce((sum, count) => sum + count, 0) : counts
}

function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS
}
