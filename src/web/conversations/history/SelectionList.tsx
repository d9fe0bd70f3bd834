import { router } from '@inertiajs/react'
import { Archive, ArchiveRestore, FolderInput, Trash2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ChatSession } from '#contract/chat.ts'
import { archiveSessions, changeSessions } from '#web/conversations/conversations.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { historyText } from '#web/text/history/history.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { toggleSelection, type Selection } from './selection.ts'

type Props = {
  sessions: readonly ChatSession[]
  /** The conversation on the screen. */
  currentId: string | null
  /** The conversation that is selected first. */
  initialId: string
  isArchive: boolean
  /** Absent where there are no folders. */
  onMove: ((ids: string[]) => void) | undefined
  onClose: () => void
}

/** The conversations with checkboxes, to archive, restore, move or delete several together. Escape ends the selection. */
export default function SelectionList({ sessions, currentId, initialId, isArchive, onMove, onClose }: Props) {
  const [selection, setSelection] = useState<Selection>({ ids: new Set([initialId]), anchor: initialId })
  const [isDeleting, setDeleting] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const order = sessions.map(({ id }) => id)
  const selectedIds = order.filter((id) => selection.ids.has(id))
  useEffect(() => list.current?.querySelector<HTMLInputElement>('input:checked')?.focus(), [])
  const changeAll = async (change: Promise<boolean>) => {
    if (await change) onClose()
  }
  const remove = async () => {
    if (!(await changeSessions(selectedIds, 'delete'))) return
    onClose()
    if (currentId && selectedIds.includes(currentId)) router.visit(location.pathname, { replace: true })
  }
  const isAll = selectedIds.length === order.length
  return (
    <div onKeyDown={({ key }) => key === 'Escape' && !isDeleting && onClose()}>
      <div
        role="toolbar"
        aria-label={historyText.selection}
        className="sticky top-0 z-1 flex flex-wrap items-center justify-end bg-bg py-1.5 pl-3 whitespace-nowrap"
      >
        <span role="status" className="mr-auto text-xs text-ink2 tabular-nums">
          {historyText.selected(selectedIds.length)}
        </span>
        <button
          type="button"
          onClick={() => setSelection(({ anchor }) => ({ ids: new Set(isAll ? [] : order), anchor }))}
          className="h-7 rounded-lg px-2 text-xs text-ink2 hover:bg-fill max-md:h-11"
        >
          {isAll ? historyText.selectNone : historyText.selectAll}
        </button>
        {/* Together on a line of their own where there is no room for all. */}
        <div className="flex">
          <IconButton
            size="sm"
            label={isArchive ? historyText.restore : historyText.archive}
            disabled={!selectedIds.length}
            onClick={() =>
              void changeAll(
                isArchive ? changeSessions(selectedIds, 'restore') : archiveSessions(selectedIds),
              )
            }
          >
            {isArchive ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
          </IconButton>
          {onMove && (
            <IconButton
              size="sm"
              label={foldersText.move}
              disabled={!selectedIds.length}
              onClick={() => onMove(selectedIds)}
            >
              <FolderInput size={16} aria-hidden />
            </IconButton>
          )}
          <IconButton
            size="sm"
            label={historyText.remove}
            disabled={!selectedIds.length}
            onClick={() => setDeleting(true)}
          >
            <Trash2 size={16} aria-hidden />
          </IconButton>
          <IconButton size="sm" label={historyText.endSelection} onClick={onClose}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      </div>
      <ul ref={list} className="flex flex-col gap-0.5">
        {sessions.map(({ id, title }) => (
          <li key={id}>
            <label className="flex items-center gap-2.5 rounded-[10px] py-2 pr-3 pl-3 leading-5 select-none hover:bg-fill has-checked:bg-accent-soft max-md:py-3">
              <input
                type="checkbox"
                checked={selection.ids.has(id)}
                onChange={({ nativeEvent }) => {
                  const withShift = (nativeEvent as MouseEvent).shiftKey
                  setSelection((now) => toggleSelection(now, id, order, withShift))
                }}
                className="size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 truncate">{title || historyText.untitled}</span>
            </label>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title={historyText.removeManyTitle(selectedIds.length)}
        description={historyText.removeManyText}
        confirmLabel={historyText.remove}
        danger
        onConfirm={remove}
      />
    </div>
  )
}
