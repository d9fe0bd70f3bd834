import { SearchX } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { modelsText } from '#web/text/models.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { FilterBar } from './FilterBar.tsx'
import { emptyFilters, parseFilters, filterModels, serializeFilters } from './filters.ts'
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
      {() => <ModelList cards={shown} />}
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
