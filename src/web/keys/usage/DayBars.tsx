import { clsx } from 'clsx'
import { useState } from 'react'
import type { KeyUsage } from '#contract/keys.ts'
import { fine, short } from '../../models/figures.ts'
import { keysText } from '../../text/keys.ts'

type Day = KeyUsage['days'][number]

/** A drop of use must still be seen beside a day of much, in percent of the height. */
const LEAST = 3

/** A day as its figure says it: coins, or tokens where everything was free. */
const inCoins = (day: Day): string => `${fine(day.amount)} ${keysText.coins}`
const inTokens = (day: Day): string => keysText.tokens(short(day.tokens))
const monthDay = ({ date }: Day): string => date.slice(5)

/** One bar a day, the last `shown` of them in colour. The day under the pointer is told in words. */
export function DayBars({ days, shown }: { days: Day[]; shown: number }) {
  const [pointed, setPointed] = useState<Day | null>(null)
  const paid = days.some(({ amount }) => amount > 0)
  const figure = ({ amount, tokens }: Day) => (paid ? amount : tokens)
  const said = paid ? inCoins : inTokens
  const most = days.reduce((best, day) => (figure(day) > figure(best) ? day : best))
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="flex items-baseline justify-between gap-3 text-[13px] tabular-nums">
        <span className="font-medium">{keysText.byDay}</span>
        <span className="text-ink2">
          {pointed
            ? keysText.day(monthDay(pointed), said(pointed))
            : keysText.mostDay(monthDay(most), said(most))}
        </span>
      </figcaption>
      <div
        role="img"
        aria-label={keysText.chart(said(most), monthDay(most))}
        onPointerLeave={() => setPointed(null)}
        className="flex h-24 items-stretch border-b"
      >
        {days.map((day, nth) => {
          const height = figure(day) ? Math.max(LEAST, (figure(day) / figure(most)) * 100) : 0
          const isShown = nth >= days.length - shown
          return (
            <div
              key={day.date}
              onPointerEnter={() => setPointed(day)}
              className={clsx('flex flex-1 items-end px-[1.5px]', pointed === day && 'bg-fill2')}
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
        <span>{first && monthDay(first)}</span>
        <span>{last && monthDay(last)}</span>
      </div>
    </figure>
  )
}
