import type { Prompt } from '#contract/prompts.ts'
import { ApiError, request } from '../core/api.ts'
import { promptsText } from '../text/prompts.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { toast } from '../ui/toast.ts'
import { reloadPrompts } from './queries.ts'

/** Asks before one of a person's own prompts is deleted. */
export function RemovePrompt({ prompt, onClose }: { prompt: Prompt | null; onClose: () => void }) {
  const remove = async () => {
    if (!prompt) return
    try {
      await request('DELETE /api/chat/prompts/{id}', { params: { id: prompt.id } })
      toast.success(promptsText.removed)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast.error(error.message)
    }
    await reloadPrompts()
  }
  return (
    <ConfirmDialog
      open={prompt !== null}
      onOpenChange={onClose}
      title={promptsText.removeTitle}
      description={promptsText.removeText(prompt?.title ?? '')}
      confirmLabel={promptsText.removeConfirm}
      danger
      onConfirm={remove}
    />
  )
}
