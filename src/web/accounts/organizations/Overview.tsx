import { useState } from 'react'
import type { Organization } from '#contract/organizations/organizations.ts'
import type { UserInfo } from '#contract/users.ts'
import { formatCoins } from '#web/core/format.ts'
import { organizationText as text } from '#web/text/account/organization.ts'
import { uiText } from '#web/text/ui.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { DepositDialog } from './DepositDialog.tsx'
import { DissolveDialog } from './DissolveDialog.tsx'
import { NameForm } from './NameForm.tsx'
import { organizationActions } from './organizationCalls.ts'
import { PayerSwitch } from './PayerSwitch.tsx'

type Props = { organization: Organization; user: UserInfo }
type OpenDialog = 'deposit' | 'edit' | 'leave' | 'dissolve' | null

/** Shows name, role, figures and payer of the organization, and the actions open to the person. */
export function Overview({ organization, user }: Props) {
  const { uuid: id, name, logo, role } = organization
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const onOpenChange = (open: boolean) => !open && setDialog(null)
  const figures = [
    [text.balance, text.coins(formatCoins(organization.balance))],
    [text.month, text.coins(formatCoins(organization.used_this_month))],
    [text.size, text.people(organization.members)],
  ] as const
  return (
    <section className="flex max-w-3xl flex-col gap-5 rounded-2xl border p-6">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={name} src={logo} size="lg" />
        <div className="flex min-w-0 flex-1 flex-col items-start gap-1.5">
          <h2 className="text-lg font-semibold wrap-anywhere">{name}</h2>
          <Badge>{text.roles[role]}</Badge>
        </div>
      </div>
      <dl className="grid grid-cols-3 gap-x-6 gap-y-3 tabular-nums max-md:grid-cols-1">
        {figures.map(([label, value]) => (
          <div key={label} className="max-md:flex max-md:justify-between">
            <dt className="text-note text-ink2">{label}</dt>
            <dd className="font-semibold md:mt-1 md:text-lg">{value}</dd>
          </div>
        ))}
      </dl>
      <PayerSwitch organization={organization} />
      <div className="flex flex-wrap gap-2">
        {role === 'owner' && (
          <Button variant="primary" onClick={() => setDialog('deposit')}>
            {text.deposit}
          </Button>
        )}
        {role !== 'member' && <Button onClick={() => setDialog('edit')}>{text.edit}</Button>}
        <Button variant="ghost" onClick={() => setDialog('leave')}>
          {text.leave}
        </Button>
        {role === 'owner' && (
          <Button variant="ghost" onClick={() => setDialog('dissolve')}>
            {text.dissolve}
          </Button>
        )}
      </div>
      <DissolveDialog organization={organization} open={dialog === 'dissolve'} onOpenChange={onOpenChange} />
      <DepositDialog id={id} user={user} open={dialog === 'deposit'} onOpenChange={onOpenChange} />
      <Dialog open={dialog === 'edit'} onOpenChange={onOpenChange} title={text.edit}>
        <NameForm
          initial={{ name, logo }}
          submit={uiText.save}
          onSave={async (fields) => {
            await organizationActions.update(id, fields)
            toast.success(text.saved)
            setDialog(null)
          }}
        />
      </Dialog>
      <ConfirmDialog
        open={dialog === 'leave'}
        onOpenChange={onOpenChange}
        title={text.leaveTitle}
        description={text.leaveHint}
        confirmLabel={text.leave}
        danger
        onConfirm={async () => {
          await organizationActions.remove(id, user.uuid)
          toast.success(text.left)
        }}
      />
    </section>
  )
}
