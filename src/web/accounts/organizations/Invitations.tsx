import { useState } from 'react'
import { MAX_INVITED_EMAILS } from '#contract/organizations/limits.ts'
import type { Organization } from '#contract/organizations/organizations.ts'
import type { FormErrors } from '#web/core/useForm.ts'
import { formatDateTime } from '#web/core/format.ts'
import { useForm } from '#web/core/useForm.ts'
import { organizationText as text } from '#web/text/account/organization.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextareaField } from '#web/ui/form/fields.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { toast } from '#web/ui/toast.ts'
import { withToast } from '#web/ui/withToast.ts'
import { organizationActions, useInvitations } from './organizationCalls.ts'
import { findInvalidEmail, parseEmails } from './parseEmails.ts'

type Fields = { emails: string }

/** Shows who may invite, invites people by their addresses, and lists the pending invitations. */
export function Invitations({ organization }: { organization: Organization }) {
  const { uuid: id, role, members_can_invite } = organization
  return (
    <section className="flex max-w-3xl flex-col gap-4">
      <h2 className="text-base font-semibold">{text.invite}</h2>
      {role === 'owner' ? (
        <InviteSwitch organization={organization} />
      ) : (
        <p className="text-note text-ink2">{members_can_invite ? text.inviteOpen : text.inviteClosed}</p>
      )}
      {(role !== 'member' || members_can_invite) && <InviteForm id={id} />}
      <OpenInvitations id={id} />
    </section>
  )
}

/** Lets plain members invite, or stops that. */
function InviteSwitch({ organization: { uuid: id, members_can_invite } }: { organization: Organization }) {
  const [choice, setChoice] = useState<boolean | null>(null)
  const choose = async (checked: boolean) => {
    setChoice(checked)
    await withToast(() => organizationActions.update(id, { members_can_invite: checked }))
    setChoice(null)
  }
  return (
    <Switch
      label={text.membersInvite}
      hint={text.membersInviteHint}
      checked={choice ?? members_can_invite}
      onChange={(checked) => void choose(checked)}
    />
  )
}

function InviteForm({ id }: { id: string }) {
  const form = useForm<Fields>({ emails: '' })
  const onSubmit = form.handleSubmit(({ emails }) => organizationActions.invite(id, parseEmails(emails)), {
    validate: ({ emails }) => validate(parseEmails(emails)),
    onSuccess({ message }) {
      form.reset({ emails: '' })
      toast.success(message)
    },
    onError({ form: formError }) {
      if (!formError) return
      toast.error(formError)
      // The message names the addresses that failed. Only they stay in the field, so that nobody is invited twice.
      const unsentEmails = parseEmails(form.data.emails).filter((email) => formError.includes(email))
      if (unsentEmails.length) form.setData({ emails: unsentEmails.join('\n') })
    },
  })
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      <TextareaField
        form={form}
        name="emails"
        label={text.emails}
        hint={text.emailsHint}
        placeholder={text.emailsExample}
        spellCheck={false}
      />
      <Button type="submit" variant="primary" pending={form.processing} className="self-start">
        {text.send}
      </Button>
    </form>
  )
}

/** Lists the invitations that the person may withdraw; nothing if there are none. */
function OpenInvitations({ id }: { id: string }) {
  const { data } = useInvitations(id)
  if (!data?.items.length) return null
  return (
    <>
      <h3 id="organization-invitations" className="mt-2 text-note font-medium text-ink2">
        {text.invitations}
      </h3>
      <ul aria-labelledby="organization-invitations" className="rounded-xl border">
        {data.items.map(({ id: invitationId, email, expires_at }) => (
          <li key={invitationId} className="flex items-center gap-3 border-t px-3.5 py-2 first:border-t-0">
            <span className="min-w-0 flex-1 wrap-anywhere">{email}</span>
            <span className="text-note text-ink3 tabular-nums max-md:hidden">
              {text.until(formatDateTime(expires_at).slice(0, 10))}
            </span>
            <Button
              size="sm"
              variant="ghost"
              aria-label={text.withdrawFor(email)}
              onClick={() => void withToast(() => organizationActions.withdraw(id, invitationId))}
            >
              {text.withdraw}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

function validate(emails: string[]): FormErrors<Fields> {
  const invalid = findInvalidEmail(emails)
  if (!emails.length) return { emails: text.emailsError }
  if (invalid !== undefined) return { emails: text.emailsInvalid(invalid) }
  return emails.length > MAX_INVITED_EMAILS ? { emails: text.emailsTooMany } : {}
}
