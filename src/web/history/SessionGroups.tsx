import { useId, useState } from 'react'
import type { ChatSession } from '#contract/chat.ts'
import { usePageUrl } from '#web/core/page.ts'
import { historyText } from '#web/text/history.ts'
import { groupByAge } from './sessionGroups.ts'
import { HistoryError } from './HistoryError.tsx'
import { useEndReached, useSessions } from './queries.ts'
import { HistorySkeleton } from './HistorySkeleton.tsx'
import { DeleteSessionDialog } from './DeleteSessionDialog.tsx'
import { SessionRow } from './SessionRow.tsx'

/**
 * All conversations with the general assistant, or with the chatbot named: the pinned ones on top, the others by age; more come
 * with scrolling.
 */
export function SessionGroups({ chatbot }: { chatbot?: string }) {
  const headings = useId()
  const sess_id = usePageUrl().searchParams.get('sess_id')
  const { data, isPending, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useSessions(
    '',
    chatbot,
  )
  const [deleting, setDeleting] = useState<ChatSession | null>(null)
  // Here and not in its row: a row that moves to another group begins anew.
  const [renaming, setRenaming] = useState<string | null>(null)
  const endRef = useEndReached(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  })

  if (isPending) return <HistorySkeleton />
  if (isError) return <HistoryError onRetry={() => void refetch()} />
  const groups = groupByAge(
    data.pages.flatMap((page) => page.items),
    new Date(),
  )
  return (
    <>
      {groups.map(({ group, sessions }) => (
        <section key={group} aria-labelledby={`${headings}-${group}`}>
          <h2 id={`${headings}-${group}`} className="px-3 pt-3 pb-1.5 text-xs text-ink3">
            {historyText[group]}
          </h2>
          <ul className="flex flex-col gap-0.5">
            {sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isCurrent={session.id === sess_id}
                isRenaming={session.id === renaming}
                onRenaming={(now) => setRenaming(now ? session.id : null)}
                onDelete={() => setDeleting(session)}
              />
            ))}
          </ul>
        </section>
      ))}
      {!groups.length && (
        <p className="px-3 py-2 text-note leading-6 text-ink3">{historyText.noSessionsHint}</p>
      )}
      <div ref={endRef}>{isFetchingNextPage && <HistorySkeleton />}</div>
      <DeleteSessionDialog
        session={deleting}
        isCurrent={deleting?.id === sess_id}
        onClose={() => setDeleting(null)}
      />
    </>
  )
}
