import { clsx } from 'clsx'
import { FolderMinus } from 'lucide-react'
import { useState } from 'react'
import type { ListedFolder } from '#contract/conversations/folders.ts'
import { deleteFolder } from '#web/conversations/conversations.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { FolderRow } from './FolderRow.tsx'
import { setFolderOpen } from './openFolders.ts'
import { DROP_TARGET, useSessionDrop } from './useSessionDrop.ts'

/** The person's folders; an open one lists its conversations. */
export default function FolderList({ folders }: { folders: readonly ListedFolder[] }) {
  const [renaming, setRenaming] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<ListedFolder | null>(null)
  const remove = async () => {
    if (deleting && (await deleteFolder(deleting.id))) setFolderOpen(deleting.id, false)
  }
  return (
    <section aria-label={foldersText.folders} className="mt-2">
      <ul className="flex flex-col gap-0.5">
        {folders.map((folder) => (
          <FolderRow
            key={folder.id}
            folder={folder}
            isRenaming={folder.id === renaming}
            onRenaming={(now) => setRenaming(now ? folder.id : null)}
            onDelete={() => setDeleting(folder)}
          />
        ))}
      </ul>
      <WayOut />
      <ConfirmDialog
        open={deleting !== null}
        onOpenChange={() => setDeleting(null)}
        title={foldersText.removeTitle(deleting?.name ?? '')}
        description={foldersText.removeText}
        confirmLabel={foldersText.remove}
        danger
        onConfirm={remove}
      />
    </section>
  )
}

/** A drop target that takes a conversation out of its folder, shown while such a one is dragged. */
function WayOut() {
  const { canDrop, isOver, dropProps } = useSessionDrop(null)
  if (!canDrop) return null
  return (
    <p
      {...dropProps}
      className={clsx(
        'sticky bottom-1 z-10 mt-1 flex items-center justify-center gap-2 rounded-[10px] border border-dashed py-3 text-note text-ink2',
        isOver ? DROP_TARGET : 'bg-panel',
      )}
    >
      <FolderMinus size={16} aria-hidden />
      {foldersText.moveOut}
    </p>
  )
}
