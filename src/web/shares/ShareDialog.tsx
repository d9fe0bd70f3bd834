import { Link } from '@inertiajs/react'
import { usePageUrl } from '../core/page.ts'
import { useUser } from '../core/user.ts'
import { getLoginUrl } from '#web/core/loginUrl.ts'
import { sharesText } from '../text/shares.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { MyShares } from './MyShares.tsx'
import { NewShare } from './NewShare.tsx'

/** Makes links to a conversation, and lists those that there are. */
export default function ShareDialog({ sess_id, onClose }: { sess_id: string; onClose: () => void }) {
  const user = useUser()
  const url = usePageUrl()
  return (
    <Dialog kind="wide" open onOpenChange={onClose} title={sharesText.title} description={sharesText.hint}>
      {user ? (
        <>
          <NewShare sess_id={sess_id} />
          <MyShares />
        </>
      ) : (
        <EmptyState
          title={sharesText.signIn}
          action={
            <Link href={getLoginUrl(url)} className={buttonClass({ variant: 'primary' })}>
              {sharesText.login}
            </Link>
          }
        />
      )}
    </Dialog>
  )
}
