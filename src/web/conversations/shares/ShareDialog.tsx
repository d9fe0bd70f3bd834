import { useState } from 'react'
import type { Share } from '#contract/shares.ts'
import { sharesText } from '#web/text/shares.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SignInGate } from '#web/ui/SignInGate.tsx'
import { MyShares } from './MyShares.tsx'
import { NewShare } from './NewShare.tsx'

/** Creates links to a conversation, and lists the existing ones. */
export default function ShareDialog({ sess_id, onClose }: { sess_id: string; onClose: () => void }) {
  /** The newest link, removed when it is revoked. */
  const [share, setShare] = useState<Share | null>(null)
  const onRevoke = (id: string) => setShare((current) => (current?.id === id ? null : current))
  return (
    <Dialog kind="wide" open onOpenChange={onClose} title={sharesText.title} description={sharesText.hint}>
      <SignInGate title={sharesText.signIn}>
        {() => (
          <>
            <NewShare sess_id={sess_id} share={share} onShare={setShare} />
            <MyShares onRevoke={onRevoke} />
          </>
        )}
      </SignInGate>
    </Dialog>
  )
}
