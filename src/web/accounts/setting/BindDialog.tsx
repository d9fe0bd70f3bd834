import { useState } from 'react'
import type { AuthType } from '#contract/auth-types.ts'
import type { UserInfo } from '#contract/users.ts'
import { toTarget, visitWechat } from '#web/accounts/auth/auth.ts'
import { request } from '#web/core/api.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { queryClient } from '#web/core/queryClient.ts'
import { useForm } from '#web/core/useForm.ts'
import { userQueryKey } from '#web/core/user.ts'
import { signInText as text } from '#web/text/account/signIn.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { toast } from '#web/ui/toast.ts'
import { CodeField } from './CodeField.tsx'

type Props = { type: AuthType; user: UserInfo; onClose: () => void }
type Fields = { address: string; code: string; old_code: string }

/**
 * Binds an address or WeChat. If the account already has an address, a code sent there is required too: to the one of the same
 * kind, else to the other.
 */
export function BindDialog({ type, user, onClose }: Props) {
  const [knownAddress] = useState(() =>
    type === 'phone' ? (user.phone ?? user.email) : (user.email ?? user.phone),
  )
  const form = useForm<Fields>({ address: '', code: '', old_code: '' })
  const { address, code, old_code } = form.data
  const onSubmit = form.handleSubmit(
    async () => {
      const confirmation = knownAddress ? { old_code } : {}
      const options = { failed: text.bindFailed }
      if (type === 'wechat') return visitWechat({ ...confirmation, redirect_to: '/profile/setting' }, options)
      const target = toTarget(address)
      await clearUserOn401(
        'phone' in target
          ? request('POST /auth/phone', { body: { ...target, code, ...confirmation } }, options)
          : request('POST /auth/email', { body: { ...target, code, ...confirmation } }, options),
      )
      toast.success(text.bindDone)
      await queryClient.invalidateQueries({ queryKey: userQueryKey })
      onClose()
    },
    { onError: (errors) => toast.error(errors.form ?? Object.values(errors)[0] ?? text.bindFailed) },
  )
  return (
    <Dialog open onOpenChange={onClose} title={text.bindTitle(type)}>
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
        {knownAddress && (
          <CodeField
            label={text.oldCode(knownAddress)}
            address={knownAddress}
            value={old_code}
            onChange={(oldCode) => form.setData({ old_code: oldCode })}
          />
        )}
        {type !== 'wechat' && (
          <>
            <FormField label={text.newAddress[type]}>
              {(field) => (
                <Input
                  {...field}
                  inputMode={type === 'phone' ? 'tel' : 'email'}
                  autoComplete={type === 'phone' ? 'tel' : 'email'}
                  value={address}
                  onChange={({ target }) => form.setData({ address: target.value })}
                />
              )}
            </FormField>
            <CodeField
              label={text.newCode[type]}
              address={address}
              value={code}
              onChange={(code) => form.setData({ code })}
            />
          </>
        )}
        <Button type="submit" variant="primary" pending={form.processing} className="self-end">
          {type === 'wechat' ? text.toWechat : text.confirm}
        </Button>
      </form>
    </Dialog>
  )
}
