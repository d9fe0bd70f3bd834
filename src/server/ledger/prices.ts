import type { Prices } from '../core/coins.ts'

/** Tokens of one run. `cached` and `cache_write` are parts of `input`, `reasoning` is part of `output`. */
export type Tokens = { input: number; output: number; cached: number; cache_write: number; reasoning: number }

export const FREE: Prices = {
  input: 0n,
  output: 0n,
  cached_input: 0n,
  cache_write: 0n,
  reasoning: 0n,
  per_call: 0n,
  discount: 10_000n,
}

const MILLION = 1_000_000n
const FULL = 10_000n

/** Micro-coins of a sum in micro-coins × tokens / million, rounded up once, so that no priced call is free. */
function charged(sum: bigint, prices: Prices): bigint {
  const whole = (sum + prices.per_call * MILLION) * prices.discount
  return (whole + MILLION * FULL - 1n) / (MILLION * FULL)
}

/** Micro-coins that the tokens of one call cost. */
export function cost(tokens: Tokens, prices: Prices): bigint {
  const cached = BigInt(tokens.cached)
  const written = BigInt(tokens.cache_write)
  const reasoning = BigInt(tokens.reasoning)
  const sum =
    (BigInt(tokens.input) - cached - written) * prices.input +
    cached * prices.cached_input +
    written * prices.cache_write +
    (BigInt(tokens.output) - reasoning) * prices.output +
    reasoning * prices.reasoning
  return charged(sum, prices)
}

const dearest = (...prices: bigint[]): bigint => prices.reduce((a, b) => (a > b ? a : b))

/** The most that one call can cost: every token at the dearest price that could apply to it. */
export function costBound(input: number, output: number, prices: Prices): bigint {
  const sum =
    BigInt(input) * dearest(prices.input, prices.cached_input, prices.cache_write) +
    BigInt(output) * dearest(prices.output, prices.reasoning)
  return charged(sum, prices)
}

/** How many output tokens a budget (micro-coins) pays for after the input; at most `wanted`, 0 when it pays for none. */
export function affordableOutput(budget: bigint, input: number, wanted: number, prices: Prices): number {
  if (costBound(input, wanted, prices) <= budget) return wanted
  const price = dearest(prices.output, prices.reasoning) * prices.discount
  const left = budget - costBound(input, 0, prices)
  if (left <= 0n || price === 0n) return 0
  return Number((left * MILLION * FULL) / price)
}
