import { turnsText } from '../text/turns.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

type Props = { onRemove: () => Promise<void>; onClose: () => void }

/** Asks before a turn is deleted. */
export default function RemoveTurn({ onRemove, onClose }: Props) {
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={turnsText.removeTitle}
      description={turnsText.removeText}
      confirmLabel={turnsText.remove}
      danger
      onConfirm={onRemove}
    />
  )
}
