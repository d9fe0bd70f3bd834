import type { LucideIcon } from 'lucide-react'
import { IconButton } from '../IconButton.tsx'

/** An action in the top bar that opens a dialog. */
export type DialogAction = { label: string; icon: LucideIcon; onSelect: () => void }

export const ActionButton = ({ label, icon: Icon, onSelect }: DialogAction) => (
  <IconButton label={label} aria-haspopup="dialog" onClick={onSelect}>
    <Icon size={18} aria-hidden />
  </IconButton>
)
