/**
 * What tokens cost, in micro-coins per million. What a platform does not price apart is absent: sound and pictures then cost
 * what text does, and a cache that stays for an hour 8/5 of one for five minutes.
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

/** Rates from one token more of input than `above`. */
export type PriceTier = { above: number } & TokenRates

/** What a picture of this size and quality costs, micro-coins; any where absent. */
export type PicturePrice = { size?: string; quality?: string; price: bigint }

/**
 * What a bill is made from, kept with it as a snapshot. `per_call` and `search` (one search of the web by the platform) in
 * micro-coins; `discount` in ten-thousandths (10,000 is the full price), not yet applied to the others.
 */
export type Prices = TokenRates & {
  per_call: bigint
  search?: bigint
  pictures?: PicturePrice[]
  /** In ascending order. The whole call is priced by the one that its input reaches, unless `tiering` says otherwise. */
  tiers?: PriceTier[]
  /** Each token is priced by the tier in which it lies; the output by the last one that the input reaches. */
  tiering?: 'parts'
  discount: bigint
}

/** Prices as they are stored: whole numbers are text, since JSON has no 64-bit ones. */
export type StoredPrices = { [name: string]: string | number | StoredPrices[] }

/** Which of them are no micro-coins. */
const NO_AMOUNTS = new Set(['above', 'size', 'quality', 'tiering'])

/** Every run of an offer has the same prices: they are written as text once. */
const serialized = new WeakMap<Prices, StoredPrices>()

/** Prices, for a column of JSON. Not to be changed. */
export function serializePrices(prices: Prices): StoredPrices {
  const known = serialized.get(prices) ?? serializeAmounts(prices)
  serialized.set(prices, known)
  return known
}

function serializeAmounts(prices: object): StoredPrices {
  const stored: StoredPrices = {}
  for (const [name, value] of Object.entries(prices) as [string, bigint | number | string | object[]][]) {
    if (typeof value === 'bigint') stored[name] = value.toString()
    else stored[name] = Array.isArray(value) ? value.map(serializeAmounts) : value
  }
  return stored
}

/** The reverse. Throws where an amount cannot be read. */
export const parsePrices = (stored: StoredPrices): Prices => parseAmounts(stored) as Prices

const parseAmounts = (stored: StoredPrices): object =>
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => {
      if (Array.isArray(value)) return [name, value.map(parseAmounts)]
      return [name, NO_AMOUNTS.has(name) ? value : BigInt(value)]
    }),
  )
