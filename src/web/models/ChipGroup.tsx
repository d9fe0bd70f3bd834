import type { FacetChoice } from './filters.ts'

type Props = {
  label: string
  choices: FacetChoice[]
  chosen: string[]
  onChange: (values: string[]) => void
}

/** Shows values to filter by, each with the number of models it would show. Any number can be on. */
export function ChipGroup({ label, choices, chosen, onChange }: Props) {
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  if (choices.length < 2 && !chosen.length) return null
  return (
    <fieldset className="flex gap-3 max-md:flex-col max-md:gap-1.5">
      <legend className="float-left w-10 shrink-0 pt-1 text-note text-ink3 max-md:w-auto">{label}</legend>
      <div className="flex min-w-0 flex-wrap gap-1.5">
        {choices.map(({ value, label, count }) => {
          const on = chosen.includes(value)
          return (
            <button
              key={value}
              type="button"
              aria-pressed={on}
              disabled={!on && count === 0}
              onClick={() => toggle(value)}
              className="inline-flex h-7.5 items-center gap-1.5 rounded-full border px-3 text-note text-ink2 transition-colors hover:bg-fill disabled:pointer-events-none disabled:opacity-45 aria-pressed:border-btn aria-pressed:bg-btn aria-pressed:text-btn-ink max-md:h-11 max-md:px-4"
            >
              {label}
              <span className={on ? 'text-xs tabular-nums' : 'text-xs text-ink3 tabular-nums'}>{count}</span>
            </button>
          )
        })}
      </div>
    </fieldset>
  )
}
