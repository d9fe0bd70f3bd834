import type { ModelOffer } from '#contract/models.ts'
import { mapRates } from '#contract/price-units.ts'
import { toExactCoins, toExactYuan } from '#server/core/coins.ts'
import { calculateCost, findTier } from '#server/ledger/ledger.ts'
import { toPrices } from '#server/llm/llm.ts'
import type { ModelEntry, OfferEntry, PlatformEntry } from '#server/llm/llm.ts'

/** Tokens of one call, or the units that the model is priced by instead; `times`: how often the price of a call is paid. */
export type PricedUsage = { input: number; output: number; times: number }

/**
 * Calculates the cost of a usage on each platform, the cheapest first, by the same arithmetic as a bill. `total` is the bill;
 * `input` and `output` are its parts alone, so rounding may set them a micro-coin apart from it.
 */
export function calculateCosts(model: ModelEntry, usage: PricedUsage, platforms: PlatformEntry[]) {
  const costs = model.offers.map((offer) => {
    const prices = toPrices(offer, model.discount)
    const reached = findTier(prices, usage.input)
    const inputPrices = { ...prices, per_call: 0n, pictures: [] }
    // The tier that the input reaches also sets the price of the output.
    const outputPrices = { ...inputPrices, ...reached, tiers: [] }
    const costOf = (input: number, output: number, usedPrices = prices) =>
      calculateCost({ input, output, cached: 0, cache_write: 0, reasoning: 0 }, usedPrices, usage)
    const total = costOf(usage.input, usage.output)
    return {
      platform: offer.platform,
      alias: platforms.find(({ name }) => name === offer.platform)?.alias ?? offer.platform,
      input: toExactCoins(costOf(usage.input, 0, inputPrices)),
      output: toExactCoins(costOf(0, usage.output, outputPrices)),
      total: toExactCoins(total),
      yuan: toExactYuan(total),
      tier: reached?.above ?? null,
    }
  })
  return costs.sort((a, b) => a.total - b.total)
}

type DisplayPrices = Omit<
  ModelOffer,
  'platform' | 'alias' | 'configured' | 'latency_ms' | 'throughput' | 'uptime'
>

/** The prices of an offer as people and programs see them: in coins, before discount. */
export function toDisplayPrices(offer: OfferEntry): DisplayPrices {
  const prices = toPrices(offer, 1)
  const { tiers, pictures } = prices
  return {
    ...mapRates(prices, toExactCoins),
    per_call: offer.per_call,
    ...(offer.search === undefined ? {} : { search: offer.search }),
    ...(pictures ? { pictures: pictures.map((one) => ({ ...one, price: toExactCoins(one.price) })) } : {}),
    ...(tiers
      ? {
          tiers: tiers.map((tier) => ({ above: tier.above, ...mapRates(tier, toExactCoins) })),
          tiering: offer.tiering ?? 'whole',
        }
      : {}),
  }
}
