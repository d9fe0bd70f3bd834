import { CircleX } from 'lucide-react'
import { useState } from 'react'
import type { ModelCard } from '#contract/models.ts'
import { getPriceUnit } from '#contract/price-units.ts'
import { calculatorText, modelsText } from '#web/text/models.ts'
import { Input } from '#web/ui/form/Input.tsx'
import { matchesQuery } from '../filters.ts'
import { MAX_MODELS } from './usage.ts'

type Props = {
  cards: ModelCard[]
  chosen: ModelCard[]
  onChange: (change: { models: string[]; input?: null }) => void
}

/** Shows the models to compare: the chosen ones on top, all others to be searched and ticked. */
export function ModelChoice({ cards, chosen, onChange }: Props) {
  const [search, setSearch] = useState('')
  const ids = chosen.map(({ id }) => id)
  const isFull = ids.length >= MAX_MODELS
  const shownCards = cards.filter((card) => matchesQuery(card, search))
  const hasOtherUnit = (card: ModelCard) => chosen.some((one) => getPriceUnit(one) !== getPriceUnit(card))
  const toggle = (card: ModelCard) => {
    const { id } = card
    // An hour cannot be compared with a picture: a model with another unit starts a new comparison.
    if (hasOtherUnit(card)) return onChange({ models: [id], input: null })
    onChange({
      models: ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id].slice(0, MAX_MODELS),
    })
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-note font-medium">{calculatorText.models}</legend>
      <ul className="flex flex-wrap gap-1.5">
        {chosen.map((card) => (
          <li key={card.id}>
            <button
              type="button"
              aria-label={calculatorText.remove(card.name)}
              onClick={() => toggle(card)}
              className="inline-flex h-7.5 items-center gap-1 rounded-full bg-fill2 pr-2 pl-3 text-note transition-colors hover:bg-line2 max-md:h-11 max-md:px-4"
            >
              {card.name}
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
        {shownCards.map((card) => (
          <li key={card.id}>
            <label className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2 hover:bg-fill has-disabled:cursor-default has-disabled:text-ink3 max-md:min-h-11">
              <input
                type="checkbox"
                checked={ids.includes(card.id)}
                disabled={isFull && !ids.includes(card.id) && !hasOtherUnit(card)}
                onChange={() => toggle(card)}
                className="size-4 shrink-0 accent-btn"
              />
              <span className="min-w-0 truncate">{card.name}</span>
              <span className="ml-auto shrink-0 text-xs text-ink3">{modelsText.types[card.type]}</span>
            </label>
          </li>
        ))}
        {!shownCards.length && <li className="px-2 py-3 text-note text-ink3">{calculatorText.noMatch}</li>}
      </ul>
      <p role="status" className="text-note text-ink3 tabular-nums">
        {calculatorText.chosen(ids.length, MAX_MODELS)}
        {shownCards.some(hasOtherUnit) && <span className="block">{calculatorText.switches}</span>}
      </p>
    </fieldset>
  )
}
