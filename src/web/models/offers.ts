import type { ModelCard, ModelOffer } from '#contract/models.ts'
import { getPriceUnit, mapRates } from '#contract/price-units.ts'
import { formatCoins } from '#web/core/format.ts'
import { modelsText } from '#web/text/models.ts'
import { formatDiscount, formatTokenWindow } from '#web/core/numberFormat.ts'
import { formatInputPrice } from './priceUnits.ts'

/** Input weighs three times as much as output, as in an ordinary conversation. */
const blendPrice = ({ input, output, per_call }: ModelOffer): number => (3 * input + output) / 4 + per_call

const findMin = <T>(items: readonly T[], getValue: (item: T) => number): T | null =>
  items.reduce<T | null>(
    (best, item) => (best === null || getValue(item) < getValue(best) ? item : best),
    null,
  )

/** Applies the discount to an offer, coins. */
export function applyDiscount(offer: ModelOffer, discount: number): ModelOffer {
  const { per_call, search, tiers, pictures } = offer
  const lower = (price: number): number => price * discount
  return {
    ...offer,
    ...mapRates(offer, lower),
    per_call: lower(per_call),
    ...(search === undefined ? {} : { search: lower(search) }),
    ...(tiers ? { tiers: tiers.map((tier) => ({ ...tier, ...mapRates(tier, lower) })) } : {}),
    ...(pictures ? { pictures: pictures.map((one) => ({ ...one, price: lower(one.price) })) } : {}),
  }
}

/** Returns the offers that can be called, or all if none can. */
export function listReachedOffers({ offers }: ModelCard): ModelOffer[] {
  const reached = offers.filter(({ configured }) => configured)
  return reached.length ? reached : offers
}

/** Returns the cheapest offer that can be called (of all, if none can), with the discount applied. */
export function findCheapestOffer(card: ModelCard): ModelOffer | null {
  const lowest = findMin(listReachedOffers(card), blendPrice)
  return lowest && applyDiscount(lowest, card.discount)
}

/** Returns one number to sort by: coins per million tokens, blended. Infinite without an offer. */
export function getBlendedPrice(card: ModelCard): number {
  const lowest = findCheapestOffer(card)
  return lowest ? blendPrice(lowest) : Infinity
}

/** Returns the offer with the fastest recent output; null if none was measured. */
export const findFastestOffer = ({ offers }: ModelCard): ModelOffer | null =>
  findMin(
    offers.filter(({ throughput }) => throughput !== null),
    ({ throughput }) => -(throughput ?? 0),
  )

/** Formats a model's prices; null where a price does not apply to the model's type. */
export function formatPrices(card: ModelCard): { input: string | null; output: string | null } {
  const lowest = findCheapestOffer(card)
  if (!lowest) return { input: null, output: null }
  const { input, output, per_call } = lowest
  const writes = card.type === 'chat'
  if (!input && !output) {
    const each = getPriceUnit(card) === 'picture' ? modelsText.units.picture : modelsText.call
    const lowestPicture = Math.min(...(lowest.pictures ?? []).map(({ price }) => price))
    if (Number.isFinite(lowestPicture))
      return { input: modelsText.per(modelsText.from(formatCoins(lowestPicture)), each), output: null }
    const text = per_call ? modelsText.per(formatCoins(per_call), each) : modelsText.free
    return { input: text, output: writes && !per_call ? text : null }
  }
  return {
    input: formatInputPrice(getPriceUnit(card), input),
    output: output || writes ? formatCoins(output) : null,
  }
}

/** Formats the discount; null if there is none. */
export const formatDiscountBadge = ({ discount }: ModelCard): string | null =>
  discount === 1 ? null : formatDiscount(discount)

/** Formats context window and longest answer; null for types without them. */
export const formatLimits = ({ type, context_window, max_tokens }: ModelCard) => ({
  context: ['chat', 'embedding', 'rerank'].includes(type) ? formatTokenWindow(context_window) : null,
  maxOutput: type === 'chat' ? formatTokenWindow(max_tokens) : null,
})

export const formatCapability = (capability: string): string =>
  modelsText.capabilities[capability] ?? capability
