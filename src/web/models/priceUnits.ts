import { getPriceUnit, type PriceUnit } from '#contract/price-units.ts'
import type { ModelCard } from '#contract/models.ts'
import { formatCoins } from '#web/core/format.ts'
import { modelsText } from '#web/text/models.ts'

/** Units in the customary price where that is not per million: 10,000 characters, an hour of sound. */
const DISPLAY_UNITS: Partial<Record<PriceUnit, number>> = { character: 10_000, millisecond: 3_600_000 }

/** Converts a price for a million units into one for the customary number of units, coins. */
export const toDisplayPrice = (unit: PriceUnit, input: number): number =>
  (input * (DISPLAY_UNITS[unit] ?? 1_000_000)) / 1_000_000

/** Formats the price of a model's input, with its unit unless that is a million tokens. */
export function formatInputPrice(unit: PriceUnit, input: number): string {
  const amount = formatCoins(toDisplayPrice(unit, input))
  return unit === 'token' ? amount : modelsText.per(amount, modelsText.units[unit])
}

/** Order of units in a list sorted by price: an hour cannot be compared with a token. */
const UNIT_ORDER: readonly PriceUnit[] = ['token', 'character', 'millisecond', 'picture']
export const getUnitRank = (card: ModelCard): number => UNIT_ORDER.indexOf(getPriceUnit(card))
