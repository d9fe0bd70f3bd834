import { getPriceUnit, type PriceUnit } from '#contract/price-units.ts'
import type { ModelCard } from '#contract/models.ts'
import { formatCoins } from '#web/core/format.ts'
import { modelsText } from '#web/text/models.ts'

/** How many units of a price people think in, where it is not the million: 10,000 characters, an hour of sound. */
const DISPLAY_UNITS: Partial<Record<PriceUnit, number>> = { character: 10_000, millisecond: 3_600_000 }

/** A price for a million units, in coins for as many as people think in. */
export const toDisplayPrice = (unit: PriceUnit, input: number): number =>
  (input * (DISPLAY_UNITS[unit] ?? 1_000_000)) / 1_000_000

/** The price of a model's input as text, with what it is for unless that is a million tokens. */
export function formatInputPrice(unit: PriceUnit, input: number): string {
  const amount = formatCoins(toDisplayPrice(unit, input))
  return unit === 'token' ? amount : modelsText.per(amount, modelsText.units[unit])
}

/** The order of units in a list by price, where an hour cannot be compared with a token. */
const UNIT_ORDER: readonly PriceUnit[] = ['token', 'character', 'millisecond', 'picture']
export const getUnitRank = (card: ModelCard): number => UNIT_ORDER.indexOf(getPriceUnit(card))
