import { messagesText } from '#web/text/messages.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'

type Props = { onDelete: () => Promise<void>; onClose: () => void }

/** Asks before a turn is deleted. */
export default function DeleteTurnDialog({ onDelete, onClose }: Props) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={messagesText.removeTitle}
      description={messagesText.removeText}
      confirmLabel={messagesText.remove}
      danger
      onConfirm={onDelete}
    />
  )
}
