import { useId, useState } from 'react'
import type { ChatSession } from '#contract/chat.ts'
import type { ListedSession } from '#contract/conversations/sessions.ts'
import type { SessionsInFolder } from '#web/conversations/conversations.ts'
import { usePageUrl } from '#web/core/page.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { DeleteSessionDialog } from './DeleteSessionDialog.tsx'
import { SessionRow } from './SessionRow.tsx'
import { useSessionMarks } from './useSessionMarks.ts'

const SelectionList = lazyComponent(() => import('./SelectionList.tsx'))
const MoveDialog = lazyComponent(() => import('./MoveDialog.tsx'), {
  getOnClose: ({ moving, onClose }) => moving !== null && onClose,
})

type Props = {
  groups: readonly { heading?: string; sessions: ListedSession[] }[]
  isArchive?: boolean
  /** Id of the folder that holds all of them; null for none. Absent where there are no folders. */
  folder_id?: string | null | undefined
  /** The session with which the selection began. */
  selecting: string | null
  onSelecting: (id: string | null) => void
}

/** Conversations under their headings, with the actions on one of them or on several. */
export function SessionRows({ groups, isArchive = false, folder_id, selecting, onSelecting }: Props) {
  const headings = useId()
  const sessId = usePageUrl().searchParams.get('sess_id')
  const [deleting, setDeleting] = useState<ChatSession | null>(null)
  const [moving, setMoving] = useState<SessionsInFolder | null>(null)
  // Kept here and not in the row, because a row that moves to another group is mounted anew.
  const [renaming, setRenaming] = useState<string | null>(null)
  const sessions = groups.flatMap((group) => group.sessions)
  const marks = useSessionMarks(sessions, sessId)
  const onMove =
    folder_id === undefined ? undefined : (ids: readonly string[]) => setMoving({ ids, folder_id })

  const moveDialog = onMove && (
    <MoveDialog moving={moving} onClose={() => setMoving(null)} onMoved={() => onSelecting(null)} />
  )
  if (selecting && sessions.length)
    return (
      <>
        <SelectionList
          sessions={sessions}
          currentId={sessId}
          initialId={selecting}
          isArchive={isArchive}
          onMove={onMove}
          onClose={() => onSelecting(null)}
        />
        {moveDialog}
      </>
    )
  return (
    <>
      {groups.map(({ heading, sessions }) => {
        const id = `${headings}-${heading}`
        const rows = (
          <ul className="flex flex-col gap-0.5">
            {sessions.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isCurrent={session.id === sessId}
                mark={session.id === sessId ? undefined : marks[session.id]}
                isRenaming={session.id === renaming}
                onRenaming={(now) => setRenaming(now ? session.id : null)}
                onDelete={() => setDeleting(session)}
                folder_id={folder_id}
                onMove={onMove && (() => onMove([session.id]))}
                onSelect={() => onSelecting(session.id)}
              />
            ))}
          </ul>
        )
        return heading ? (
          <section key={heading} aria-labelledby={id}>
            <h2 id={id} className="px-3 pt-3 pb-1.5 text-xs text-ink3">
              {heading}
            </h2>
            {rows}
          </section>
        ) : (
          <div key="rows">{rows}</div>
        )
      })}
      <DeleteSessionDialog
        session={deleting}
        isCurrent={deleting?.id === sessId}
        onClose={() => setDeleting(null)}
      />
      {moveDialog}
    </>
  )
}
