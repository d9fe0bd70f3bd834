import { useRef, useState } from 'react'
import { useForm, type FormErrors } from '#web/core/useForm.ts'
import { authText } from '#web/text/auth.ts'
import { Button } from '#web/ui/Button.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import {
  extractCodeDigits,
  isEmailLike,
  sendCode,
  signIn,
  toSignInErrors,
  type SignInFields,
  type SignInStep,
} from './signIn.ts'
import { useCountdown } from './useCountdown.ts'

type Sent = { email: string; minutes: number }

/**
 * Signing in by a code sent to an e-mail address. `redirect_to` goes to the server, which decides where to go next.
 * Enter in the e-mail field asks for the code, in the code field it signs in: both are the submit of their own form, so
 * an Enter that only ends Chinese input does neither.
 */
export function SignInForm({ redirect_to }: { redirect_to: string | null }) {
  const form = useForm<SignInFields>({ email: '', code: '' })
  /** What was submitted last. */
  const [step, setStep] = useState<SignInStep | null>(null)
  const [sent, setSent] = useState<Sent | null>(null)
  const emailField = useRef<HTMLInputElement>(null)
  const codeField = useRef<HTMLInputElement>(null)
  const { secondsLeft, start } = useCountdown()
  const { email, code } = form.data

  const focusError = (errors: FormErrors<SignInFields>) => {
    if (errors.email) emailField.current?.focus()
    else if (errors.code) codeField.current?.select()
  }
  const onCodeSubmit = form.handleSubmit(
    ({ email }) => {
      setStep('code')
      return sendCode(email)
    },
    {
      validate: validateEmail,
      toErrors: (error) => toSignInErrors(error, 'code'),
      onSuccess({ resend_after, expires_in }) {
        start(resend_after)
        setSent({ email: email.trim(), minutes: Math.round(expires_in / 60) })
        codeField.current?.focus()
      },
      onError: focusError,
    },
  )
  const onLoginSubmit = form.handleSubmit(
    ({ email, code }) => {
      setStep('login')
      return signIn(email, code, redirect_to)
    },
    {
      validate: validateLogin,
      toErrors: (error) => toSignInErrors(error, 'login'),
      // A full visit: everything that was loaded for the guest is loaded again for the user.
      onSuccess: (answer) => location.assign(answer.redirect_to),
      onError: focusError,
    },
  )
  // The page stays a moment after signing in.
  const isSigningIn = step === 'login' && (form.processing || form.wasSuccessful)

  return (
    <div className="flex flex-col gap-3">
      <form noValidate onSubmit={onCodeSubmit}>
        <FormField label={authText.email} hint={authText.emailHint} error={form.errors.email}>
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
                onChange={({ target }) => form.setData({ email: target.value })}
              />
              <Button
                type="submit"
                variant={sent ? 'secondary' : 'primary'}
                pending={step === 'code' && form.processing}
                disabled={secondsLeft > 0}
                className="h-10! min-w-28 px-3! tabular-nums"
              >
                {secondsLeft > 0 ? authText.again(secondsLeft) : authText.getCode}
              </Button>
            </div>
          )}
        </FormField>
      </form>
      <form noValidate onSubmit={onLoginSubmit} className="flex flex-col gap-3">
        <FormField
          label={authText.code}
          hint={sent ? authText.codeSent(sent.email, sent.minutes) : undefined}
          error={form.errors.code}
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
              onChange={({ target }) => form.setData({ code: extractCodeDigits(target.value) })}
            />
          )}
        </FormField>
        <p role="alert" className="text-note text-danger empty:hidden">
          {form.errors.form}
        </p>
        <Button type="submit" variant={sent ? 'primary' : 'secondary'} size="lg" pending={isSigningIn}>
          {authText.submit}
        </Button>
      </form>
    </div>
  )
}

const validateEmail = ({ email }: SignInFields): FormErrors<SignInFields> =>
  isEmailLike(email) ? {} : { email: authText.emailInvalid }

/** One thing at a time, from the top. */
const validateLogin = (fields: SignInFields): FormErrors<SignInFields> => {
  const errors = validateEmail(fields)
  return errors.email || fields.code.length === 6 ? errors : { code: authText.codeInvalid }
}
