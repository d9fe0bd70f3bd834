import { clsx } from 'clsx'
import type { UsagePeriods } from '#contract/keys.ts'
import { formatFineAmount, formatCount } from '#web/core/numberFormat.ts'
import { keysText } from '#web/text/keys.ts'

const periods = ['today', 'week', 'month'] as const

type Props = {
  usage: UsagePeriods
  chosen: keyof UsagePeriods
  onChoose: (period: keyof UsagePeriods) => void
}

/** The totals of each period; the details of the chosen one are shown below. */
export function PeriodPicker({ usage, chosen, onChoose }: Props) {
  return (
    <div role="group" aria-label={keysText.periods} className="grid grid-cols-3 gap-2">
      {periods.map((period) => {
        const { amount, requests, tokens } = usage[period]
        return (
          <button
            key={period}
            type="button"
            aria-pressed={period === chosen}
            onClick={() => onChoose(period)}
            className={clsx(
              'flex min-w-0 flex-col rounded-xl border px-2 py-2.5 text-left md:px-3 tabular-nums transition-colors',
              period === chosen ? 'border-accent bg-accent-soft' : 'hover:bg-fill',
            )}
          >
            <span className="text-xs text-ink2">{keysText[period]}</span>
            <span className="mt-1 truncate text-lg leading-6 font-semibold">{formatFineAmount(amount)}</span>
            <span className="text-xs text-ink2">{keysText.coins}</span>
            <span className="mt-1.5 truncate text-xs text-ink2">
              {keysText.requests(formatCount(requests))}
            </span>
            <span className="truncate text-xs text-ink2">{keysText.tokens(formatCount(tokens))}</span>
          </button>
        )
      })}
    </div>
  )
}
