import { priceUnits, type PriceUnit } from '#contract/price-units.ts'
import type { ModelCard } from '#contract/models.ts'
import { coins } from '../core/format.ts'
import { modelsText } from '../text/models.ts'

/** What a model is priced by. */
export const unitOf = ({ type }: Pick<ModelCard, 'type'>): PriceUnit => priceUnits[type]

/** How many units of a price people think in, where it is not the million: 10,000 characters, an hour of sound. */
const SHOWN: Partial<Record<PriceUnit, number>> = { character: 10_000, millisecond: 3_600_000 }

/** A price for a million units, in coins for as many as people think in. */
export const shownInput = (unit: PriceUnit, input: number): number =>
  (input * (SHOWN[unit] ?? 1_000_000)) / 1_000_000

/** The price of a model's input as text, with what it is for unless that is a million tokens. */
export function inputText(unit: PriceUnit, input: number): string {
  const amount = coins(shownInput(unit, input))
  return unit === 'token' ? amount : modelsText.per(amount, modelsText.units[unit])
}

/** The order of units in a list by price, where an hour cannot be compared with a token. */
const ORDER: readonly PriceUnit[] = ['token', 'character', 'millisecond', 'picture']
export const unitRank = (card: ModelCard): number => ORDER.indexOf(unitOf(card))
