import { router } from '@inertiajs/react'
import { Building2 } from 'lucide-react'
import { useState } from 'react'
import type { UserInfo } from '#contract/users.ts'
import { usePageUrl } from '#web/core/page.ts'
import { organizationText as text } from '#web/text/account/organization.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { Bills } from './Bills.tsx'
import { Invitations } from './Invitations.tsx'
import { Members } from './Members.tsx'
import { NameForm } from './NameForm.tsx'
import { organizationActions, useOrganization } from './organizationCalls.ts'
import { Overview } from './Overview.tsx'
import { ReceivedInvitation } from './ReceivedInvitation.tsx'

const PAGE_URL = '/profile/organization'

/** Shows the person's organization, or the ways to one. The query's `invitation` is the token of an invitation link. */
export function Organization({ user }: { user: UserInfo }) {
  const token = usePageUrl().searchParams.get('invitation')
  const close = () => router.visit(PAGE_URL, { replace: true })
  return (
    <div className="flex flex-col gap-8">
      {token && <ReceivedInvitation token={token} onClose={close} />}
      {user.organization ? (
        <OwnOrganization id={user.organization.uuid} user={user} />
      ) : (
        !token && <NoOrganization />
      )}
    </div>
  )
}

function OwnOrganization({ id, user }: { id: string; user: UserInfo }) {
  const query = useOrganization(id)
  return (
    <QueryView query={query} failed={text.failed} skeleton={<Skeleton className="h-72" />}>
      {(organization) => (
        <>
          <Overview organization={organization} user={user} />
          <Members organization={organization} user={user} />
          <Invitations organization={organization} />
          {organization.role !== 'member' && <Bills id={id} />}
        </>
      )}
    </QueryView>
  )
}

function NoOrganization() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <EmptyState
        icon={<Building2 size={28} />}
        title={text.none}
        description={text.noneHint}
        action={
          <Button variant="primary" onClick={() => setOpen(true)}>
            {text.create}
          </Button>
        }
      />
      <Dialog open={open} onOpenChange={setOpen} title={text.create}>
        <NameForm
          initial={{ name: '', logo: '' }}
          submit={text.create}
          onSave={async (fields) => {
            await organizationActions.create(fields)
            toast.success(text.created)
          }}
        />
      </Dialog>
    </>
  )
}
