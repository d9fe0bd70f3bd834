import { useRef, useState, type SyntheticEvent } from 'react'
import { authText } from '../text/auth.ts'
import { Button } from '../ui/Button.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import {
  extractCodeDigits,
  toSignInErrors,
  isEmailLike,
  sendCode,
  signIn,
  type SignInErrors,
} from './signIn.ts'
import { useCountdown } from './useCountdown.ts'

type Sent = { email: string; minutes: number }

/**
 * Signing in by a code sent to an e-mail address. `redirect_to` goes to the server, which decides where to go next.
 * Enter in the e-mail field asks for the code, in the code field it signs in: both are the submit of their own form, so
 * an Enter that only ends Chinese input does neither.
 */
export function SignInForm({ redirect_to }: { redirect_to: string | null }) {
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [sent, setSent] = useState<Sent | null>(null)
  const [errors, setErrors] = useState<SignInErrors>({})
  const [pending, setPending] = useState<'send' | 'login' | null>(null)
  const emailField = useRef<HTMLInputElement>(null)
  const codeField = useRef<HTMLInputElement>(null)
  const { secondsLeft, start } = useCountdown()

  const showErrors = (nextErrors: SignInErrors) => {
    setErrors(nextErrors)
    setPending(null)
    if (nextErrors.email) emailField.current?.focus()
    else if (nextErrors.code) codeField.current?.select()
  }

  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (pending || secondsLeft > 0) return
    if (!isEmailLike(email)) return showErrors({ email: authText.emailInvalid })
    setErrors({})
    setPending('send')
    try {
      const { resend_after, expires_in } = await sendCode(email)
      start(resend_after)
      setSent({ email: email.trim(), minutes: Math.round(expires_in / 60) })
      setPending(null)
      codeField.current?.focus()
    } catch (error) {
      showErrors(toSignInErrors(error, 'send'))
    }
  }

  const login = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (pending) return
    if (!isEmailLike(email)) return showErrors({ email: authText.emailInvalid })
    if (code.length !== 6) return showErrors({ code: authText.codeInvalid })
    setErrors({})
    setPending('login')
    try {
      // A full visit: everything that was loaded for the guest is loaded again for the user.
      location.assign((await signIn(email, code, redirect_to)).redirect_to)
    } catch (error) {
      showErrors(toSignInErrors(error, 'login'))
    }
  }

  return (
    <div className="flex flex-col gap-3">
      <form noValidate onSubmit={(event) => void send(event)}>
        <FormField label={authText.email} hint={authText.emailHint} error={errors.email}>
          {(field) => (
            <div className="flex gap-2 max-[26rem]:flex-col">
              <Input
                {...field}
                ref={emailField}
                type="email"
                name="email"
                autoComplete="email"
                inputMode="email"
                maxLength={254}
                placeholder="name@example.com"
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
              <Button
                type="submit"
                variant={sent ? 'secondary' : 'primary'}
                pending={pending === 'send'}
                disabled={secondsLeft > 0}
                className="h-10! min-w-28 px-3! tabular-nums"
              >
                {secondsLeft > 0 ? authText.again(secondsLeft) : authText.getCode}
              </Button>
            </div>
          )}
        </FormField>
      </form>
      <form noValidate onSubmit={(event) => void login(event)} className="flex flex-col gap-3">
        <FormField
          label={authText.code}
          hint={sent ? authText.codeSent(sent.email, sent.minutes) : undefined}
          error={errors.code}
        >
          {(field) => (
            <Input
              {...field}
              ref={codeField}
              name="code"
              autoComplete="one-time-code"
              inputMode="numeric"
              className="font-mono tracking-[0.4em] tabular-nums"
              value={code}
              onChange={(event) => setCode(extractCodeDigits(event.target.value))}
            />
          )}
        </FormField>
        <p role="alert" className="text-note text-danger empty:hidden">
          {errors.form}
        </p>
        <Button
          type="submit"
          variant={sent ? 'primary' : 'secondary'}
          size="lg"
          pending={pending === 'login'}
        >
          {authText.submit}
        </Button>
      </form>
    </div>
  )
}
