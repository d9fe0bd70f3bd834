import { Archive, ArrowLeft } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type { ChatSession } from '#contract/chat.ts'
import { usePageUrl } from '#web/core/page.ts'
import { historyText } from '#web/text/history.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { groupByAge } from './sessionGroups.ts'
import { HistoryError } from './HistoryError.tsx'
import { useEndReached, useSessions } from './queries.ts'
import { HistorySkeleton } from './HistorySkeleton.tsx'
import { DeleteSessionDialog } from './DeleteSessionDialog.tsx'
import { SessionRow } from './SessionRow.tsx'
import { useSessionMarks } from './useSessionMarks.ts'

const SelectionList = lazyComponent(() => import('./SelectionList.tsx'))

/**
 * All conversations with the general assistant, or with the chatbot named: the pinned ones on top, the others by age; more come
 * with scrolling.
 */
export function SessionGroups({ chatbot }: { chatbot?: string }) {
  const headings = useId()
  const sess_id = usePageUrl().searchParams.get('sess_id')
  const [tab, setTab] = useState<'active' | 'archived'>('active')
  const isArchive = tab === 'archived'
  const { data, isPending, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useSessions(
    '',
    chatbot,
    tab,
  )
  /** The session with which choosing several began. */
  const [selecting, setSelecting] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<ChatSession | null>(null)
  // Here and not in its row: a row that moves to another group begins anew.
  const [renaming, setRenaming] = useState<string | null>(null)
  const endRef = useEndReached(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  })

  const sessions = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data])
  const marks = useSessionMarks(sessions, sess_id)

  if (isPending) return <HistorySkeleton />
  if (isError) return <HistoryError onRetry={() => void refetch()} />
  const groups = groupByAge(sessions, new Date())
  const toggleArchive = (
    <button
      type="button"
      onClick={() => setTab(isArchive ? 'active' : 'archived')}
      className="mt-2 flex w-full items-center gap-2 rounded-[10px] px-3 py-2 text-left text-note text-ink2 hover:bg-fill max-md:py-3"
    >
      {isArchive ? <ArrowLeft size={15} aria-hidden /> : <Archive size={15} aria-hidden />}
      {isArchive ? historyText.back : historyText.archived}
    </button>
  )
  if (selecting && sessions.length)
    return (
      <>
        <SelectionList
          sessions={groups.flatMap((group) => group.sessions)}
          currentId={sess_id}
          initialId={selecting}
          isArchive={isArchive}
          onClose={() => setSelecting(null)}
        />
        <div ref={endRef}>{isFetchingNextPage && <HistorySkeleton />}</div>
      </>
    )
  return (
    <>
      {isArchive && toggleArchive}
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
                mark={session.id === sess_id ? undefined : marks[session.id]}
                isRenaming={session.id === renaming}
                onRenaming={(now) => setRenaming(now ? session.id : null)}
                onDelete={() => setDeleting(session)}
                onSelect={() => setSelecting(session.id)}
              />
            ))}
          </ul>
        </section>
      ))}
      {!groups.length && (
        <p className="px-3 py-2 text-note leading-6 text-ink3">
          {isArchive ? historyText.noArchived : historyText.noSessionsHint}
        </p>
      )}
      <div ref={endRef}>{isFetchingNextPage && <HistorySkeleton />}</div>
      {!isArchive && !hasNextPage && toggleArchive}
      <DeleteSessionDialog
        session={deleting}
        isCurrent={deleting?.id === sess_id}
        onClose={() => setDeleting(null)}
      />
    </>
  )
}
