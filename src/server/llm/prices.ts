import { MICRO_PER_COIN, microFromCoins } from '../core/coins.ts'
import type { Prices } from '../core/coins.ts'
import type { OfferEntry } from './catalogue-schema.ts'

/** What an offer asks, with the absent prices filled in. */
export function pricesOf(offer: OfferEntry, discount: number): Prices {
  return {
    input: microFromCoins(offer.input),
    output: microFromCoins(offer.output),
    cached_input: microFromCoins(offer.cached_input ?? offer.input),
    cache_write: microFromCoins(offer.cache_write ?? offer.input),
    reasoning: microFromCoins(offer.reasoning ?? offer.output),
    per_call: microFromCoins(offer.per_call),
    discount: BigInt(Math.round(discount * 10_000)),
  }
}

/** A price in coins after discount, to be shown; bills use the exact integers. */
export function shownPrice(price: bigint, discount: bigint): number {
  return Number(price * discount) / (10_000 * MICRO_PER_COIN)
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
