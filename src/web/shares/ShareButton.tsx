import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { useCommands } from '#web/commands/commands.ts'
import { chatText } from '#web/text/chat.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

const ShareDialog = lazyComponent(() => import('./ShareDialog.tsx'), { getOnClose: ({ onClose }) => onClose })

/** Opens what shares a conversation, at the end of the page's top bar. */
export default function ShareButton({ sess_id }: { sess_id: string }) {
  const [open, setOpen] = useState(false)
  useCommands({ share: () => setOpen(true) })
  return (
    <>
      <IconButton
        label={chatText.share}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="ml-auto"
      >
        <Share2 size={18} aria-hidden />
      </IconButton>
      {open && <ShareDialog sess_id={sess_id} onClose={() => setOpen(false)} />}
    </>
  )
}
