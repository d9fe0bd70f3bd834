import { z } from 'zod'
import type { Calls } from './call.ts'
import { userInfo } from './users.ts'

/** Life of a sign-in code, seconds; and how long a target waits for the next one. */
export const CODE_TTL_S = 600
export const CODE_RESEND_S = 60
/** Wrong tries that one code survives, over every entry point together. */
export const CODE_TRIES = 5

export const email = z.string().trim().toLowerCase().max(254).pipe(z.email())
const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, '请输入 6 位数字验证码')

export const authCalls = {
  'POST /auth/vcode': {
    summary: '发送验证码，只能在请求它的浏览器里使用',
    auth: 'public',
    body: z.object({
      email,
      /** Of a human check (Tencent captcha); read only where one is configured. */
      ticket: z.string().max(2048).optional(),
      rand_str: z.string().max(256).optional(),
      /**
       * What a client calls its page. A signed-in user's code confirms an address of the account, but for the channel
       * `login`: it signs in, as every other does.
       */
      channel: z
        .string()
        .regex(/^[\w-]{1,40}$/)
        .default('email'),
    }),
    response: z.object({
      /** Seconds until the next code may be asked for. */
      resend_after: z.int(),
      /** Seconds until this code expires. */
      expires_in: z.int(),
    }),
    errors: ['rate_limited', 'code_send_failed'],
  },
  'POST /auth/email': {
    summary: '用邮箱验证码登录；已登录时绑定或更换邮箱，更换时原邮箱也要确认',
    auth: 'public',
    body: z.object({
      email,
      code,
      /** Where the account has another address already: the code that was sent there. */
      old_code: code.optional(),
    }),
    response: z.object({ user: userInfo }),
    errors: ['code_invalid', 'code_tries', 'rate_limited', 'email_taken', 'old_code_required'],
  },
  'POST /login': {
    summary: '登录，返回登录后要前往的地址',
    auth: 'public',
    body: z.object({
      email,
      code,
      /** Where to go after signing in; only a path of this site is honoured. */
      redirect_to: z.string().max(2048).optional(),
    }),
    response: z.object({ redirect_to: z.string() }),
    errors: ['code_invalid', 'code_tries', 'rate_limited'],
  },
  'POST /logout': {
    summary: '退出登录',
    auth: 'public',
    response: z.object({ redirect_to: z.string() }),
  },
} as const satisfies Calls
