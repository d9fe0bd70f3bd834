import { Plus } from 'lucide-react'
import { useDeferredValue } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { useUser } from '#web/core/user.ts'
import { promptsText } from '#web/text/prompts.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { MoreButton } from '#web/ui/layout/MoreButton.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { CategoryFilter } from './CategoryFilter.tsx'
import { PromptCard } from './PromptCard.tsx'
import { usePrompts } from './queries.ts'

type PromptFilter = { q: string; category: string }
type Props = {
  filter: PromptFilter
  onFilterChange: (filter: PromptFilter) => void
  onChoose: (text: string) => void
  onEdit: (prompt: Prompt | 'new') => void
  onDelete: (prompt: Prompt) => void
}

/** Shows search, categories, and the matching prompts. */
export function PromptList({ filter, onFilterChange, onChoose, onEdit, onDelete }: Props) {
  const user = useUser()
  const q = useDeferredValue(filter.q.trim())
  const query = usePrompts({ ...filter, q })
  const { data } = query
  const hasNone = filter.category === 'own' && !q

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Input
          type="search"
          aria-label={promptsText.search}
          placeholder={promptsText.searchHint}
          value={filter.q}
          maxLength={100}
          onChange={(event) => onFilterChange({ ...filter, q: event.target.value })}
          className="min-w-0 flex-1 basis-40"
        />
        {user ? (
          <Button onClick={() => onEdit('new')} className="h-10!">
            <Plus size={16} aria-hidden />
            {promptsText.create}
          </Button>
        ) : (
          <SignInLink className="h-10!" title={promptsText.loginHint}>
            {promptsText.loginHint}
          </SignInLink>
        )}
      </div>
      <CategoryFilter
        categories={data?.pages[0]?.categories ?? []}
        hasOwnPrompts={user !== null}
        selected={filter.category}
        onChoose={(category) => onFilterChange({ ...filter, category })}
      />
      {/* As high whatever it holds, so that the dialog does not jump while somebody types. */}
      <div className="flex h-[min(30rem,55dvh)] flex-col overflow-y-auto overscroll-contain">
        <QueryView
          query={query}
          failed={promptsText.failed}
          skeleton={<PromptsSkeleton />}
          isEmpty={({ pages }) => !pages[0]?.items.length}
          empty={
            <EmptyState
              title={hasNone ? promptsText.noOwn : promptsText.none}
              description={hasNone ? promptsText.noOwnHint : promptsText.noneHint}
            />
          }
        >
          {({ pages }) => (
            <>
              <ul aria-label={promptsText.list} className="grid grid-cols-2 gap-2 max-sm:grid-cols-1">
                {pages
                  .flatMap((page) => page.items)
                  .map((prompt) => (
                    <PromptCard
                      key={prompt.id}
                      prompt={prompt}
                      onChoose={() => onChoose(prompt.text)}
                      onEdit={() => onEdit(prompt)}
                      onDelete={() => onDelete(prompt)}
                    />
                  ))}
              </ul>
              <MoreButton query={query} className="mt-3 self-center">
                {promptsText.more}
              </MoreButton>
            </>
          )}
        </QueryView>
      </div>
    </div>
  )
}

const PromptsSkeleton = () => (
  <div className="grid grid-cols-2 gap-2 max-sm:grid-cols-1">
    {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
      <Skeleton key={key} className="h-17" />
    ))}
  </div>
)
