/**
 * Prices of tokens, micro-coins per million. Absent where a platform has no separate price: sound and pictures then cost the same
 * as text, and a cache write for an hour 8/5 of one for five minutes.
 */
export type TokenRates = {
  input: bigint
  output: bigint
  cached_input: bigint
  cache_write: bigint
  cache_write_1h?: bigint
  reasoning: bigint
  audio_input?: bigint
  audio_output?: bigint
  image_input?: bigint
  image_output?: bigint
}

/** Rates for input of more than `above` tokens. */
export type PriceTier = { above: number } & TokenRates

/** The price of a picture of this size and quality, micro-coins; an absent one matches all. */
export type PicturePrice = { size?: string; quality?: string; price: bigint }

/**
 * The prices that a bill is made from, kept with it as a snapshot. `per_call` and `search` (one web search by the platform) in
 * micro-coins; `discount` in ten-thousandths (10,000 is the full price), not yet applied to the others.
 */
export type Prices = TokenRates & {
  per_call: bigint
  search?: bigint
  pictures?: PicturePrice[]
  /** In ascending order. The highest tier that the input reaches prices the whole call, unless `tiering` says otherwise. */
  tiers?: PriceTier[]
  /** Each token is priced by the tier in which it lies; the output by the highest one that the input reaches. */
  tiering?: 'parts'
  discount: bigint
}

/** Prices as they are stored: amounts are text, since JSON has no 64-bit integers. */
export type StoredPrices = { [name: string]: string | number | StoredPrices[] }

/** Names of the fields that are no amounts. */
const NO_AMOUNTS = new Set(['above', 'size', 'quality', 'tiering'])

/** Every run of an offer has the same prices, so they are serialized once. */
const serialized = new WeakMap<Prices, StoredPrices>()

/** Serializes prices for a column of JSON. The result must not be changed. */
export function serializePrices(prices: Prices): StoredPrices {
  const storedPrices = serialized.get(prices) ?? serializeAmounts(prices)
  serialized.set(prices, storedPrices)
  return storedPrices
}

function serializeAmounts(prices: object): StoredPrices {
  const result: StoredPrices = {}
  for (const [name, value] of Object.entries(prices) as [string, bigint | number | string | object[]][]) {
    if (typeof value === 'bigint') result[name] = value.toString()
    else result[name] = Array.isArray(value) ? value.map(serializeAmounts) : value
  }
  return result
}

/** Reverses serializePrices. Throws where an amount cannot be read. */
export const parsePrices = (storedPrices: StoredPrices): Prices => parseAmounts(storedPrices) as Prices

const parseAmounts = (storedPrices: StoredPrices): object =>
  Object.fromEntries(
    Object.entries(storedPrices).map(([name, value]) => {
      if (Array.isArray(value)) return [name, value.map(parseAmounts)]
      return [name, NO_AMOUNTS.has(name) ? value : BigInt(value)]
    }),
  )
