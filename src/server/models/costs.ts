import { toExactCoins, toExactYuan } from '#server/core/coins.ts'
import { calculateCost } from '#server/ledger/ledger.ts'
import { toPrices } from '#server/llm/llm.ts'
import type { ModelEntry, PlatformEntry } from '#server/llm/llm.ts'

/** Tokens of one call, or what else the model is priced by; `times`: how often the price of a call is paid. */
export type PricedUsage = { input: number; output: number; times: number }

/**
 * What a usage costs on each platform, the cheapest first, by the same arithmetic as a bill. `total` is the bill;
 * `input` and `output` are its parts alone, so rounding may set them a micro-coin apart from it.
 */
export function calculateCosts(model: ModelEntry, usage: PricedUsage, platforms: PlatformEntry[]) {
  const costs = model.offers.map((offer) => {
    const prices = toPrices(offer, model.discount)
    const parts = { ...prices, per_call: 0n }
    const costOf = (input: number, output: number, used_prices = prices) =>
      calculateCost({ input, output, cached: 0, cache_write: 0, reasoning: 0 }, used_prices, usage)
    const total = costOf(usage.input, usage.output)
    return {
      platform: offer.platform,
      alias: platforms.find(({ name }) => name === offer.platform)?.alias ?? offer.platform,
      input: toExactCoins(costOf(usage.input, 0, parts)),
      output: toExactCoins(costOf(0, usage.output, parts)),
      total: toExactCoins(total),
      yuan: toExactYuan(total),
    }
  })
  return costs.sort((a, b) => a.total - b.total)
}
