import type { ModelCard, ModelOffer, PriceRates } from '#contract/models.ts'
import { formatCoins } from '#web/core/format.ts'
import { formatTokenWindow } from '#web/core/numberFormat.ts'
import { modelsText } from '#web/text/models.ts'
import { findCheapestOffer } from './offers.ts'

const text = modelsText.notes

/** Returns the charges of an offer that the table has no column for, one per line. `offer` has the discount applied. */
export function listPriceNotes(offer: ModelOffer): string[] {
  const { tiers = [], tiering, search, pictures = [] } = offer
  return [
    ...tiers.map((tier) => {
      const describe = tiering === 'parts' ? text.partAbove : text.wholeAbove
      return describe(formatTokenWindow(tier.above), formatTierRates(tier))
    }),
    ...listRareRates(offer).map(([label, rate]) => text.rate(label, formatCoins(rate))),
    ...(search ? [text.search(formatCoins(search))] : []),
    ...pictures.map(({ size, quality, price }) =>
      text.picture([size, quality].filter(Boolean).join(' · ') || text.anyPicture, formatCoins(price)),
    ),
  ]
}

/** Lists cached input only if it has a price of its own. */
const formatTierRates = ({ input, output, cached_input }: PriceRates): string =>
  [
    text.rate(modelsText.input, formatCoins(input)),
    text.rate(modelsText.output, formatCoins(output)),
    ...(cached_input === input ? [] : [text.rate(modelsText.cached, formatCoins(cached_input))]),
  ].join(text.comma)

const listRareRates = (rates: PriceRates): [label: string, rate: number][] => {
  const { cache_write_1h, audio_input, audio_output, image_input, image_output } = rates
  const all: [string, number | undefined][] = [
    [text.hourCache, cache_write_1h],
    [text.audioInput, audio_input],
    [text.audioOutput, audio_output],
    [text.imageInput, image_input],
    [text.imageOutput, image_output],
  ]
  return all.flatMap(([label, rate]) => (rate === undefined ? [] : [[label, rate]]))
}

/** Formats the price of long inputs for a list, with the number of tokens from which it applies. Null if there is none. */
export function formatTierNote(card: ModelCard): { input: string; output: string } | null {
  const tier = findCheapestOffer(card)?.tiers?.[0]
  if (!tier) return null
  const above = formatTokenWindow(tier.above)
  return {
    input: text.above(above, formatCoins(tier.input)),
    output: text.above(above, formatCoins(tier.output)),
  }
}
