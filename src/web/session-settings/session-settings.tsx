import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useCommands } from '#web/commands/commands.ts'
import { chatText } from '#web/text/chat.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

// Few open it: not part of the first load.
/** What is set for a conversation. */
export const SettingsDialog = lazyComponent(() => import('./SettingsDialog.tsx'), {
  getOnClose: ({ open, onOpenChange }) => open && (() => onOpenChange(false)),
})

/** Opens the settings of the conversation, from the page's top bar. */
export function SettingsButton({ id, onSession }: { id: string; onSession: (sess_id: string) => void }) {
  const [open, setOpen] = useState<boolean | null>(null)
  useCommands({ settings: () => setOpen(true) })
  return (
    <>
      <IconButton
        label={chatText.settings}
        aria-haspopup="dialog"
        className="ml-auto"
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal size={18} aria-hidden />
      </IconButton>
      {/* Out of the top bar: a dialog is no part of the page's banner. */}
      {open !== null &&
        createPortal(
          <SettingsDialog id={id} open={open} onOpenChange={setOpen} onSession={onSession} />,
          document.body,
        )}
    </>
  )
}
