import type { KeyUsage, UsagePeriods } from '#contract/keys.ts'
import { formatFineAmount, formatCount } from '#web/core/numberFormat.ts'
import { useModelName } from '#web/conversations/model-picker/model-picker.tsx'
import { keysText } from '#web/text/keys.ts'

type Props = { models: KeyUsage['models']; period: keyof UsagePeriods }

/** Cost of each model in a period, with its share of the total; the most expensive first. */
export function ModelShares({ models, period }: Props) {
  const getModelName = useModelName()
  const usedModels = models
    .map((model) => ({ model: model.model, ...model[period] }))
    .filter(({ requests }) => requests > 0)
    .toSorted((a, b) => b.amount - a.amount || b.tokens - a.tokens)
  const total = usedModels.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <section aria-label={keysText.byModel} className="flex flex-col gap-3">
      <h3 className="text-note font-medium">{keysText.byModel}</h3>
      {usedModels.length ? (
        <ul className="flex flex-col gap-3.5 tabular-nums">
          {usedModels.map(({ model, amount, requests, tokens }) => (
            <li key={model} className="flex flex-col gap-1.5">
              <p className="flex items-baseline justify-between gap-4 text-note">
                <span className="min-w-0 break-all">{getModelName(model)}</span>
                <span className="shrink-0">
                  {formatFineAmount(amount)} {keysText.coins}
                </span>
              </p>
              <div aria-hidden className="h-1 overflow-hidden rounded-full bg-fill2">
                <div
                  style={{ width: `${total ? (amount / total) * 100 : 0}%` }}
                  className="h-full rounded-full bg-accent"
                />
              </div>
              <p className="text-xs text-ink3">
                {keysText.requests(formatCount(requests))} · {keysText.tokens(formatCount(tokens))}
              </p>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-note text-ink2">{keysText.noUsageThen}</p>
      )}
    </section>
  )
}
