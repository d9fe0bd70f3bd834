import type { ModelCard, ModelOffer } from '#contract/models.ts'
import { coins } from '../core/format.ts'
import { modelsText } from '../text/models.ts'
import { discountText, windowSize } from './figures.ts'
import { inputText, unitOf } from './units.ts'

/** Input weighs three times as much as output, as it does in an ordinary conversation. */
const blended = ({ input, output, per_call }: ModelOffer): number => (3 * input + output) / 4 + per_call

const smallest = <T>(items: readonly T[], by: (item: T) => number): T | null =>
  items.reduce<T | null>((best, item) => (best === null || by(item) < by(best) ? item : best), null)

/** An offer with the discount taken off, coins. */
export const discounted = (offer: ModelOffer, discount: number): ModelOffer => ({
  ...offer,
  input: offer.input * discount,
  output: offer.output * discount,
  cached_input: offer.cached_input * discount,
  cache_write: offer.cache_write * discount,
  reasoning: offer.reasoning * discount,
  per_call: offer.per_call * discount,
})

/** The cheapest offer of those that can be called (of all, while none can), with the discount taken off. */
export function lowestOffer({ offers, discount }: ModelCard): ModelOffer | null {
  const ready = offers.filter(({ configured }) => configured)
  const lowest = smallest(ready.length ? ready : offers, blended)
  return lowest && discounted(lowest, discount)
}

/** One number to sort by: coins per million tokens, blended; of a model without an offer, the dearest. */
export function blendedPrice(card: ModelCard): number {
  const lowest = lowestOffer(card)
  return lowest ? blended(lowest) : Infinity
}

/** The offer that wrote fastest lately; null while none was measured. */
export const fastestOffer = ({ offers }: ModelCard): ModelOffer | null =>
  smallest(
    offers.filter(({ throughput }) => throughput !== null),
    ({ throughput }) => -(throughput ?? 0),
  )

/** What a model costs, as text; null where it does not apply to its type. */
export function priceTexts(card: ModelCard): { input: string | null; output: string | null } {
  const lowest = lowestOffer(card)
  if (!lowest) return { input: null, output: null }
  const { input, output, per_call } = lowest
  const writes = card.type === 'chat'
  if (!input && !output) {
    const each = unitOf(card) === 'picture' ? modelsText.units.picture : modelsText.call
    const text = per_call ? modelsText.per(coins(per_call), each) : modelsText.free
    return { input: text, output: writes && !per_call ? text : null }
  }
  return { input: inputText(unitOf(card), input), output: output || writes ? coins(output) : null }
}

/** The discount where there is one to speak of. */
export const discountBadge = ({ discount }: ModelCard): string | null =>
  discount === 1 ? null : discountText(discount)

/** Window and longest answer, as text; null for types that have none. */
export const limitTexts = ({ type, context_window, max_tokens }: ModelCard) => ({
  context: ['chat', 'embedding', 'rerank'].includes(type) ? windowSize(context_window) : null,
  longest: type === 'chat' ? windowSize(max_tokens) : null,
})

export const capabilityText = (capability: string): string =>
  modelsText.capabilities[capability] ?? capability
