import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Prompt } from '#contract/prompts.ts'
import { promptsText } from '#web/text/prompts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { MoreButton } from '#web/ui/layout/MoreButton.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { DeletePromptDialog } from './DeletePromptDialog.tsx'
import { PromptForm } from './PromptForm.tsx'
import { usePrompts } from './queries.ts'

/** Lists the person's own prompts, to add, change and delete them. */
export default function OwnPrompts() {
  const query = usePrompts({ q: '', category: 'own' })
  const [editing, setEditing] = useState<Prompt | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Prompt | null>(null)
  return (
    <div className="flex flex-col items-start gap-3">
      <QueryView
        query={query}
        failed={promptsText.failed}
        skeleton={<Skeleton className="h-14 w-full" />}
        compact
        isEmpty={({ pages }) => !pages[0]?.items.length}
        empty={<p className="text-note text-ink3">{`${promptsText.noOwn}。${promptsText.noOwnHint}`}</p>}
      >
        {({ pages }) => (
          <ul aria-label={promptsText.ownTitle} className="w-full divide-y rounded-xl border">
            {pages
              .flatMap((page) => page.items)
              .map((prompt) => (
                <li key={prompt.id} className="flex items-center py-2 pr-2 pl-3.5">
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{prompt.title}</span>
                    <span className="block truncate text-note text-ink3">{prompt.desc || prompt.text}</span>
                  </span>
                  <IconButton
                    label={promptsText.edit(prompt.title)}
                    size="sm"
                    onClick={() => setEditing(prompt)}
                  >
                    <Pencil size={15} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={promptsText.remove(prompt.title)}
                    size="sm"
                    onClick={() => setDeleting(prompt)}
                  >
                    <Trash2 size={15} aria-hidden />
                  </IconButton>
                </li>
              ))}
          </ul>
        )}
      </QueryView>
      <MoreButton query={query} size="sm">
        {promptsText.more}
      </MoreButton>
      <Button size="sm" onClick={() => setEditing('new')}>
        <Plus size={15} aria-hidden />
        {promptsText.create}
      </Button>
      <Dialog
        kind="wide"
        open={editing !== null}
        onOpenChange={() => setEditing(null)}
        title={editing === 'new' ? promptsText.createTitle : promptsText.editTitle}
      >
        {editing && (
          <PromptForm prompt={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
        )}
      </Dialog>
      <DeletePromptDialog prompt={deleting} onClose={() => setDeleting(null)} />
    </div>
  )
}
