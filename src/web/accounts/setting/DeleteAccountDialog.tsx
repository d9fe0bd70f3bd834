import type { UserInfo } from '#contract/users.ts'
import { drafts } from '#web/conversations/composer/composer.tsx'
import { request } from '#web/core/api.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { formatCoins } from '#web/core/format.ts'
import { useForm } from '#web/core/useForm.ts'
import { accountText as text } from '#web/text/account/account.ts'
import { signInText } from '#web/text/account/signIn.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { CodeField } from './CodeField.tsx'

type Props = { user: UserInfo; onClose: () => void }

/** Explains which data goes and which stays, then requires a code sent to an address of the account. */
export function DeleteAccountDialog({ user, onClose }: Props) {
  const address = user.email ?? user.phone
  const form = useForm({ code: '', understood: false })
  const { code, understood } = form.data
  const onSubmit = form.handleSubmit(
    async () => {
      const body = address ? { code } : {}
      const options = { failed: text.failed }
      const { redirect_to } = await clearUserOn401(
        request('POST /api/user/account/delete', { body }, options),
      )
      drafts.clear()
      // A full page load, so that nothing of the person stays in memory.
      location.assign(redirect_to)
    },
    { onError: (errors) => toast.error(errors.form ?? Object.values(errors)[0] ?? text.failed) },
  )
  return (
    <Dialog open onOpenChange={onClose} title={text.deleteTitle}>
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        <Consequences title={text.goes} lines={text.goesLines} />
        <Consequences title={text.stays} lines={text.staysLines} />
        {user.balance > 0 && (
          <p className="rounded-xl bg-danger-soft px-3.5 py-2.5 font-medium text-danger">
            {text.balance(formatCoins(user.balance))}
          </p>
        )}
        {user.organization?.role === 'owner' && (
          <p className="text-ink2">
            {text.organization(user.organization.name, formatCoins(user.organization.balance))}
          </p>
        )}
        {address ? (
          <CodeField
            label={signInText.oldCode(address)}
            address={address}
            value={code}
            onChange={(code) => form.setData({ code })}
          />
        ) : (
          <p className="text-ink2">{text.fresh}</p>
        )}
        <label className="flex items-center gap-2.5 max-md:min-h-11">
          <input
            type="checkbox"
            checked={understood}
            onChange={({ target }) => form.setData({ understood: target.checked })}
            className="size-4 accent-(--accent)"
          />
          {text.understood}
        </label>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{uiText.cancel}</Button>
          <Button
            type="submit"
            variant="danger"
            pending={form.processing}
            disabled={!understood || (address !== null && code.length !== 6)}
          >
            {text.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const Consequences = ({ title, lines }: { title: string; lines: string[] }) => (
  <div>
    <h3 className="font-medium">{title}</h3>
    <ul className="mt-1.5 list-disc space-y-1 pl-5 text-note leading-6 text-ink2 marker:text-ink3">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </div>
)
