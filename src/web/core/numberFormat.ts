import { formatCoins } from './format.ts'
import { modelsText } from '#web/text/models.ts'

/** Formats with at most one decimal, without a trailing `.0`. */
const formatOneDecimal = (value: number): string => String(Math.round(value * 10) / 10)

/** Shortens a count from 1000 on (specification section 9): `999`, `1.5k`, `2M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count)
  // Above this, rounding would give 1000k.
  if (count < 999_950) return `${formatOneDecimal(count / 1000)}k`
  return `${formatOneDecimal(count / 1_000_000)}M`
}

/**
 * Formats a context window, tokens, by its common name: 65,536 is `64K`, 128,000 `128K`, 1,048,576 `1M`. Multiples of 1000 are
 * counted in thousands, other multiples of 1024 in steps of 1024.
 */
export function formatTokenWindow(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  const step = tokens % 1000 !== 0 && tokens % 1024 === 0 ? 1024 : 1000
  const thousands = tokens / step
  return thousands >= step ? `${formatOneDecimal(thousands / step)}M` : `${formatOneDecimal(thousands)}K`
}

/** Specification section 9: 0 is 免费, 1 is 原价, otherwise the value × 10 followed by 折. */
export function formatDiscount(discount: number): string {
  if (discount === 0) return modelsText.free
  if (discount === 1) return modelsText.fullPrice
  return modelsText.discount(String(Math.round(discount * 100_000) / 10_000))
}

/**
 * Formats coins or yuan where small fractions matter, as in the cost of one call: two decimals from 1 on, up to four below, and
 * two significant digits below 0.0001.
 */
export function formatFineAmount(amount: number): string {
  if (amount === 0 || amount >= 1) return formatCoins(amount)
  if (amount < 0.0001) return amount.toLocaleString('zh-CN', { maximumSignificantDigits: 2 })
  return amount.toLocaleString('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 4 })
}

/** Formats a duration in words: `0.8 秒`, `12.3 秒`, `1 分 5 秒`; a dash while unknown. */
export function formatSeconds(ms: number | null): string {
  if (ms === null) return modelsText.unknown
  const tenths = Math.max(1, Math.round(ms / 100))
  if (tenths < 600) return modelsText.seconds(String(tenths / 10))
  const seconds = Math.round(ms / 1000)
  return modelsText.minutes(Math.floor(seconds / 60), seconds % 60)
}

/** Formats like `formatSeconds`, but with hundredths below 10 s, since tenths do not distinguish two fast answers. */
export function formatFineSeconds(ms: number): string {
  const hundredths = Math.max(1, Math.round(ms / 10))
  return hundredths < 1000 ? modelsText.seconds((hundredths / 100).toFixed(2)) : formatSeconds(ms)
}

/** Formats tokens per second; a dash while unknown. */
export const formatThroughput = (rate: number | null): string =>
  rate === null ? modelsText.unknown : modelsText.perSecond(rate < 100 ? rate.toFixed(1) : rate.toFixed(0))

/** Formats a share of 1 as `99.9%`; a dash while unknown. Rounds down, so that 100% means not one failure. */
export const formatPercent = (share: number | null): string =>
  share === null ? modelsText.unknown : `${Math.floor(share * 1000) / 10}%`
