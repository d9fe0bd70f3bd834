import { useState } from 'react'
import type { Organization, OrganizationMember } from '#contract/organizations/organizations.ts'
import type { Role } from '#contract/users.ts'
import { useForm } from '#web/core/useForm.ts'
import { organizationText as text } from '#web/text/account/organization.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SelectField, TextField } from '#web/ui/form/fields.tsx'
import { SaveButton } from '#web/ui/form/SaveButton.tsx'
import { toast } from '#web/ui/toast.ts'
import { isAmount } from './amount.ts'
import { organizationActions } from './organizationCalls.ts'

type Props = {
  organization: Organization
  member: OrganizationMember
  /** Not for oneself: members leave by themselves. */
  canRemove: boolean
  onClose: () => void
}

const roleOptions = Object.entries(text.roles).map(([value, label]) => ({ value, label }))

/** Edits a member's role and limit, and removes the member. */
export function MemberDialog({ organization, member, canRemove, onClose }: Props) {
  const { uuid: id, role: ownRole } = organization
  const { user_id, name } = member
  const [isRemoving, setIsRemoving] = useState(false)
  const form = useForm<{ role: Role; credit_limit: string }>({
    role: member.role,
    credit_limit: String(member.credit_limit),
  })
  const onSubmit = form.handleSubmit(
    ({ role, credit_limit }) =>
      organizationActions.updateMember(id, user_id, {
        ...(role === member.role ? {} : { role }),
        credit_limit: Number(credit_limit),
      }),
    {
      validate: ({ credit_limit }) => (isAmount(credit_limit) ? {} : { credit_limit: text.limitError }),
      onSuccess() {
        toast.success(text.saved)
        onClose()
      },
      onError: (errors) => errors.form && toast.error(errors.form),
    },
  )
  if (isRemoving) return <RemoveDialog id={id} member={member} onClose={onClose} />
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={text.manageTitle(name)}>
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        {ownRole === 'owner' && (
          <SelectField form={form} name="role" label={text.role} options={roleOptions} />
        )}
        <TextField
          form={form}
          name="credit_limit"
          label={text.limitField}
          hint={text.limitHint}
          inputMode="decimal"
        />
        <div className="flex flex-wrap justify-end gap-2">
          {canRemove && (
            <Button variant="ghost" className="mr-auto" onClick={() => setIsRemoving(true)}>
              {text.remove}
            </Button>
          )}
          <SaveButton form={form} />
        </div>
      </form>
    </Dialog>
  )
}

/** Removes a member after a confirmation. */
export function RemoveDialog({ id, member, onClose }: Pick<Props, 'member' | 'onClose'> & { id: string }) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={text.removeTitle(member.name)}
      description={text.removeHint}
      confirmLabel={text.remove}
      danger
      onConfirm={async () => {
        await organizationActions.remove(id, member.user_id)
        toast.success(text.removed)
      }}
    />
  )
}
