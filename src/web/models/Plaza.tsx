import { SearchX } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { modelsText } from '../text/models.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterBar } from './FilterBar.tsx'
import { noFilters, readFilters, shownModels, writeFilters } from './filters.ts'
import { ListSkeleton, ModelList } from './ModelList.tsx'
import { useModelCards } from './queries.ts'
import { useAddress } from './useAddress.ts'

/** All models, searched, filtered and ordered in the browser: there are dozens, not thousands. */
export function Plaza() {
  const [filters, setFilters] = useAddress(readFilters, writeFilters)
  const sought = useDeferredValue(filters)
  const { data, error, refetch } = useModelCards()
  const cards = useMemo(() => data?.models ?? [], [data])
  const shown = useMemo(() => shownModels(cards, sought), [cards, sought])
  if (error) {
    return (
      <EmptyState
        title={modelsText.failed}
        description={error.message}
        action={<Button onClick={() => void refetch()}>{modelsText.retry}</Button>}
      />
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <FilterBar cards={cards} filters={filters} onChange={setFilters} />
      <p className="flex flex-wrap justify-between gap-x-4 text-[13px] text-ink3 tabular-nums">
        <span role="status">{data && modelsText.count(shown.length)}</span>
        <span>{modelsText.unit}</span>
      </p>
      {!data ? (
        <ListSkeleton />
      ) : shown.length ? (
        <ModelList cards={shown} />
      ) : (
        <EmptyState
          icon={<SearchX size={28} />}
          title={modelsText.none}
          description={modelsText.noneHint}
          action={<Button onClick={() => setFilters(noFilters)}>{modelsText.clear}</Button>}
        />
      )}
    </div>
  )
}
