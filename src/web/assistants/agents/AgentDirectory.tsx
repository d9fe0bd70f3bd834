import { Link } from '@inertiajs/react'
import { Bot, SearchX } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AgentCard } from '#contract/agents/agents.ts'
import { ApiError } from '#web/core/api.ts'
import { loadNextPage } from '#web/core/queryClient.ts'
import { useDebounced } from '#web/core/useDebounced.ts'
import { useUrlState } from '#web/core/useUrlState.ts'
import { useUser } from '#web/core/user.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { Button } from '#web/ui/Button.tsx'
import { ChoiceChips } from '#web/ui/form/ChoiceChips.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { AgentLogo } from './AgentLogo.tsx'
import { AgentPitch } from './AgentPitch.tsx'
import { AgentTile } from './AgentTile.tsx'
import { DeleteAgentDialog } from './agentActions.tsx'
import { useAgents, useCategories, useRecentAgents, type AgentFilter } from './queries.ts'

const SEARCH_DELAY_MS = 250
const NO_FILTER: AgentFilter = { tab: 'default', q: '', category: null }

const parseFilter = (query: URLSearchParams): AgentFilter => {
  const category = Number(query.get('category') ?? Number.NaN)
  return {
    tab: query.get('tab') === 'popular' ? 'popular' : 'default',
    q: query.get('q') ?? '',
    category: Number.isInteger(category) ? category : null,
  }
}

const serializeFilter = ({ tab, q, category }: AgentFilter): URLSearchParams =>
  new URLSearchParams({
    ...(tab === 'popular' ? { tab } : {}),
    ...(q ? { q } : {}),
    ...(category === null ? {} : { category: String(category) }),
  })

/** The person's own agents and public ones, with a search, categories, and the tabs of default and popular agents. */
export function AgentDirectory() {
  const isSignedIn = useUser() !== null
  const [filter, setFilter] = useUrlState(parseFilter, serializeFilter)
  const changeFilter = (change: Partial<AgentFilter>) => setFilter({ ...filter, ...change })
  const { data: categories = [] } = useCategories()
  const { tab, q, category } = filter
  const isFiltered = tab !== 'default' || q !== '' || category !== null
  const categoryChoices = [
    { value: null, label: agentsText.all },
    ...categories.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <>
      {!isFiltered && isSignedIn && <RecentAgents />}
      <search className="mb-5 flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Input
            type="search"
            aria-label={agentsText.search}
            placeholder={agentsText.search}
            value={q}
            maxLength={100}
            onChange={({ target }) => changeFilter({ q: target.value })}
            className="min-w-0 flex-1 basis-60"
          />
          <div
            role="group"
            aria-label={agentsText.tabs}
            className="flex rounded-[10px] bg-fill p-0.5 max-md:w-full"
          >
            {(['default', 'popular'] as const).map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={tab === one}
                onClick={() => changeFilter({ tab: one })}
                className="h-9 rounded-lg px-4 text-ink2 transition-colors hover:text-ink aria-pressed:bg-panel aria-pressed:font-medium aria-pressed:text-ink max-md:h-11 max-md:flex-1 dark:aria-pressed:bg-fill2"
              >
                {agentsText[one]}
              </button>
            ))}
          </div>
        </div>
        {categories.length > 0 && (
          <ChoiceChips
            label={agentsText.categories}
            choices={categoryChoices}
            chosen={category}
            onChoose={(category) => changeFilter({ category })}
            // One line on a phone, scrolled sideways, so that the list below stays in sight.
            className="max-md:-mx-4 max-md:flex-nowrap max-md:overflow-x-auto max-md:px-4 max-md:[scrollbar-width:none]"
          />
        )}
      </search>
      <FoundAgents filter={filter} isFiltered={isFiltered} onClear={() => setFilter(NO_FILTER)} />
    </>
  )
}

type FoundProps = { filter: AgentFilter; isFiltered: boolean; onClear: () => void }

function FoundAgents({ filter, isFiltered, onClear }: FoundProps) {
  const q = useDebounced(filter.q.trim(), SEARCH_DELAY_MS)
  const query = useAgents({ ...filter, q })
  const { data, error, refetch, hasNextPage, isFetchingNextPage } = query
  const [agentToRemove, setAgentToRemove] = useState<AgentCard | null>(null)
  // A failure shows a toast and empties the list (specification section 8).
  useEffect(() => {
    if (error) toast.error(error instanceof ApiError ? error.message : agentsText.failed)
  }, [error])
  const agents = data?.pages.flatMap(({ items }) => items) ?? []
  const hasNone = data !== undefined && !isFiltered && !agents.some(({ owned }) => owned)
  return (
    <>
      {hasNone && !error && <AgentPitch />}
      <QueryView
        query={{ data: error ? undefined : data, error, refetch }}
        failed={agentsText.failed}
        skeleton={<ListSkeleton />}
        isEmpty={() => !agents.length}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<SearchX size={28} />}
              title={agentsText.none}
              description={agentsText.noneHint}
              action={<Button onClick={onClear}>{agentsText.clear}</Button>}
            />
          ) : (
            <EmptyState
              icon={<Bot size={28} />}
              title={agentsText.empty}
              description={agentsText.emptyHint}
            />
          )
        }
      >
        {() => (
          <ul
            aria-label={agentsText.list}
            className="grid grid-cols-[repeat(auto-fill,minmax(17rem,1fr))] gap-3"
          >
            {agents.map((agent) => (
              <AgentTile key={agent.uuid} agent={agent} onRemove={() => setAgentToRemove(agent)} />
            ))}
          </ul>
        )}
      </QueryView>
      {hasNextPage && !error && (
        <div className="mt-5 flex justify-center">
          <Button pending={isFetchingNextPage} onClick={() => void loadNextPage(query)}>
            {agentsText.more}
          </Button>
        </div>
      )}
      <DeleteAgentDialog agent={agentToRemove} onClose={() => setAgentToRemove(null)} />
    </>
  )
}

function RecentAgents() {
  const { data: agents = [] } = useRecentAgents()
  if (!agents.length) return null
  return (
    <section aria-label={agentsText.recent} className="mb-5">
      <h2 className="mb-2 text-note text-ink3">{agentsText.recent}</h2>
      <ul className="flex flex-wrap gap-2">
        {agents.slice(0, MAX_RECENT).map(({ uuid, name, logo }) => (
          <li key={uuid} className="max-w-full">
            <Link
              href={`/chat/agent/${uuid}`}
              className="flex h-11 max-w-60 items-center gap-2.5 rounded-xl border pr-4 pl-1.5 transition-colors hover:border-line2 hover:bg-fill/50"
            >
              <AgentLogo name={name} logo={logo} size="sm" />
              <span className="truncate">{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const MAX_RECENT = 6

const ListSkeleton = () => (
  <div className="grid grid-cols-[repeat(auto-fill,minmax(17rem,1fr))] gap-3">
    {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
      <Skeleton key={key} className="h-38 rounded-2xl!" />
    ))}
  </div>
)
