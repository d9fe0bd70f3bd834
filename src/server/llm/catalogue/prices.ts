import { mapRates } from '#contract/price-units.ts'
import { MICRO_PER_COIN, toMicroCoins } from '#server/core/coins.ts'
import type { Prices, TokenRates } from '#server/core/prices.ts'
import type { OfferEntry } from './schema.ts'

type RateEntry = Pick<OfferEntry, keyof TokenRates>

/** The prices of an offer, micro-coins, with the absent ones filled in. */
export function toPrices(offer: OfferEntry, discount: number): Prices {
  const { tiers, tiering, search, pictures } = offer
  return {
    ...toRates(offer),
    per_call: toMicroCoins(offer.per_call),
    ...(search ? { search: toMicroCoins(search) } : {}),
    ...(pictures ? { pictures: pictures.map((one) => ({ ...one, price: toMicroCoins(one.price) })) } : {}),
    ...(tiers
      ? { tiers: tiers.map((tier) => ({ above: tier.above, ...toRates(fillTier(offer, tier)) })) }
      : {}),
    ...(tiers && tiering === 'parts' ? { tiering } : {}),
    discount: BigInt(Math.round(discount * 10_000)),
  }
}

/** The prices of a tier; those that it leaves out are as before the first tier. */
export function fillTier(offer: OfferEntry, tier: NonNullable<OfferEntry['tiers']>[number]): RateEntry {
  const { above: _, ...rates } = tier
  return { ...offer, ...rates }
}

function toRates(entry: RateEntry): TokenRates {
  const { input, output, cached_input = input, cache_write = input, reasoning = output } = entry
  return mapRates({ ...entry, cached_input, cache_write, reasoning }, toMicroCoins)
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
