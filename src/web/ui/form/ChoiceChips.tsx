import { clsx } from 'clsx'

type Props<T> = {
  label: string
  choices: readonly { value: T; label: string }[]
  chosen: T
  onChoose: (value: T) => void
  className?: string
}

/** A choice among a few values, all of them visible. */
export function ChoiceChips<T extends string | number | null>({
  label,
  choices,
  chosen,
  onChoose,
  className,
}: Props<T>) {
  return (
    <div role="group" aria-label={label} className={clsx('flex flex-wrap gap-1.5', className)}>
      {choices.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
          className="h-7.5 shrink-0 rounded-full border px-3 text-note text-ink2 transition-colors hover:bg-fill aria-pressed:border-btn aria-pressed:bg-btn aria-pressed:text-btn-ink max-md:h-11 max-md:px-4"
        >
          {label}
        </button>
      ))}
    </div>
  )
}
