import type { OfferEntry } from './catalogue-schema.ts'

/** 1 coin = 1,000,000 micro-coins; 100 coins = 1 yuan. */
export const MICRO = 1_000_000

/**
 * Exact inputs of a bill. Micro-coins per million tokens, `per_call` micro-coins; `discount` in ten-thousandths
 * (10,000n: none), not yet applied to the others.
 */
export type Prices = {
  input: bigint
  output: bigint
  cached_input: bigint
  cache_write: bigint
  reasoning: bigint
  per_call: bigint
  discount: bigint
}

/** Coins with at most six decimals → micro-coins, exactly. */
export function microCoins(coins: number): bigint {
  return BigInt(Math.round(coins * MICRO))
}

/** What an offer asks, with the absent prices filled in. */
export function pricesOf(offer: OfferEntry, discount: number): Prices {
  return {
    input: microCoins(offer.input),
    output: microCoins(offer.output),
    cached_input: microCoins(offer.cached_input ?? offer.input),
    cache_write: microCoins(offer.cache_write ?? offer.input),
    reasoning: microCoins(offer.reasoning ?? offer.output),
    per_call: microCoins(offer.per_call),
    discount: BigInt(Math.round(discount * 10_000)),
  }
}

/** A price in coins after discount, to be shown; bills use the exact integers. */
export function shownPrice(price: bigint, discount: bigint): number {
  return Number(price * discount) / (10_000 * MICRO)
}

/** Tokens of an ordinary call: three of input for one of output, a thousand in all. */
const CALL = { input: 3n, output: 1n, per_million: 1_000n }

/**
 * One figure to compare offers by: coins per million tokens after discount, three parts input to one part output, with
 * the price of the calls that a million tokens take. For ordering and showing; bills use the exact integers.
 */
export function blendedPrice({ input, output, per_call, discount }: Prices): number {
  const parts = CALL.input + CALL.output
  const blended = CALL.input * input + CALL.output * output + parts * CALL.per_million * per_call
  return shownPrice(blended, discount) / Number(parts)
}
