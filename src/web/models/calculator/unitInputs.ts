import type { PriceUnit } from '#contract/price-units.ts'
import { MAX_TOKENS } from './amounts.ts'

/** The field for an amount of each unit: initial value, presets, and units in one entered amount. */
export const unitInputs: Record<
  PriceUnit,
  { initial: string; presets: string[]; unitsPerEntry: number; max: number }
> = {
  token: { initial: '2k', presets: ['1k', '10k', '100k', '1M'], unitsPerEntry: 1, max: MAX_TOKENS },
  character: { initial: '1k', presets: ['500', '1k', '10k', '100k'], unitsPerEntry: 1, max: MAX_TOKENS },
  // Entered in minutes.
  millisecond: { initial: '10', presets: ['1', '10', '60'], unitsPerEntry: 60_000, max: 10_000 },
  picture: { initial: '1', presets: ['1', '4', '10'], unitsPerEntry: 1, max: 1_000_000 },
}
