import { clsx } from 'clsx'
import { useState } from 'react'
import type { KeyUsage as Usage, UsagePeriods } from '#contract/keys.ts'
import { formatCount, formatFineAmount } from '#web/core/numberFormat.ts'
import { useModelName } from '#web/conversations/model-picker/model-picker.tsx'
import { keysText } from '#web/text/keys.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useKeyUsage } from './keyCalls.ts'

/** Days of each period, today included. */
const daysByPeriod: Record<keyof UsagePeriods, number> = { today: 1, week: 7, month: 30 }

/** Coins, calls and tokens of a key: by period, by day and by model. */
export function KeyUsage({ id }: { id: string }) {
  const query = useKeyUsage(id)
  const [period, setPeriod] = useState<keyof UsagePeriods>('month')
  return (
    <QueryView
      query={query}
      failed={keysText.usageFailed}
      skeleton={<UsageSkeleton />}
      isEmpty={({ models }) => !models.length}
      empty={<EmptyState title={keysText.noUsage} description={keysText.noUsageHint} />}
    >
      {(usage) => (
        <div className="flex flex-col gap-6">
          <PeriodPicker usage={usage} chosen={period} onChoose={setPeriod} />
          <DailyBars days={usage.days} shownCount={daysByPeriod[period]} />
          <ModelShares models={usage.models} period={period} />
          <p className="text-xs text-ink3">{keysText.usageHint}</p>
        </div>
      )}
    </QueryView>
  )
}

const periods = ['today', 'week', 'month'] as const

type PeriodPickerProps = {
  usage: UsagePeriods
  chosen: keyof UsagePeriods
  onChoose: (period: keyof UsagePeriods) => void
}

/** The totals of each period; the details of the chosen one are shown below. */
function PeriodPicker({ usage, chosen, onChoose }: PeriodPickerProps) {
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

type Day = Usage['days'][number]

/** Smallest height of a bar, percent, so that a day of little use stays visible beside a day of much. */
const MIN_HEIGHT_PERCENT = 3

/** Value of a day in coins, or in tokens where everything was free. */
const formatDayCoins = (day: Day): string => `${formatFineAmount(day.amount)} ${keysText.coins}`
const formatDayTokens = (day: Day): string => keysText.tokens(formatCount(day.tokens))
const formatMonthDay = ({ date }: Day): string => date.slice(5)

/** One bar for each day, the last `shownCount` of them in colour. The day under the pointer is described in words. */
function DailyBars({ days, shownCount }: { days: Day[]; shownCount: number }) {
  const [hoveredDay, setHoveredDay] = useState<Day | null>(null)
  const hasPaidDays = days.some(({ amount }) => amount > 0)
  const getValue = ({ amount, tokens }: Day) => (hasPaidDays ? amount : tokens)
  const formatValue = hasPaidDays ? formatDayCoins : formatDayTokens
  const maxDay = days.reduce((best, day) => (getValue(day) > getValue(best) ? day : best))
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex items-baseline justify-between gap-3 text-note tabular-nums">
        <span className="font-medium">{keysText.byDay}</span>
        <span className="text-ink2">
          {hoveredDay
            ? keysText.day(formatMonthDay(hoveredDay), formatValue(hoveredDay))
            : keysText.maxDay(formatMonthDay(maxDay), formatValue(maxDay))}
        </span>
      </figcaption>
      <div
        role="img"
        aria-label={keysText.chart(formatValue(maxDay), formatMonthDay(maxDay))}
        onPointerLeave={() => setHoveredDay(null)}
        className="flex h-24 items-stretch border-b"
      >
        {days.map((day, index) => {
          const height = getValue(day)
            ? Math.max(MIN_HEIGHT_PERCENT, (getValue(day) / getValue(maxDay)) * 100)
            : 0
          const isShown = index >= days.length - shownCount
          return (
            <div
              key={day.date}
              onPointerEnter={() => setHoveredDay(day)}
              className={clsx('flex flex-1 items-end px-[1.5px]', hoveredDay === day && 'bg-fill2')}
            >
              <div
                style={{ height: `${height}%` }}
                className={clsx('w-full rounded-t-xs transition-colors', isShown ? 'bg-accent' : 'bg-line2')}
              />
            </div>
          )
        })}
      </div>
      <div aria-hidden className="flex justify-between text-xs text-ink3 tabular-nums">
        <span>{first && formatMonthDay(first)}</span>
        <span>{last && formatMonthDay(last)}</span>
      </div>
    </figure>
  )
}

type ModelSharesProps = { models: Usage['models']; period: keyof UsagePeriods }

/** Cost of each model in a period, with its share of the total; the most expensive first. */
function ModelShares({ models, period }: ModelSharesProps) {
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

const UsageSkeleton = () => (
  <div className="flex flex-col gap-6">
    <Skeleton className="h-24" />
    <Skeleton className="h-28" />
    <Skeleton className="h-16" />
  </div>
)
