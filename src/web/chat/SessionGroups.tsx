import { useState } from 'react'
import type { ChatSession } from '#contract/chat.ts'
import { usePageUrl } from '../core/page.ts'
import { chatText } from '../text/chat.ts'
import { groupByAge } from './groups.ts'
import { ListFailed } from './ListFailed.tsx'
import { useEndShown, useSessions } from './listQueries.ts'
import { ListSkeleton } from './ListSkeleton.tsx'
import { RemoveSession } from './RemoveSession.tsx'
import { SessionRow } from './SessionRow.tsx'

/** All conversations, the pinned ones on top, the others by age; more come with scrolling. */
export function SessionGroups() {
  const sess_id = usePageUrl().searchParams.get('sess_id')
  const { data, isPending, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useSessions('')
  const [removing, setRemoving] = useState<ChatSession | null>(null)
  // Here and not in its row: a row that moves to another group begins anew.
  const [renaming, setRenaming] = useState<string | null>(null)
  const end = useEndShown(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  })

  if (isPending) return <ListSkeleton />
  if (isError) return <ListFailed onRetry={() => void refetch()} />
  const groups = groupByAge(
    data.pages.flatMap((page) => page.items),
    new Date(),
  )
  return (
    <>
      {groups.map(({ group, sessions }) => (
        <section key={group} aria-labelledby={`sessions-${group}`}>
          <h2 id={`sessions-${group}`} className="px-3 pt-3 pb-1.5 text-xs text-ink3">
            {chatText[group]}
          </h2>
          <ul className="flex flex-col gap-0.5">
            {sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                shown={session.id === sess_id}
                renaming={session.id === renaming}
                onRenaming={(now) => setRenaming(now ? session.id : null)}
                onRemove={() => setRemoving(session)}
              />
            ))}
          </ul>
        </section>
      ))}
      {!groups.length && (
        <p className="px-3 py-2 text-[13px] leading-6 text-ink3">{chatText.noSessionsHint}</p>
      )}
      <div ref={end}>{isFetchingNextPage && <ListSkeleton />}</div>
      <RemoveSession session={removing} shown={removing?.id === sess_id} onClose={() => setRemoving(null)} />
    </>
  )
}
