import { clsx } from 'clsx'
import type { CreditPlan } from '#contract/credit/credit.ts'
import { formatCoins } from '#web/core/format.ts'
import { creditText } from '#web/text/credit/credit.ts'

type Props = { plan: CreditPlan; isChosen: boolean; onChoose: () => void }

/** A plan to choose, with its coins and price. */
export function PlanCard({ plan, isChosen, onChoose }: Props) {
  const { name, desc, price, coins, period_label, type } = plan
  const isMembership = type === 'membership'
  return (
    <label
      className={clsx(
        'relative flex min-w-0 cursor-pointer flex-col rounded-xl border p-4 transition-colors has-focus-visible:outline-2',
        isChosen ? 'border-accent bg-accent-soft' : 'hover:bg-fill',
      )}
    >
      <input
        type="radio"
        name="plan"
        checked={isChosen}
        onChange={onChoose}
        aria-label={creditText.choose(isMembership ? `${name}（${period_label}）` : name, formatCoins(price))}
        className="absolute size-px opacity-0"
      />
      <span className="font-medium">{name}</span>
      <span className="mt-2 text-2xl font-semibold tabular-nums">
        {creditText.price(formatCoins(price))}
        {isMembership && (
          <span className="ml-1 text-note font-normal text-ink2">{creditText.perPeriod(period_label)}</span>
        )}
      </span>
      <span className="mt-2 text-note text-ink2">
        {[isMembership && coins > 0 ? creditText.withCoins(formatCoins(coins)) : '', desc]
          .filter(Boolean)
          .join('，')}
      </span>
    </label>
  )
}
