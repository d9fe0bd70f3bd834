import { useState } from 'react'
import { authTypes, type AuthType } from '#contract/auth-types.ts'
import type { UserInfo } from '#contract/users.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { request } from '#web/core/api.ts'
import { useConfig, usePageUrl } from '#web/core/page.ts'
import { queryClient } from '#web/core/queryClient.ts'
import { userQueryKey } from '#web/core/user.ts'
import { signInText as text } from '#web/text/account/signIn.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { BindDialog } from './BindDialog.tsx'
import { SettingSection } from './SettingSection.tsx'

/** The person's ways to sign in: e-mail, phone, WeChat. Each can be bound, and removed while another one is left. */
export function SignInSettings({ user }: { user: UserInfo }) {
  const { sign_in } = useConfig()
  const outcome = usePageUrl().searchParams.get('wechat')
  const [boundType, setBoundType] = useState<AuthType | null>(null)
  const [typeToRemove, setTypeToRemove] = useState<AuthType | null>(null)
  const values: Record<AuthType, string | null> = {
    email: user.email,
    phone: user.phone,
    wechat: user.auth_types.includes('wechat') ? text.bound : null,
  }
  const shownTypes = authTypes.filter((type) => type === 'email' || sign_in[type] || values[type])
  return (
    <SettingSection id="sign-in" title={text.title} hint={text.hint}>
      {outcome && (
        <p role="alert" className="mb-3 text-note text-danger">
          {outcome === 'taken' ? text.wechatTaken : text.wechatFailed}
        </p>
      )}
      <ul aria-label={text.title} className="divide-y rounded-xl border">
        {shownTypes.map((type) => (
          <li key={type} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5">
            <span className="w-16 shrink-0">{text.names[type]}</span>
            <span className="min-w-0 flex-1 truncate text-ink2">{values[type] ?? text.unbound}</span>
            {(type === 'email' || sign_in[type]) && (
              <Button
                size="sm"
                aria-label={text.bindOf(type, values[type] !== null)}
                onClick={() => setBoundType(type)}
              >
                {values[type] === null ? text.bind : text.change}
              </Button>
            )}
            {values[type] !== null && user.auth_types.length > 1 && (
              <Button
                size="sm"
                variant="ghost"
                aria-label={text.unbindOf(type)}
                onClick={() => setTypeToRemove(type)}
              >
                {text.unbind}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {boundType && (
        <BindDialog key={boundType} type={boundType} user={user} onClose={() => setBoundType(null)} />
      )}
      <ConfirmDialog
        open={typeToRemove !== null}
        onOpenChange={() => setTypeToRemove(null)}
        title={typeToRemove ? text.unbindTitle(typeToRemove) : ''}
        description={text.unbindText}
        confirmLabel={text.unbind}
        danger
        onConfirm={async () => {
          if (!typeToRemove) return
          await clearUserOn401(
            request('DELETE /api/user/auth_types/{type}', { params: { type: typeToRemove } }),
          )
          toast.success(text.unbindDone)
          await queryClient.invalidateQueries({ queryKey: userQueryKey })
        }}
      />
    </SettingSection>
  )
}
