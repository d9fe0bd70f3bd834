import type { ModelCard } from '#contract/models.ts'
import { modelsText } from '#web/text/models.ts'
import { formatDiscount } from '#web/core/numberFormat.ts'
import { formatCapability, formatLimits } from './offers.ts'

/** Shows a model's maker, limits and other facts in a few aligned rows. */
export function ModelFacts({ card }: { card: ModelCard }) {
  const { context, maxOutput } = formatLimits(card)
  const formatTokens = (tokens: number) => modelsText.tokens(tokens.toLocaleString('zh-CN'))
  const facts = [
    card.vendor && { label: modelsText.vendor, text: card.vendor },
    { label: modelsText.type, text: modelsText.types[card.type] },
    context && { label: modelsText.contextWindow, text: context, note: formatTokens(card.context_window) },
    maxOutput && { label: modelsText.maxOutput, text: maxOutput, note: formatTokens(card.max_tokens) },
    card.capabilities.length > 0 && {
      label: modelsText.capability,
      text: card.capabilities.map(formatCapability).join('、'),
    },
    { label: modelsText.price, text: formatDiscount(card.discount) },
  ]
  return (
    <dl className="flex flex-wrap gap-x-14 gap-y-4 tabular-nums">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.label}>
              <dt className="text-note text-ink3">{fact.label}</dt>
              <dd className="mt-0.5">
                {fact.text}
                {fact.note && <span className="ml-2 text-note text-ink3">{fact.note}</span>}
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
