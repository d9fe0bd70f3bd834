import { clsx } from 'clsx'
import { SlidersHorizontal } from 'lucide-react'
import { useId, useState } from 'react'
import type { ModelCard } from '#contract/models.ts'
import { modelsText } from '#web/text/models.ts'
import { Button } from '#web/ui/Button.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { ChipGroup } from './ChipGroup.tsx'
import { countFacetChoices, emptyFilters, sorts, type Facet, type Filters, type Sort } from './filters.ts'

type Props = { cards: ModelCard[]; filters: Filters; onChange: (filters: Filters) => void }

const facets: { facet: Facet; label: string }[] = [
  { facet: 'type', label: modelsText.type },
  { facet: 'tag', label: modelsText.tag },
  { facet: 'platform', label: modelsText.platform },
  { facet: 'capability', label: modelsText.capability },
]

/** Shows search, order, and the chips; on phones a button opens the chips. */
export function FilterBar({ cards, filters, onChange }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const active = facets.reduce((sum, { facet }) => sum + filters[facet].length, 0)
  const changeFilters = (change: Partial<Filters>) => onChange({ ...filters, ...change })
  return (
    <search className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Input
          type="search"
          aria-label={modelsText.search}
          placeholder={modelsText.searchHint}
          value={filters.q}
          onChange={(event) => changeFilters({ q: event.target.value })}
          className="min-w-0 flex-1 max-md:basis-full"
        />
        <Select
          aria-label={modelsText.sort}
          value={filters.sort}
          onChange={(event) => changeFilters({ sort: event.target.value as Sort })}
          className="max-md:flex-1"
        >
          {sorts.map((sort) => (
            <option key={sort} value={sort}>
              {modelsText.sorts[sort]}
            </option>
          ))}
        </Select>
        <Button
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="font-normal! md:hidden"
        >
          <SlidersHorizontal size={16} aria-hidden />
          {modelsText.filters}
          {active > 0 && <span className="tabular-nums">{active}</span>}
        </Button>
      </div>
      <div id={id} className={clsx('flex flex-col gap-2.5 max-md:gap-4', !open && 'max-md:hidden')}>
        {facets.map(({ facet, label }) => (
          <ChipGroup
            key={facet}
            label={label}
            choices={countFacetChoices(cards, filters, facet)}
            chosen={filters[facet]}
            onChange={(values) => changeFilters({ [facet]: values })}
          />
        ))}
        {active > 0 && (
          <Button
            variant="ghost"
            size="sm"
            className="self-start max-md:-ml-3 md:ml-10"
            onClick={() => onChange({ ...emptyFilters, q: filters.q, sort: filters.sort })}
          >
            {modelsText.clear}
          </Button>
        )}
      </div>
    </search>
  )
}
