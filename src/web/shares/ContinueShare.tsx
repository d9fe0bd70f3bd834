import { Link, router } from '@inertiajs/react'
import { useState } from 'react'
import { ApiError, request } from '../core/api.ts'
import { usePageUrl } from '../core/page.ts'
import { useUser } from '../core/user.ts'
import { getLoginUrl } from '#web/core/loginUrl.ts'
import { sharesText } from '../text/shares.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'

/** Goes on with a share in a conversation of the reader's own. */
export function ContinueShare({ id }: { id: string }) {
  const user = useUser()
  const url = usePageUrl()
  const [pending, setPending] = useState(false)
  const continueShare = async () => {
    setPending(true)
    try {
      const { session } = await request('POST /api/session/{id}/continue', { params: { id } })
      router.visit(`/chat?sess_id=${session.id}`)
    } catch (error) {
      const hasServerMessage = error instanceof ApiError && error.status > 0
      toast.error(hasServerMessage ? error.message : sharesText.continueFailed)
      setPending(false)
    }
  }
  if (!user) {
    return (
      <Link href={getLoginUrl(url)} className={buttonClass({ variant: 'primary', size: 'lg' })}>
        {sharesText.signInToContinue}
      </Link>
    )
  }
  return (
    <Button variant="primary" size="lg" pending={pending} onClick={() => void continueShare()}>
      {sharesText.continue}
    </Button>
  )
}
