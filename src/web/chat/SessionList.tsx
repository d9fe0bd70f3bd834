import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ChatSession } from '#contract/chat.ts'
import { request } from '../core/api.ts'
import { usePageUrl } from '../core/page.ts'
import { chatText } from '../text/chat.ts'
import { Button } from '../ui/Button.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { sessionsKey } from './changes.ts'
import { groupByAge } from './groups.ts'
import { RemoveSession } from './RemoveSession.tsx'
import { SessionRow } from './SessionRow.tsx'

function useSessions() {
  return useInfiniteQuery({
    queryKey: sessionsKey,
    queryFn: ({ pageParam, signal }) =>
      request('GET /api/chat/sessions', { query: { page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (page) => (page.next_url ? page.cur_page + 1 : null),
  })
}

/** Calls `onShown` whenever the element comes near the screen. */
function useShown(onShown: () => void) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onShown(), {
      rootMargin: '200px',
    })
    if (ref.current) observer.observe(ref.current)
    return () => observer.disconnect()
  })
  return ref
}

/** The person's conversations by age, in the sidebar. */
export function SessionList() {
  const sess_id = usePageUrl().searchParams.get('sess_id')
  const { data, isPending, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useSessions()
  const [removing, setRemoving] = useState<ChatSession | null>(null)
  const end = useShown(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  })

  if (isPending) return <ListSkeleton />
  if (isError) {
    return (
      <div className="px-3 py-2 text-[13px] text-ink2">
        <p className="mb-2">{chatText.sessionsFailed}</p>
        <Button size="sm" onClick={() => void refetch()}>
          {chatText.retry}
        </Button>
      </div>
    )
  }
  const groups = groupByAge(
    data.pages.flatMap((page) => page.items),
    new Date(),
  )
  return (
    <nav aria-label={chatText.sessions}>
      {groups.map(({ age, sessions }) => (
        <section key={age} aria-labelledby={`sessions-${age}`}>
          <h2 id={`sessions-${age}`} className="px-3 pt-3 pb-1.5 text-xs text-ink3">
            {chatText[age]}
          </h2>
          <ul className="flex flex-col gap-0.5">
            {sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                shown={session.id === sess_id}
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
    </nav>
  )
}

function ListSkeleton() {
  return (
    <div className="space-y-4 px-3 py-3">
      {['w-4/5', 'w-3/5', 'w-11/12', 'w-2/3'].map((width) => (
        <Skeleton key={width} className={`h-4 ${width}`} />
      ))}
    </div>
  )
}
