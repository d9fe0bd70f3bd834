import { useRef, useState } from 'react'
import { useConfig } from '#web/core/page.ts'
import { useForm, type FormErrors } from '#web/core/useForm.ts'
import { authText } from '#web/text/auth.ts'
import { Button } from '#web/ui/Button.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import {
  extractCodeDigits,
  isEmailLike,
  isPhoneLike,
  sendCode,
  signIn,
  toSignInErrors,
  type SignInFields,
  type SignInStep,
} from './signIn.ts'
import { useCountdown } from './useCountdown.ts'

type SentCode = { address: string; minutes: number }

/**
 * Signs in by a code sent to an e-mail address or a phone. The server gets `redirect_to` and decides where to go next. Enter asks
 * for the code in the address field and signs in in the code field. Both are submits of forms of their own, so an Enter that only
 * ends Chinese input does neither.
 */
export function SignInForm({ redirect_to }: { redirect_to: string | null }) {
  const form = useForm<SignInFields>({ address: '', code: '' })
  /** The step that was submitted last. */
  const [step, setStep] = useState<SignInStep | null>(null)
  const [sentCode, setSentCode] = useState<SentCode | null>(null)
  const addressField = useRef<HTMLInputElement>(null)
  const codeField = useRef<HTMLInputElement>(null)
  const { secondsLeft, start } = useCountdown()
  const { address, code } = form.data
  const { captcha_app_id, sign_in } = useConfig()
  const { phone: hasPhone } = sign_in

  const focusError = (errors: FormErrors<SignInFields>) => {
    if (errors.address) addressField.current?.focus()
    else if (errors.code) codeField.current?.select()
  }
  const onCodeSubmit = form.handleSubmit(
    ({ address }) => {
      setStep('code')
      return sendCode(address, { channel: 'login', captcha_app_id })
    },
    {
      validate: (fields) => validateAddress(fields, hasPhone),
      toErrors: (error) => toSignInErrors(error, 'code'),
      onSuccess({ resend_after, expires_in }) {
        start(resend_after)
        setSentCode({ address: address.trim(), minutes: Math.round(expires_in / 60) })
        codeField.current?.focus()
      },
      onError: focusError,
    },
  )
  const onLoginSubmit = form.handleSubmit(
    ({ address, code }) => {
      setStep('login')
      return signIn(address, code, redirect_to)
    },
    {
      validate: (fields) => validateLogin(fields, hasPhone),
      toErrors: (error) => toSignInErrors(error, 'login'),
      // A full page load, because the guest's data have to be replaced by the user's. Back skips the form.
      onSuccess: (answer) => location.replace(answer.redirect_to),
      onError: focusError,
    },
  )
  // The page stays for a moment after signing in.
  const isSigningIn = step === 'login' && (form.processing || form.wasSuccessful)

  return (
    <div className="flex flex-col gap-3">
      <form noValidate onSubmit={onCodeSubmit}>
        <FormField
          label={hasPhone ? authText.email : authText.emailOnly}
          hint={authText.emailHint}
          error={form.errors.address}
        >
          {(field) => (
            <div className="flex gap-2 max-[26rem]:flex-col">
              <Input
                {...field}
                ref={addressField}
                type={hasPhone ? 'text' : 'email'}
                name="email"
                autoComplete="username"
                inputMode={hasPhone ? 'text' : 'email'}
                autoCapitalize="none"
                spellCheck={false}
                maxLength={254}
                placeholder="name@example.com"
                value={address}
                onChange={({ target }) => form.setData({ address: target.value })}
              />
              <Button
                type="submit"
                variant={sentCode ? 'secondary' : 'primary'}
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
          hint={sentCode ? authText.codeSent(sentCode.address, sentCode.minutes) : undefined}
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
        <Button type="submit" variant={sentCode ? 'primary' : 'secondary'} size="lg" pending={isSigningIn}>
          {authText.submit}
        </Button>
      </form>
    </div>
  )
}

const validateAddress = ({ address }: SignInFields, hasPhone: boolean): FormErrors<SignInFields> =>
  isEmailLike(address) || (hasPhone && isPhoneLike(address))
    ? {}
    : { address: hasPhone ? authText.addressInvalid : authText.emailInvalid }

/** Reports one error at a time, from the top. */
const validateLogin = (fields: SignInFields, hasPhone: boolean): FormErrors<SignInFields> => {
  const errors = validateAddress(fields, hasPhone)
  return errors.address || fields.code.length === 6 ? errors : { code: authText.codeInvalid }
}
