import { ApiError, request } from '#web/core/api.ts'
import type { FormErrors } from '#web/core/useForm.ts'
import { authText } from '#web/text/auth.ts'
import { createTicket } from './createTicket.ts'

/** `code` asks for a code, `login` signs in with it. */
export type SignInStep = 'code' | 'login'
/** `address` is an e-mail address or a phone number. */
export type SignInFields = { address: string; code: string }

/** Deliberately loose: the server decides what an address is, this only catches typing errors. */
export const isEmailLike = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text.trim())
export const isPhoneLike = (text: string): boolean =>
  /^(\+|00)?(86)?1\d{10}$/.test(text.replace(/[\s-]/g, ''))

/** The server's field for an address, by its kind. */
export const toTarget = (address: string): { email: string } | { phone: string } =>
  isPhoneLike(address) ? { phone: address.trim() } : { email: address.trim() }

/** The digits of a pasted or typed code, full-width ones included; at most six. */
export const extractCodeDigits = (text: string): string =>
  text.normalize('NFKC').replace(/\D/g, '').slice(0, 6)

type SendOptions = { channel: 'login' | 'setting'; captcha_app_id: string | null }

/** Sends a code: with `channel` login it signs in, with setting it confirms an address of the account. Throws ApiError. */
export async function sendCode(address: string, { channel, captcha_app_id }: SendOptions) {
  const body = { ...toTarget(address), channel, ...(await createTicket(captcha_app_id)) }
  return request('POST /auth/vcode', { body }, { failed: authText.sendFailed })
}

export const signIn = (address: string, code: string, redirectTo: string | null) =>
  request(
    'POST /login',
    { body: { ...toTarget(address), code, ...(redirectTo ? { redirect_to: redirectTo } : {}) } },
    { failed: authText.loginFailed },
  )

/** Leads to WeChat's own page with the code to scan, to sign in or to bind an account. Throws ApiError. */
export async function visitWechat(
  query: { redirect_to?: string; old_code?: string },
  { failed }: { failed: string } = { failed: authText.wechatFailed },
): Promise<void> {
  const { url } = await request('GET /wechat/login', { query }, { failed })
  location.assign(url)
}

/** Assigns an error of `sendCode` or `signIn` to the field that it concerns, else to the form. */
export function toSignInErrors(error: unknown, step: SignInStep): FormErrors<SignInFields> {
  if (!(error instanceof ApiError))
    return { form: step === 'code' ? authText.sendFailed : authText.loginFailed }
  const { email, phone, code } = error.errors
  const address = email ?? phone
  if (address || code) return { ...(address ? { address } : {}), ...(code ? { code } : {}) }
  if (error.code === 'code_invalid' || error.code === 'code_tries') return { code: error.message }
  return { form: error.message }
}
