import type { Prices } from '#server/core/coins.ts'

/**
 * What is counted of an operation beside tokens: `units` are characters or milliseconds, priced as input; `per_call` is paid
 * `times`. A chat has none of the first, and is one of the second.
 */
export type Units = { units?: number; times?: number }

/**
 * Tokens of one run. `cached` and `cache_write` are parts of `input`, `reasoning` is part of `output`, `cache_write_1h` (what
 * was written for an hour) of `cache_write`.
 */
export type Tokens = {
  input: number
  output: number
  cached: number
  cache_write: number
  cache_write_1h?: number
  reasoning: number
}

/** Tokens of a run that writes none. */
export const toInputTokens = (input: number): Tokens => ({
  input,
  output: 0,
  cached: 0,
  cache_write: 0,
  reasoning: 0,
})

export const FREE_PRICES: Prices = {
  input: 0n,
  output: 0n,
  cached_input: 0n,
  cache_write: 0n,
  reasoning: 0n,
  per_call: 0n,
  discount: 10_000n,
}

/** A cache that stays for an hour costs 2 times the input, one for five minutes 1.25 times: 8 to 5. */
const HOUR_EXTRA = { of: 3n, per: 5n }
const MILLION = 1_000_000n
const FULL_DISCOUNT = 10_000n

/** Micro-coins of a sum in micro-coins × tokens / million, rounded up once, so that no priced call is free. */
function roundUpCharge(sum: bigint, prices: Prices, times = 1): bigint {
  const scaled = (sum + prices.per_call * BigInt(times) * MILLION) * prices.discount
  return (scaled + MILLION * FULL_DISCOUNT - 1n) / (MILLION * FULL_DISCOUNT)
}

/** Micro-coins that what was used in one call costs. */
export function calculateCost(tokens: Tokens, prices: Prices, { units = 0, times = 1 }: Units = {}): bigint {
  const cached = BigInt(tokens.cached)
  const cache_write = BigInt(tokens.cache_write)
  const reasoning = BigInt(tokens.reasoning)
  const sum =
    (BigInt(tokens.input) - cached - cache_write + BigInt(units)) * prices.input +
    cached * prices.cached_input +
    cache_write * prices.cache_write +
    (BigInt(tokens.cache_write_1h ?? 0) * prices.cache_write * HOUR_EXTRA.of) / HOUR_EXTRA.per +
    (BigInt(tokens.output) - reasoning) * prices.output +
    reasoning * prices.reasoning
  return roundUpCharge(sum, prices, times)
}

const maxPrice = (...prices: bigint[]): bigint => prices.reduce((a, b) => (a > b ? a : b))

/** The most that one call can cost: every token at the dearest price that could apply to it. */
export function calculateMaxCost(input: number, output: number, prices: Prices): bigint {
  const sum =
    BigInt(input) * maxPrice(prices.input, prices.cached_input, prices.cache_write) +
    BigInt(output) * maxPrice(prices.output, prices.reasoning)
  return roundUpCharge(sum, prices)
}

/** How many output tokens a budget (micro-coins) pays for after the input; at most `wanted`, 0 when it pays for none. */
export function calculateAffordableOutput(
  budget: bigint,
  input: number,
  max_output: number,
  prices: Prices,
): number {
  if (calculateMaxCost(input, max_output, prices) <= budget) return max_output
  const price = maxPrice(prices.output, prices.reasoning) * prices.discount
  const remaining = budget - calculateMaxCost(input, 0, prices)
  if (remaining <= 0n || price === 0n) return 0
  return Number((remaining * MILLION * FULL_DISCOUNT) / price)
}
