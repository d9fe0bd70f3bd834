import { useState } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { promptsText } from '#web/text/prompts.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { PromptForm } from './PromptForm.tsx'
import { PromptList } from './PromptList.tsx'
import { DeletePromptDialog } from './DeletePromptDialog.tsx'

type Props = { onChoose: (text: string) => void; onClose: () => void }

/** Shows all prompts. The person's own ones are written, changed and deleted here too. */
export default function PromptLibrary({ onChoose, onClose }: Props) {
  const [editing, setEditing] = useState<Prompt | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Prompt | null>(null)
  const [filter, setFilter] = useState({ q: '', category: '' })
  const title =
    editing === null ? promptsText.title : editing === 'new' ? promptsText.createTitle : promptsText.editTitle
  return (
    <Dialog
      kind="wide"
      open
      onOpenChange={onClose}
      title={title}
      {...(editing ? {} : { description: promptsText.hint })}
    >
      {editing ? (
        <PromptForm prompt={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      ) : (
        <PromptList
          filter={filter}
          onFilterChange={setFilter}
          onChoose={onChoose}
          onEdit={setEditing}
          onDelete={setDeleting}
        />
      )}
      <DeletePromptDialog prompt={deleting} onClose={() => setDeleting(null)} />
    </Dialog>
  )
}
