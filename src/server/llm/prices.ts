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
