import type { Prompt } from '#contract/prompts.ts'
import { request } from '#web/core/api.ts'
import { promptsText } from '#web/text/prompts.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { invalidatePrompts } from './queries.ts'

/** Asks before deleting one of the person's own prompts. */
export function DeletePromptDialog({ prompt, onClose }: { prompt: Prompt | null; onClose: () => void }) {
  const confirm = async () => {
    if (!prompt) return
    await withToast(() => request('DELETE /api/chat/prompts/{id}', { params: { id: prompt.id } }), {
      done: promptsText.removed,
    })
    await invalidatePrompts()
  }
  return (
    <ConfirmDialog
      open={prompt !== null}
      onOpenChange={onClose}
      title={promptsText.removeTitle}
      description={promptsText.removeText(prompt?.title ?? '')}
      confirmLabel={promptsText.removeConfirm}
      danger
      onConfirm={confirm}
    />
  )
}
