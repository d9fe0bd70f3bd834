import { router } from '@inertiajs/react'
import type { ChatSession } from '#contract/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { deleteSession } from '#web/conversations/conversations.ts'

type Props = { session: ChatSession | null; isCurrent: boolean; onClose: () => void }

/** Asks before a conversation is deleted; a deleted one on the screen is replaced by a new one on the same page. */
export function DeleteSessionDialog({ session, isCurrent, onClose }: Props) {
  const confirm = async () => {
    if (!session || !(await deleteSession(session.id))) return
    if (isCurrent) router.visit(location.pathname, { replace: true })
  }
  return (
    <ConfirmDialog
      open={session !== null}
      onOpenChange={onClose}
      title={historyText.removeTitle}
      description={session ? historyText.removeText(session.title || historyText.untitled) : ''}
      confirmLabel={historyText.remove}
      danger
      onConfirm={confirm}
    />
  )
}
