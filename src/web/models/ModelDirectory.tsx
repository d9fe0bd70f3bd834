import { ChevronRight, SearchX } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import type { ModelCard } from '#contract/models.ts'
import { modelsText } from '#web/text/models.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { FilterBar } from './FilterBar.tsx'
import { emptyFilters, parseFilters, filterModels, serializeFilters, splitByUse } from './filters.ts'
import { ModelListSkeleton, ModelList } from './ModelList.tsx'
import { useModelCards } from './queries.ts'
import { useUrlState } from '#web/core/useUrlState.ts'

/** All models, searched, filtered and ordered in the browser: there are dozens, not thousands. */
export function ModelDirectory() {
  const [filters, setFilters] = useUrlState(parseFilters, serializeFilters)
  const deferredFilters = useDeferredValue(filters)
  const query = useModelCards()
  const { data, error } = query
  const cards = useMemo(() => data?.models ?? [], [data])
  const shown = useMemo(() => filterModels(cards, deferredFilters), [cards, deferredFilters])
  const list = (
    <QueryView
      query={query}
      failed={modelsText.failed}
      skeleton={<ModelListSkeleton />}
      isEmpty={() => !shown.length}
      empty={
        <EmptyState
          icon={<SearchX size={28} />}
          title={modelsText.none}
          description={modelsText.noneHint}
          action={<Button onClick={() => setFilters(emptyFilters)}>{modelsText.clear}</Button>}
        />
      }
    >
      {() => <ModelGroups cards={shown} />}
    </QueryView>
  )
  if (error) return list
  return (
    <div className="flex flex-col gap-4">
      <FilterBar cards={cards} filters={filters} onChange={setFilters} />
      <p className="flex flex-wrap justify-between gap-x-4 text-note text-ink3 tabular-nums">
        <span role="status">{data && modelsText.count(shown.length)}</span>
        <span>{modelsText.unit}</span>
      </p>
      {list}
    </div>
  )
}

/** What can be used first; the rest is folded away unless there is nothing else to show. */
function ModelGroups({ cards }: { cards: ModelCard[] }) {
  const { usable, others } = splitByUse(cards, new Date().toISOString().slice(0, 10))
  return (
    <div className="flex flex-col gap-4">
      {usable.length > 0 && <ModelList label={modelsText.list} cards={usable} />}
      {others.length > 0 && (
        <details className="group" open={!usable.length}>
          <summary className="inline-flex cursor-pointer list-none items-center gap-1.5 rounded-md py-1 text-note text-ink2 hover:text-ink max-md:min-h-11">
            <ChevronRight
              size={15}
              aria-hidden
              className="shrink-0 transition-transform group-open:rotate-90"
            />
            {modelsText.others(others.length)}
          </summary>
          <div className="mt-2">
            <ModelList label={modelsText.othersList} cards={others} />
          </div>
        </details>
      )}
    </div>
  )
}
