import { router } from '@inertiajs/react'
import { useState } from 'react'
import { getSessionUrl } from '#web/conversations/conversations.ts'
import { ApiError, request } from '#web/core/api.ts'
import { useUser } from '#web/core/user.ts'
import { sharesText } from '#web/text/shares.ts'
import { Button } from '#web/ui/Button.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'
import { toast } from '#web/ui/toast.ts'

/** Continues a share in a conversation of the reader's own. */
export function ContinueShare({ id }: { id: string }) {
  const user = useUser()
  const [pending, setPending] = useState(false)
  const continueShare = async () => {
    setPending(true)
    try {
      const { session } = await request(
        'POST /api/session/{id}/continue',
        { params: { id } },
        { failed: sharesText.continueFailed },
      )
      router.visit(getSessionUrl(session))
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : sharesText.continueFailed)
      setPending(false)
    }
  }
  if (!user) {
    return (
      <SignInLink variant="primary" size="lg">
        {sharesText.signInToContinue}
      </SignInLink>
    )
  }
  return (
    <Button variant="primary" size="lg" pending={pending} onClick={() => void continueShare()}>
      {sharesText.continue}
    </Button>
  )
}
