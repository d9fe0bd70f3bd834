import { z } from 'zod'
import { authTypes } from '../auth-types.ts'
import { createdAt, moment } from '#contract/dates/dates.ts'
import type { Calls } from '../call.ts'
import { userInfo } from '../users.ts'

/** Life of a sign-in code, and the wait of a target for the next one, seconds. */
export const CODE_TTL_S = 600
export const CODE_RESEND_S = 60
/** Wrong tries that one code survives, over all entry points together. */
export const CODE_TRIES = 5

export const email = z.string().trim().toLowerCase().max(254).pipe(z.email()).describe('邮箱')
/** A mobile number of mainland China, with or without its country code; kept as its eleven digits. */
const phone = z
  .string()
  .trim()
  .max(30)
  .transform((text) => text.replace(/[\s-]/g, '').replace(/^(\+|00)?86(?=1)/, ''))
  .pipe(z.string().regex(/^1[3-9]\d{9}$/, '请输入正确的手机号'))
  .describe('手机号')

/** The target of a code: exactly one of the two. */
const target = { email: email.optional(), phone: phone.optional() }
const hasOneTarget = ({ email, phone }: { email?: string | undefined; phone?: string | undefined }) =>
  (email === undefined) !== (phone === undefined)
const oneTarget = { path: ['email'], message: '请填写手机号或邮箱，只填一个' }
const code = z
  .string()
  .trim()
  .regex(/^\d{6}$/, '请输入 6 位数字验证码')
  .describe('收到的验证码，6 位数字')

/** The code that was sent to the account's present address (of this kind, else of the other), where it has one. */
const oldCode = code.optional().describe('原来的邮箱或手机号收到的验证码')

/** A browser in which the user is signed in. */
const signedInBrowser = z.object({
  id: z.string().describe('登录的编号'),
  user_agent: z.string().describe('登录时浏览器的标识；没有则为空'),
  current: z.boolean().describe('是否为当前这个浏览器'),
  created_at: createdAt,
  seen_at: moment.describe('最近使用时间，精确到天'),
})

export const authCalls = {
  'POST /auth/vcode': {
    summary: '发送验证码，只能在请求它的浏览器里使用',
    auth: 'public',
    body: z
      .object({
        ...target,
        /**
         * A solved challenge (`GET /auth/challenge`) or, where Tencent Captcha is configured, its ticket with `rand_str`. Outside
         * production `dev` passes, and so does none.
         */
        ticket: z
          .string()
          .min(1)
          .max(2048)
          .optional()
          .describe('人机验证的凭证：解出的题目，或腾讯验证码的票据'),
        rand_str: z.string().min(1).max(256).optional().describe('腾讯验证码的随机串'),
        /**
         * A client's name for its page. A signed-in user's code confirms an address of the account, except in the channel
         * `login`: there it signs in, as for anybody else.
         */
        channel: z
          .string()
          .regex(/^[\w-]{1,40}$/)
          .default('email')
          .describe('验证码的用途，如 email、setting；已登录时为 login 则按登录处理'),
      })
      .refine(hasOneTarget, oneTarget),
    response: z.object({
      resend_after: z.int().describe('多少秒后可以再发一次'),
      expires_in: z.int().describe('多少秒后失效'),
    }),
    errors: ['rate_limited', 'code_limit', 'code_send_failed', 'codes_exhausted', 'human_check_failed'],
  },
  'GET /auth/challenge': {
    summary: '人机验证的题目：找到 ticket，使它的 SHA-256 以指定数量的零比特开头',
    auth: 'public',
    response: z.object({
      challenge: z.string().describe('人机验证的题目：凭证的开头，后面接一个点和一个数字'),
      difficulty: z.int().describe('题目的难度：凭证的哈希开头要有几位 0'),
    }),
  },
  'POST /auth/email': {
    summary: '用邮箱验证码登录；已登录时绑定或更换邮箱，账号原有的邮箱或手机号也要确认',
    auth: 'public',
    body: z.object({
      email,
      code,
      old_code: oldCode,
    }),
    response: z.object({ user: userInfo }),
    errors: ['code_invalid', 'code_tries', 'rate_limited', 'email_taken', 'old_code_required'],
  },
  'POST /auth/phone': {
    summary: '用短信验证码登录；已登录时绑定或更换手机号，账号原有的手机号或邮箱也要确认',
    auth: 'public',
    body: z.object({
      phone,
      code,
      old_code: oldCode,
    }),
    response: z.object({ user: userInfo }),
    errors: ['code_invalid', 'code_tries', 'rate_limited', 'phone_taken', 'old_code_required'],
  },
  'DELETE /api/user/auth_types/{type}': {
    summary: '解除一种登录方式，最后一种不能解除',
    auth: 'user',
    params: z.object({ type: z.enum(authTypes).describe('登录方式') }),
    response: z.object({ user: userInfo }),
    errors: ['last_auth_type', 'not_found'],
  },
  'GET /wechat/login': {
    summary: '微信扫码登录的地址；已登录时用于绑定微信，账号原有的邮箱或手机号也要确认',
    auth: 'public',
    query: z.object({
      redirect_to: z.string().min(1).max(2048).optional().describe('完成后前往的地址'),
      old_code: oldCode,
    }),
    response: z.object({ url: z.string().describe('微信登录的地址') }),
    errors: ['wechat_unavailable', 'old_code_required', 'code_invalid', 'code_tries', 'rate_limited'],
  },
  'GET /api/user/sessions': {
    summary: '已登录的浏览器，最近使用的在前',
    auth: 'user',
    response: z.object({ items: z.array(signedInBrowser).describe('已登录的浏览器') }),
  },
  'DELETE /api/user/sessions/{id}': {
    summary: '让一个浏览器退出登录',
    auth: 'user',
    params: z.object({
      id: z
        .string()
        .regex(/^[\w-]{43}$/)
        .describe('登录的编号'),
    }),
    response: 'none',
    errors: ['not_found'],
  },
  'POST /login': {
    summary: '登录，返回登录后要前往的地址',
    auth: 'public',
    body: z
      .object({
        ...target,
        code,
        redirect_to: z.string().min(1).max(2048).optional().describe('登录后前往的地址，只能是本站的'),
      })
      .refine(hasOneTarget, oneTarget),
    response: z.object({ redirect_to: z.string().describe('完成后前往的地址') }),
    errors: ['code_invalid', 'code_tries', 'rate_limited'],
  },
  'POST /logout': {
    summary: '退出登录',
    auth: 'public',
    response: z.object({ redirect_to: z.string().describe('完成后前往的地址') }),
  },
} as const satisfies Calls
