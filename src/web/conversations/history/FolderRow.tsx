import { clsx } from 'clsx'
import { Ellipsis, Folder as FolderIcon, FolderOpen, Pencil, Trash2 } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { ListedFolder } from '#contract/conversations/folders.ts'
import { MAX_FOLDER_NAME_CHARS, renameFolder } from '#web/conversations/conversations.ts'
import { loadNextPage } from '#web/core/queryClient.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { HistoryError } from './HistoryError.tsx'
import { HistorySkeleton } from './HistorySkeleton.tsx'
import { setFolderOpen, useOpenFolders } from './openFolders.ts'
import { useSessions } from './queries.ts'
import { RenameField } from './RenameField.tsx'
import { SessionRows } from './SessionRows.tsx'
import { DROP_TARGET, useSessionDrop } from './useSessionDrop.ts'

type Props = {
  folder: ListedFolder
  isRenaming: boolean
  onRenaming: (renaming: boolean) => void
  onDelete: () => void
}

/** A folder: a button that shows its conversations, and a menu of actions. F2 renames it in place. */
export function FolderRow({ folder, isRenaming, onRenaming, onDelete }: Props) {
  const { id, name, count } = folder
  const { isOver, dropProps } = useSessionDrop(folder)
  const isOpen = useOpenFolders().includes(id)
  const panelId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const Icon = isOpen ? FolderOpen : FolderIcon
  const startRename = (event: KeyboardEvent) => {
    event.preventDefault()
    onRenaming(true)
  }
  return (
    <li {...dropProps} className={clsx('rounded-[10px]', isOver && DROP_TARGET)}>
      {isRenaming ? (
        <RenameField
          value={name}
          label={foldersText.renameLabel(name)}
          maxLength={MAX_FOLDER_NAME_CHARS}
          onSave={(next) => renameFolder(id, next)}
          onClose={(focus) => {
            // Rendered at once, so that the button exists for the focus.
            flushSync(() => onRenaming(false))
            if (focus) button.current?.focus()
          }}
        />
      ) : (
        <div className="group relative flex items-center rounded-[10px] hover:bg-fill hover:transition-colors">
          <button
            ref={button}
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? panelId : undefined}
            onClick={() => setFolderOpen(id, !isOpen)}
            onKeyDown={(event) => event.key === 'F2' && startRename(event)}
            className="flex min-w-0 flex-1 items-center gap-2.5 rounded-[10px] py-2 pr-2 pl-3 text-left leading-5 max-md:py-3 max-md:pr-9"
          >
            <Icon size={16} aria-hidden className="shrink-0 text-ink2" />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span
              aria-label={foldersText.count(count)}
              role="img"
              className="absolute right-4 text-xs text-ink3 tabular-nums group-focus-within:opacity-0 group-hover:opacity-0 max-md:right-12 max-md:opacity-100!"
            >
              {count}
            </span>
          </button>
          <Menu
            placement="bottom-end"
            items={[
              {
                label: foldersText.rename,
                icon: <Pencil size={16} />,
                onSelect: () => onRenaming(true),
              },
              'separator',
              { label: foldersText.remove, icon: <Trash2 size={16} />, danger: true, onSelect: onDelete },
            ]}
            trigger={(props) => (
              <IconButton
                {...props}
                label={foldersText.menu(name)}
                size="sm"
                className="mr-1 opacity-0 group-hover:opacity-100 hover:bg-line2/60! focus-visible:opacity-100 aria-expanded:opacity-100 max-md:mr-0 max-md:opacity-100"
              >
                <Ellipsis size={16} aria-hidden />
              </IconButton>
            )}
          />
        </div>
      )}
      {isOpen && (
        <div id={panelId} className="my-0.5 ml-5 border-l pl-1">
          <FolderSessions folder_id={id} />
        </div>
      )}
    </li>
  )
}

/** The conversations in a folder, of any age. */
function FolderSessions({ folder_id }: { folder_id: string }) {
  const query = useSessions('', { folder_id })
  const { data, isPending, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  const [selecting, setSelecting] = useState<string | null>(null)
  if (isPending) return <HistorySkeleton />
  if (!data) return <HistoryError onRetry={() => void refetch()} />
  const all = data.pages.flatMap((page) => page.items)
  // A conversation that moved down while pages were read is on two of them.
  const sessions = [...new Map(all.map((session) => [session.id, session])).values()]
  if (!sessions.length) return <p className="px-3 py-2 text-note leading-5 text-ink3">{foldersText.empty}</p>
  return (
    <>
      <SessionRows
        groups={[{ sessions }]}
        folder_id={folder_id}
        selecting={selecting}
        onSelecting={setSelecting}
      />
      {isFetchNextPageError && !isFetchingNextPage ? (
        <HistoryError onRetry={() => void loadNextPage(query)} />
      ) : (
        hasNextPage && (
          <button
            type="button"
            disabled={isFetchingNextPage}
            onClick={() => void loadNextPage(query)}
            className="w-full rounded-[10px] px-3 py-2 text-left text-note text-ink2 hover:bg-fill max-md:py-3"
          >
            {foldersText.more}
          </button>
        )
      )}
    </>
  )
}
