import { useState } from 'react'
import { extractCodeDigits, sendCode } from '#web/accounts/auth/auth.ts'
import { useConfig } from '#web/core/page.ts'
import { authText } from '#web/text/auth.ts'
import { signInText as text } from '#web/text/account/signIn.ts'
import { Button } from '#web/ui/Button.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { withToast } from '#web/ui/withToast.ts'

type CodeFieldProps = { label: string; address: string; value: string; onChange: (code: string) => void }

/** A field for a code, with the button that sends it to an address. */
export function CodeField({ label, address, value, onChange }: CodeFieldProps) {
  const [pending, setPending] = useState(false)
  const [isSent, setIsSent] = useState(false)
  const { captcha_app_id } = useConfig()
  const send = async () => {
    setPending(true)
    setIsSent((await withToast(() => sendCode(address, { channel: 'setting', captcha_app_id }))) !== null)
    setPending(false)
  }
  return (
    <FormField label={label} hint={isSent ? text.sent : undefined}>
      {(field) => (
        <div className="flex gap-2">
          <Input
            {...field}
            inputMode="numeric"
            autoComplete="one-time-code"
            className="font-mono tabular-nums"
            value={value}
            onChange={({ target }) => onChange(extractCodeDigits(target.value))}
          />
          <Button
            aria-label={text.sendOf(label)}
            pending={pending}
            disabled={!address.trim()}
            onClick={() => void send()}
            className="h-10! shrink-0"
          >
            {authText.getCode}
          </Button>
        </div>
      )}
    </FormField>
  )
}
