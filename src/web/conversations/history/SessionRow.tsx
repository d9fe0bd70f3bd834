import { Link } from '@inertiajs/react'
import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  FolderInput,
  ListChecks,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react'
import { useRef, type KeyboardEvent, type MouseEvent } from 'react'
import { flushSync } from 'react-dom'
import type { ChatSession } from '#contract/chat.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { historyText } from '#web/text/history/history.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import {
  archiveSessions,
  changeSessions,
  getSessionUrl,
  MAX_TITLE_CHARS,
  onSessionLinkClick,
  updateSession,
} from '#web/conversations/conversations.ts'
import { createDragProps } from './dragSession.ts'
import { RenameField } from './RenameField.tsx'
import type { SessionMark } from './sessionMarks.ts'

type Props = {
  session: ChatSession
  isCurrent: boolean
  mark: SessionMark | undefined
  isRenaming: boolean
  onRenaming: (renaming: boolean) => void
  onDelete: () => void
  /** Absent where there are no folders. */
  onMove: (() => void) | undefined
  /** Id of the conversation's folder; null for none. Absent where there are no folders. */
  folder_id: string | null | undefined
  /** Starts a selection of several conversations with this one. */
  onSelect: () => void
}

/** A conversation: a link to it, and a menu of actions. A double click or F2 renames it in place. */
export function SessionRow({
  session,
  isCurrent,
  mark,
  isRenaming,
  onRenaming,
  onDelete,
  onMove,
  folder_id,
  onSelect,
}: Props) {
  const { id, pinned, archived } = session
  const title = session.title || historyText.untitled
  const href = getSessionUrl(session)
  const link = useRef<HTMLAnchorElement>(null)
  const startRename = (event: KeyboardEvent | MouseEvent) => {
    event.preventDefault()
    onRenaming(true)
  }
  if (isRenaming) {
    return (
      <li>
        <RenameField
          value={session.title}
          label={historyText.renameLabel(session.title)}
          maxLength={MAX_TITLE_CHARS}
          onSave={(title) => updateSession(id, { title })}
          onClose={(focus) => {
            // Rendered at once, so that the link exists for the focus.
            flushSync(() => onRenaming(false))
            if (focus) link.current?.focus()
          }}
        />
      </li>
    )
  }
  return (
    // Only hovering fades in: colours that fade while a conversation opens would be computed in every frame.
    <li
      data-shown={isCurrent || undefined}
      className="group relative flex items-center rounded-[10px] hover:bg-fill hover:transition-colors data-[shown]:bg-fill2 data-[shown]:transition-none"
    >
      <Link
        ref={link}
        href={href}
        onClick={(event) => onSessionLinkClick(event, id, href)}
        onDoubleClick={startRename}
        {...(folder_id !== undefined && createDragProps(id, folder_id))}
        onKeyDown={(event) => event.key === 'F2' && startRename(event)}
        aria-current={isCurrent ? 'page' : undefined}
        className="min-w-0 flex-1 truncate rounded-[10px] py-2 pr-2 pl-3 leading-5 max-md:py-3"
      >
        {title}
      </Link>
      {mark && (
        <span
          role="img"
          aria-label={historyText[mark]}
          data-tooltip={historyText[mark]}
          className="absolute right-4 grid size-4 place-items-center group-focus-within:opacity-0 group-hover:opacity-0 max-md:right-11 max-md:opacity-100!"
        >
          <span
            className={
              mark === 'running'
                ? 'size-3 animate-spin rounded-full border-2 border-accent/25 border-t-accent'
                : 'size-2 rounded-full bg-accent'
            }
          />
        </span>
      )}
      <Menu
        placement="bottom-end"
        items={[
          {
            label: pinned ? historyText.unpin : historyText.pin,
            icon: pinned ? <PinOff size={16} /> : <Pin size={16} />,
            onSelect: () => void updateSession(id, { pinned: !pinned }),
          },
          {
            label: archived ? historyText.restore : historyText.archive,
            icon: archived ? <ArchiveRestore size={16} /> : <Archive size={16} />,
            onSelect: () => void (archived ? changeSessions([id], 'restore') : archiveSessions([id])),
          },
          ...(onMove ? [{ label: foldersText.move, icon: <FolderInput size={16} />, onSelect: onMove }] : []),
          { label: historyText.select, icon: <ListChecks size={16} />, onSelect },
          { label: historyText.rename, icon: <Pencil size={16} />, onSelect: () => onRenaming(true) },
          'separator',
          { label: historyText.remove, icon: <Trash2 size={16} />, danger: true, onSelect: onDelete },
        ]}
        trigger={(props) => (
          <IconButton
            {...props}
            label={historyText.sessionMenu(title)}
            size="sm"
            className="mr-1 opacity-0 group-hover:opacity-100 hover:bg-line2/60! focus-visible:opacity-100 aria-expanded:opacity-100 group-data-[shown]:opacity-100 max-md:mr-0 max-md:opacity-100"
          >
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        )}
      />
    </li>
  )
}
