import { Check, Folder as FolderIcon, FolderMinus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Folder } from '#contract/conversations/folders.ts'
import {
  createFolder,
  MAX_FOLDER_NAME_CHARS,
  moveSessions,
  type SessionsInFolder,
} from '#web/conversations/conversations.ts'
import { useForm } from '#web/core/useForm.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { setFolderOpen } from './openFolders.ts'
import { useFolders } from './queries.ts'

type Props = {
  moving: SessionsInFolder | null
  onClose: () => void
  /** Called when the conversations have been moved. */
  onMoved: () => void
}

/** Asks for the place of conversations: an existing folder, a new one, or none. */
export default function MoveDialog({ moving, onClose, onMoved }: Props) {
  return (
    <Dialog
      open={moving !== null}
      onOpenChange={onClose}
      title={foldersText.moveMany(moving?.ids.length ?? 1)}
    >
      {moving && (
        <Choice
          moving={moving}
          onMoved={() => {
            onClose()
            onMoved()
          }}
        />
      )}
    </Dialog>
  )
}

function Choice({ moving, onMoved }: { moving: SessionsInFolder; onMoved: () => void }) {
  const { data: folders = [] } = useFolders(true)
  const [pending, setPending] = useState(false)
  const form = useForm({ name: '' })
  const move = async (to: Folder | null) => {
    setPending(true)
    const isMoved = await moveSessions(moving, to)
    setPending(false)
    if (isMoved) onMoved()
  }
  const onSubmit = form.handleSubmit(({ name }) => createFolder(name), {
    onSuccess: async (folder) => {
      setFolderOpen(folder.id, true)
      await move(folder)
    },
  })
  const reason = form.errors.name ?? form.errors.form
  return (
    <>
      {folders.length > 0 && (
        <ul className="-mx-2.5 flex max-h-72 flex-col gap-0.5 overflow-y-auto">
          {folders.map((folder) => {
            const isHere = folder.id === moving.folder_id
            return (
              <Row
                key={folder.id}
                icon={<FolderIcon size={16} aria-hidden />}
                isHere={isHere}
                disabled={pending || isHere}
                onClick={() => void move(folder)}
              >
                {folder.name}
              </Row>
            )
          })}
          {moving.folder_id !== null && (
            <Row
              icon={<FolderMinus size={16} aria-hidden />}
              disabled={pending}
              onClick={() => void move(null)}
            >
              {foldersText.moveOut}
            </Row>
          )}
        </ul>
      )}
      <form noValidate onSubmit={onSubmit}>
        <FormField label={foldersText.newName} error={reason}>
          {(field) => (
            <div className="flex gap-2">
              <Input
                {...field}
                value={form.data.name}
                onChange={({ target }) => form.setData({ name: target.value })}
                maxLength={MAX_FOLDER_NAME_CHARS}
                autoComplete="off"
              />
              <Button
                type="submit"
                variant="primary"
                disabled={!form.data.name.trim()}
                pending={form.processing}
                className="h-10"
              >
                {foldersText.create}
              </Button>
            </div>
          )}
        </FormField>
      </form>
    </>
  )
}

type RowProps = {
  icon: ReactNode
  isHere?: boolean
  disabled: boolean
  onClick: () => void
  children: string
}

const Row = ({ icon, isHere = false, disabled, onClick, children }: RowProps) => (
  <li>
    <button
      type="button"
      aria-current={isHere || undefined}
      disabled={disabled}
      onClick={onClick}
      className="flex w-full items-center gap-2.5 rounded-lg px-2.5 py-2 text-left hover:bg-fill disabled:hover:bg-transparent max-md:min-h-11"
    >
      <span className="shrink-0 text-ink2">{icon}</span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {isHere && <Check size={16} aria-hidden className="shrink-0 text-accent" />}
    </button>
  </li>
)
