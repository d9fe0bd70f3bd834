import type { ModelCard, PriceRates } from './models.ts'

/**
 * Units of price by type of model: `input` of an offer is for a million of them. A picture is paid by the call. This file has no
 * schema, so that the browser can read it.
 */
const priceUnits = {
  chat: 'token',
  embedding: 'token',
  rerank: 'token',
  image: 'picture',
  tts: 'character',
  asr: 'millisecond',
} as const satisfies Record<ModelCard['type'], string>

/** Kinds of tokens that may have a price. A kind without a price of its own is absent. */
export const rateNames = [
  'input',
  'output',
  'cached_input',
  'cache_write',
  'cache_write_1h',
  'reasoning',
  'audio_input',
  'audio_output',
  'image_input',
  'image_output',
] as const satisfies (keyof PriceRates)[]

type Rates<Rate> = { [Name in keyof PriceRates]: Rate }

/** Maps each rate by itself. Absent rates stay absent. */
export function mapRates<From, To>(rates: Rates<From>, toRate: (rate: From) => To): Rates<To> {
  const entries = rateNames.flatMap((name) => {
    const rate = rates[name]
    return rate === undefined ? [] : [[name, toRate(rate)]]
  })
  return Object.fromEntries(entries) as Rates<To>
}

/** Returns the unit of a model's price: some platforms bill pictures by their tokens. */
export const getPriceUnit = ({
  type,
  offers,
}: {
  type: ModelCard['type']
  offers: readonly { output: number }[]
}): PriceUnit => (type === 'image' && offers.some(({ output }) => output > 0) ? 'token' : priceUnits[type])

export type PriceUnit = (typeof priceUnits)[keyof typeof priceUnits]
