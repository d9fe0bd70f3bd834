import type { PriceUnit } from '#contract/price-units.ts'
import { MOST_TOKENS } from './amounts.ts'

/** How an amount of each unit is asked for: what stands there first, and how many units one of what is typed has. */
export const counts: Record<PriceUnit, { start: string; presets: string[]; units: number; most: number }> = {
  token: { start: '2k', presets: ['1k', '10k', '100k', '1M'], units: 1, most: MOST_TOKENS },
  character: { start: '1k', presets: ['500', '1k', '10k', '100k'], units: 1, most: MOST_TOKENS },
  // Minutes.
  millisecond: { start: '10', presets: ['1', '10', '60'], units: 60_000, most: 10_000 },
  picture: { start: '1', presets: ['1', '4', '10'], units: 1, most: 1_000_000 },
}
