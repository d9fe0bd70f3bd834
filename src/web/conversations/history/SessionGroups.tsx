import { Archive, ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useUser } from '#web/core/user.ts'
import { historyText } from '#web/text/history/history.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { groupByAge } from './sessionGroups.ts'
import { HistoryEnd } from './HistoryEnd.tsx'
import { HistoryError } from './HistoryError.tsx'
import { HistorySkeleton } from './HistorySkeleton.tsx'
import { useFolders, useSessions } from './queries.ts'
import { SessionRows } from './SessionRows.tsx'

const FolderList = lazyComponent(() => import('./FolderList.tsx'))

/**
 * All conversations with the general assistant or the given chatbot: first folders, then pinned ones, then the others by age.
 * Scrolling loads more.
 */
export function SessionGroups({ chatbot }: { chatbot?: string }) {
  const [tab, setTab] = useState<'active' | 'archived'>('active')
  const isArchive = tab === 'archived'
  const hasFolders = useUser() !== null && !chatbot
  const folders = useFolders(hasFolders)
  const query = useSessions('', { chatbot, tab, folder_id: chatbot || isArchive ? undefined : 'none' })
  const { data, isPending, refetch, hasNextPage } = query
  const [selecting, setSelecting] = useState<string | null>(null)

  // Both appear together: folders arriving later would push away what the person is about to click.
  if (isPending || folders.isLoading) return <HistorySkeleton />
  // Loaded data stay, even if a refetch fails.
  if (!data || (hasFolders && !folders.data))
    return <HistoryError onRetry={() => void Promise.all([refetch(), hasFolders && folders.refetch()])} />
  const groups = groupByAge(
    data.pages.flatMap((page) => page.items),
    new Date(),
  ).map(({ group, sessions }) => ({ heading: historyText[group], sessions }))
  const isSelecting = selecting !== null && groups.length > 0
  const shownFolders = isArchive ? [] : (folders.data ?? [])
  const toggleArchive = !isSelecting && (
    <button
      type="button"
      onClick={() => setTab(isArchive ? 'active' : 'archived')}
      className="mt-2 flex w-full items-center gap-2 rounded-[10px] px-3 py-2 text-left text-note text-ink2 hover:bg-fill max-md:py-3"
    >
      {isArchive ? <ArrowLeft size={15} aria-hidden /> : <Archive size={15} aria-hidden />}
      {isArchive ? historyText.back : historyText.archived}
    </button>
  )
  return (
    <>
      {isArchive && toggleArchive}
      {!isSelecting && shownFolders.length > 0 && <FolderList folders={shownFolders} />}
      <SessionRows
        groups={groups}
        isArchive={isArchive}
        folder_id={hasFolders && !isArchive ? null : undefined}
        selecting={selecting}
        onSelecting={setSelecting}
      />
      {!groups.length && !shownFolders.length && (
        <p className="px-3 py-2 text-note leading-6 text-ink3">
          {isArchive ? historyText.noArchived : historyText.noSessionsHint}
        </p>
      )}
      <HistoryEnd query={query} />
      {!isArchive && !hasNextPage && toggleArchive}
    </>
  )
}
