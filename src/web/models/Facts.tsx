import type { ModelCard } from '#contract/models.ts'
import { modelsText } from '../text/models.ts'
import { discountText } from './figures.ts'
import { capabilityText, limitTexts } from './offers.ts'

/** What a model is and how much it takes, in a few aligned rows. */
export function Facts({ card }: { card: ModelCard }) {
  const { context, longest } = limitTexts(card)
  const exact = (tokens: number) => modelsText.tokens(tokens.toLocaleString('zh-CN'))
  const facts = [
    { label: modelsText.type, text: modelsText.types[card.type] },
    context && { label: modelsText.contextWindow, text: context, note: exact(card.context_window) },
    longest && { label: modelsText.longest, text: longest, note: exact(card.max_tokens) },
    card.capabilities.length > 0 && {
      label: modelsText.capability,
      text: card.capabilities.map(capabilityText).join('、'),
    },
    { label: modelsText.price, text: discountText(card.discount) },
  ]
  return (
    <dl className="flex flex-wrap gap-x-14 gap-y-4 tabular-nums">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.label}>
              <dt className="text-[13px] text-ink3">{fact.label}</dt>
              <dd className="mt-0.5">
                {fact.text}
                {fact.note && <span className="ml-2 text-[13px] text-ink3">{fact.note}</span>}
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
