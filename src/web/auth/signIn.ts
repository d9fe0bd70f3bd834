import { ApiError, request } from '#web/core/api.ts'
import type { FormErrors } from '#web/core/useForm.ts'
import { authText } from '#web/text/auth.ts'

/** Asking for a code, and signing in with it. */
export type SignInStep = 'code' | 'login'
export type SignInFields = { email: string; code: string }

/** Deliberately loose: the server decides what an address is, this catches only slips of the hand. */
export const isEmailLike = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text.trim())

/** The digits of a pasted or typed code, full-width ones included; at most six. */
export const extractCodeDigits = (text: string): string =>
  text.normalize('NFKC').replace(/\D/g, '').slice(0, 6)

export const sendCode = (email: string) =>
  request(
    'POST /auth/vcode',
    { body: { email: email.trim(), channel: 'login' } },
    { failed: authText.sendFailed },
  )

export const signIn = (email: string, code: string, redirect_to: string | null) =>
  request(
    'POST /login',
    { body: { email: email.trim(), code, ...(redirect_to ? { redirect_to } : {}) } },
    { failed: authText.loginFailed },
  )

/** Puts an error of `sendCode` or `signIn` where the person looks for it. */
export function toSignInErrors(error: unknown, step: SignInStep): FormErrors<SignInFields> {
  const offline = step === 'code' ? authText.sendFailed : authText.loginFailed
  if (!(error instanceof ApiError) || error.status === 0) return { form: offline }
  const { email, code } = error.errors
  if (email || code) return { ...(email ? { email } : {}), ...(code ? { code } : {}) }
  if (error.code === 'code_invalid' || error.code === 'code_tries') return { code: error.message }
  return { form: error.message }
}
