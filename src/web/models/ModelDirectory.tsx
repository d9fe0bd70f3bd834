import { ChevronRight, SearchX } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import type { ModelCard } from '#contract/models.ts'
import { modelsText } from '#web/text/models.ts'
import { useIsOperator } from '#web/core/page.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { FilterBar } from './FilterBar.tsx'
import { emptyFilters, parseFilters, filterModels, serializeFilters, splitByUse } from './filters.ts'
import { ModelListSkeleton, ModelList } from './ModelList.tsx'
import { useModelCards } from './queries.ts'
import { useUrlState } from '#web/core/useUrlState.ts'

/** Shows all models. They are searched, filtered and ordered in the browser: there are dozens, not thousands. */
export function ModelDirectory() {
  const [filters, setFilters] = useUrlState(parseFilters, serializeFilters)
  const deferredFilters = useDeferredValue(filters)
  const query = useModelCards()
  const { data, error } = query
  // Unusable models concern only the operator, who is recognised by a server outside production.
  const isOperator = useIsOperator()
  const { usable: cards, others } = useMemo(() => splitByUse(data?.models ?? []), [data])
  const shownCards = useMemo(() => filterModels(cards, deferredFilters), [cards, deferredFilters])
  const list = (
    <QueryView
      query={query}
      failed={modelsText.failed}
      skeleton={<ModelListSkeleton />}
      isEmpty={() => !shownCards.length}
      empty={
        <EmptyState
          icon={<SearchX size={28} />}
          title={modelsText.none}
          description={modelsText.noneHint}
          action={<Button onClick={() => setFilters(emptyFilters)}>{modelsText.clear}</Button>}
        />
      }
    >
      {() => <ModelList label={modelsText.list} cards={shownCards} />}
    </QueryView>
  )
  if (error && !data) return list
  return (
    <div className="flex flex-col gap-4">
      <FilterBar cards={cards} filters={filters} onChange={setFilters} />
      <p className="flex flex-wrap justify-between gap-x-4 text-note text-ink3 tabular-nums">
        <span role="status">{data && modelsText.count(shownCards.length)}</span>
        <span>{modelsText.unit}</span>
      </p>
      {list}
      {isOperator && others.length > 0 && <UnusableModels cards={others} />}
    </div>
  )
}

/** For the operator: the models that would be available, and the settings that they lack. */
function UnusableModels({ cards }: { cards: ModelCard[] }) {
  return (
    <details className="group">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1.5 rounded-md py-1 text-note text-ink2 hover:text-ink max-md:min-h-11">
        <ChevronRight size={15} aria-hidden className="shrink-0 transition-transform group-open:rotate-90" />
        {modelsText.others(cards.length)}
      </summary>
      <div className="mt-2">
        <ModelList label={modelsText.othersList} cards={cards} />
      </div>
    </details>
  )
}
