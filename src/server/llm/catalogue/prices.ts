import { MICRO_PER_COIN, toMicroCoins } from '#server/core/coins.ts'
import type { Prices } from '#server/core/coins.ts'
import type { OfferEntry } from './schema.ts'

/** What an offer asks, with the absent prices filled in. */
export function toPrices(offer: OfferEntry, discount: number): Prices {
  return {
    input: toMicroCoins(offer.input),
    output: toMicroCoins(offer.output),
    cached_input: toMicroCoins(offer.cached_input ?? offer.input),
    cache_write: toMicroCoins(offer.cache_write ?? offer.input),
    reasoning: toMicroCoins(offer.reasoning ?? offer.output),
    per_call: toMicroCoins(offer.per_call),
    discount: BigInt(Math.round(discount * 10_000)),
  }
}

/** A price in coins after discount, to be shown; bills use the exact integers. */
export function toDisplayPrice(price: bigint, discount: bigint): number {
  return Number(price * discount) / (10_000 * MICRO_PER_COIN)
}

/** Tokens of an ordinary call: three of input for one of output, a thousand in all. */
const TYPICAL_CALL = { input: 3n, output: 1n, per_million: 1_000n }

/**
 * One figure to compare offers by: coins per million tokens after discount, three parts input to one part output, with
 * the price of the calls that a million tokens take. For ordering and showing; bills use the exact integers.
 */
export function getBlendedPrice({ input, output, per_call, discount }: Prices): number {
  const parts = TYPICAL_CALL.input + TYPICAL_CALL.output
  const blended =
    TYPICAL_CALL.input * input + TYPICAL_CALL.output * output + parts * TYPICAL_CALL.per_million * per_call
  return toDisplayPrice(blended, discount) / Number(parts)
}
