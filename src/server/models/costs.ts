import { exactCoins } from '../core/coins.ts'
import { cost } from '../ledger/prices.ts'
import type { ModelEntry, PlatformEntry } from '../llm/catalogue-schema.ts'
import { pricesOf } from '../llm/prices.ts'

/** Tokens of one call, or what else the model is priced by; `times`: how often the price of a call is paid. */
export type Usage = { input: number; output: number; times: number }

/**
 * What a usage costs on each platform, the cheapest first, by the same arithmetic as a bill. `total` is the bill;
 * `input` and `output` are its parts alone, so rounding may set them a micro-coin apart from it.
 */
export function costsOf(model: ModelEntry, usage: Usage, platforms: PlatformEntry[]) {
  const costs = model.offers.map((offer) => {
    const prices = pricesOf(offer, model.discount)
    const parts = { ...prices, per_call: 0n }
    const of = (input: number, output: number, which = prices) =>
      exactCoins(cost({ input, output, cached: 0, cache_write: 0, reasoning: 0 }, which, usage))
    const total = of(usage.input, usage.output)
    return {
      platform: offer.platform,
      alias: platforms.find(({ name }) => name === offer.platform)?.alias ?? offer.platform,
      input: of(usage.input, 0, parts),
      output: of(0, usage.output, parts),
      total,
      yuan: total / 100,
    }
  })
  return costs.sort((a, b) => a.total - b.total)
}
