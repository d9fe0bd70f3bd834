import { formatDateTime } from '#web/core/format.ts'
import { organizationText as text } from '#web/text/account/organization.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { useState } from 'react'
import { organizationActions, useReceivedInvitation } from './organizationCalls.ts'

/** Shows an invitation with its sender and organization, to be accepted now or later. */
export function ReceivedInvitation({ token, onClose }: { token: string; onClose: () => void }) {
  const query = useReceivedInvitation(token)
  const [pending, setPending] = useState(false)
  const accept = async () => {
    setPending(true)
    const accepted = await withToast(() => organizationActions.accept(token), { done: text.accepted })
    setPending(false)
    if (accepted) onClose()
  }
  const renderFailure = () => (
    <EmptyState
      title={text.invitationFailed}
      description={query.error?.message}
      action={<Button onClick={onClose}>{text.title}</Button>}
    />
  )
  return (
    <QueryView query={query} failed={renderFailure} skeleton={<Skeleton className="h-40" />}>
      {({ name, logo, inviter, expires_at }) => (
        <section className="flex max-w-xl flex-col gap-4 rounded-2xl border p-6">
          <div className="flex items-center gap-4">
            <Avatar name={name} src={logo} size="lg" />
            <div className="min-w-0">
              <h2 className="text-base font-semibold">{text.invited(inviter, name)}</h2>
              <p className="mt-1 text-note text-ink3">
                {text.until(formatDateTime(expires_at).slice(0, 16))}
              </p>
            </div>
          </div>
          <p className="text-ink2">{text.invitedHint}</p>
          <div className="flex flex-wrap gap-2">
            <Button variant="primary" pending={pending} onClick={() => void accept()}>
              {text.accept}
            </Button>
            <Button onClick={onClose}>{text.later}</Button>
          </div>
        </section>
      )}
    </QueryView>
  )
}
