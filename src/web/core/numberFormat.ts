import { formatCoins } from './format.ts'
import { modelsText } from '#web/text/models.ts'

/** At most one decimal, without a trailing `.0`. */
const formatOneDecimal = (value: number): string => String(Math.round(value * 10) / 10)

/** A count shortened from 1000 on (specification section 9): `999`, `1.5k`, `2M`. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count)
  // 999,950 would round to 1000k.
  if (count < 999_950) return `${formatOneDecimal(count / 1000)}k`
  return `${formatOneDecimal(count / 1_000_000)}M`
}

/**
 * A window of tokens by the name that people know it by: 65,536 is `64K`, 128,000 `128K`, 1,048,576 `1M`. Round
 * thousands are read as thousands, the rest in steps of 1024 where it divides.
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
 * Coins or yuan where fractions of a hundredth matter, as with the cost of one call: two decimals from 1 on, up to four
 * below, and two digits of what is smaller still.
 */
export function formatFineAmount(amount: number): string {
  if (amount === 0 || amount >= 1) return formatCoins(amount)
  if (amount < 0.0001) return amount.toLocaleString('zh-CN', { maximumSignificantDigits: 2 })
  return amount.toLocaleString('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 4 })
}

/** A time as people say it: `0.8 秒`, `12.3 秒`, `1 分 5 秒`; a dash while unknown. */
export function formatSeconds(ms: number | null): string {
  if (ms === null) return modelsText.unknown
  const tenths = Math.max(1, Math.round(ms / 100))
  if (tenths < 600) return modelsText.seconds(String(tenths / 10))
  const seconds = Math.round(ms / 1000)
  return modelsText.minutes(Math.floor(seconds / 60), seconds % 60)
}

/** A time as `formatSeconds` says it, with hundredths below 10 s: a tenth does not tell two fast answers apart. */
export function formatFineSeconds(ms: number): string {
  const hundredths = Math.max(1, Math.round(ms / 10))
  return hundredths < 1000 ? modelsText.seconds((hundredths / 100).toFixed(2)) : formatSeconds(ms)
}

/** Tokens a second; a dash while unknown. */
export const formatThroughput = (rate: number | null): string =>
  rate === null ? modelsText.unknown : modelsText.perSecond(rate < 100 ? rate.toFixed(1) : rate.toFixed(0))

/** A share of 1 as `99.9%`; a dash while unknown. Rounded down: 100% means not one failure. */
export const formatPercent = (share: number | null): string =>
  share === null ? modelsText.unknown : `${Math.floor(share * 1000) / 10}%`
