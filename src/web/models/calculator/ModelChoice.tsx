import { CircleX } from 'lucide-react'
import { useState } from 'react'
import type { ModelCard } from '#contract/models.ts'
import { calculatorText, modelsText } from '../../text/models.ts'
import { Input } from '../../ui/Input.tsx'
import { found } from '../filters.ts'
import { MOST_MODELS } from './usage.ts'

type Props = { cards: ModelCard[]; chosen: ModelCard[]; onChange: (ids: string[]) => void }

/** The models to compare: the chosen ones on top, all others to be searched and ticked. */
export function ModelChoice({ cards, chosen, onChange }: Props) {
  const [search, setSearch] = useState('')
  const ids = chosen.map(({ id }) => id)
  const full = ids.length >= MOST_MODELS
  const shown = cards.filter((card) => found(card, search))
  const toggle = (id: string) =>
    onChange(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id].slice(0, MOST_MODELS))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-[13px] font-medium">{calculatorText.models}</legend>
      <ul className="flex flex-wrap gap-1.5">
        {chosen.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              aria-label={calculatorText.remove(name)}
              onClick={() => toggle(id)}
              className="inline-flex h-7.5 items-center gap-1 rounded-full bg-fill2 pr-2 pl-3 text-[13px] transition-colors hover:bg-line2 max-md:h-11 max-md:px-4"
            >
              {name}
              <CircleX size={14} aria-hidden className="text-ink2" />
            </button>
          </li>
        ))}
      </ul>
      <Input
        type="search"
        aria-label={calculatorText.searchModels}
        placeholder={calculatorText.searchHint}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <ul className="relative max-h-52 overflow-y-auto rounded-[10px] border p-1">
        {shown.map(({ id, name, type }) => (
          <li key={id}>
            <label className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2 hover:bg-fill has-disabled:cursor-default has-disabled:text-ink3 max-md:min-h-11">
              <input
                type="checkbox"
                checked={ids.includes(id)}
                disabled={full && !ids.includes(id)}
                onChange={() => toggle(id)}
                className="size-4 shrink-0 accent-btn"
              />
              <span className="min-w-0 truncate">{name}</span>
              <span className="ml-auto shrink-0 text-xs text-ink3">{modelsText.types[type]}</span>
            </label>
          </li>
        ))}
        {!shown.length && <li className="px-2 py-3 text-[13px] text-ink3">{calculatorText.noMatch}</li>}
      </ul>
      <p role="status" className="text-[13px] text-ink3 tabular-nums">
        {calculatorText.chosen(ids.length, MOST_MODELS)}
      </p>
    </fieldset>
  )
}
