import { router } from '@inertiajs/react'
import type { ChatSession } from '#contract/chat.ts'
import { chatText } from '../text/chat.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { removeSession } from './sessions.ts'

type Props = { session: ChatSession | null; shown: boolean; onClose: () => void }

/** Asks before a conversation is deleted; the one on the screen gives way to a new one. */
export function RemoveSession({ session, shown, onClose }: Props) {
  const remove = async () => {
    if (!session || !(await removeSession(session.id))) return
    if (shown) router.visit('/chat', { replace: true })
  }
  return (
    <ConfirmDialog
      open={session !== null}
      onOpenChange={onClose}
      title={chatText.removeTitle}
      description={session ? chatText.removeText(session.title || chatText.untitled) : ''}
      confirmLabel={chatText.remove}
      danger
      onConfirm={remove}
    />
  )
}
