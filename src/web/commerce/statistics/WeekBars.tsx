import { statisticsText } from '#web/text/credit/statistics.ts'

type Props = { title: string; days: { day: string; value: number }[]; format: (value: number) => string }

/** Shows a value for each of the last days as bars. */
export function WeekBars({ title, days, format }: Props) {
  const max = Math.max(...days.map(({ value }) => value))
  const label = statisticsText.chart(
    title,
    days.map(({ day, value }) => `${day.slice(5)} ${format(value)}`).join('，'),
  )
  return (
    <figure className="flex flex-col gap-3 rounded-xl border p-4">
      <figcaption className="text-note font-medium">{title}</figcaption>
      <div role="img" aria-label={label} className="flex h-28 items-end gap-2 border-b max-sm:gap-1">
        {days.map(({ day, value }) => (
          <div key={day} className="flex h-full min-w-0 flex-1 flex-col items-center justify-end gap-1">
            {value > 0 && <span className="text-xs text-ink2 tabular-nums">{format(value)}</span>}
            <div
              style={{ height: max ? `${(value / max) * 75}%` : 0 }}
              className="w-full max-w-10 rounded-t-xs bg-accent"
            />
          </div>
        ))}
      </div>
      <div
        aria-hidden
        className="flex gap-2 text-center text-xs whitespace-nowrap text-ink3 tabular-nums max-sm:gap-1 max-sm:text-tiny"
      >
        {days.map(({ day }) => (
          <span key={day} className="min-w-0 flex-1">
            {day.slice(5)}
          </span>
        ))}
      </div>
    </figure>
  )
}
