import { clsx } from 'clsx'
import { useState } from 'react'
import type { KeyUsage } from '#contract/keys.ts'
import { formatFineAmount, formatCount } from '#web/core/numberFormat.ts'
import { keysText } from '#web/text/keys.ts'

type Day = KeyUsage['days'][number]

/** Smallest height of a bar, percent, so that a day of little use stays visible beside a day of much. */
const MIN_HEIGHT_PERCENT = 3

/** Value of a day in coins, or in tokens where everything was free. */
const formatDayCoins = (day: Day): string => `${formatFineAmount(day.amount)} ${keysText.coins}`
const formatDayTokens = (day: Day): string => keysText.tokens(formatCount(day.tokens))
const formatMonthDay = ({ date }: Day): string => date.slice(5)

/** One bar for each day, the last `shownCount` of them in colour. The day under the pointer is described in words. */
export function DailyBars({ days, shownCount }: { days: Day[]; shownCount: number }) {
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
