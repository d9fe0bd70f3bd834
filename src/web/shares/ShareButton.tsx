import { Share2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useCommands } from '../shortcuts/handlers.ts'
import { chatText } from '../text/chat.ts'
import { IconButton } from '../ui/IconButton.tsx'

const ShareDialog = lazy(() => import('./ShareDialog.tsx'))

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
      {open && (
        <Suspense>
          <ShareDialog sess_id={sess_id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
