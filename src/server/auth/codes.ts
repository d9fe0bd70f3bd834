import { CODE_RESEND_S, CODE_TRIES, CODE_TTL_S } from '#contract/auth/auth.ts'
import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Mailer } from '#server/core/mail.ts'
import { hashToken, hashWithSecret, createCode } from '#server/core/secrets.ts'
import { countCodes, deleteCode, insertCode, tryCode } from './store.ts'
import type { CodeCounts, CodePurpose } from './store.ts'

const TARGET_HOUR = 6
const TARGET_DAY = 20
const CLIENT_HOUR = 30

type Options = { db: Db; mail: Mailer; app_secret: string }

/** What a code is for, and what the browser that asks for it or tries it is known by. */
export type CodeScope = { purpose: CodePurpose; browser: string }

/** What a code is sent to: an e-mail address (lower case) or a phone number (eleven digits). */
export type Target = { type: 'email' | 'phone'; value: string }

/** Codes by e-mail and SMS: sent, limited for each target and client, tried at most five times by the browser that asked, used once. */
export function createLoginCodes({ db, mail, app_secret }: Options) {
  const hashCode = (target: string, code: string) => hashWithSecret(app_secret, 'code', target, code)
  return {
    /** Sends a new code, which takes the place of earlier ones. Throws AppError rate_limited or code_send_failed. */
    async send({ type, value }: Target, client: string, { purpose, browser }: CodeScope): Promise<void> {
      const [id, code] = [createId(), createCode()]
      const client_hash = hashWithSecret(app_secret, 'client', client)
      await db.transaction(async (tx) => {
        const wait_s = secondsToNextCode(await countCodes(tx, value, client_hash))
        if (wait_s > 0) throw new AppError('rate_limited', { retry_after: wait_s })
        const code_hash = hashCode(value, code)
        const scope = { channel: type, target: value, purpose, browser_hash: hashToken(browser) }
        await insertCode(tx, { ...scope, id, code_hash, client_hash, ttl_s: CODE_TTL_S })
      })
      try {
        await mail.send({
          to: value,
          channel: type === 'phone' ? 'sms' : 'email',
          subject: `问渠${PURPOSES[purpose].name}验证码`,
          text: type === 'phone' ? formatCodeSms(code, purpose) : formatCodeMail(code, purpose),
          code,
          minutes: CODE_TTL_S / 60,
        })
      } catch (cause) {
        await deleteCode(db, id)
        throw new AppError('code_send_failed', { cause })
      }
    },

    /** One try. Throws AppError code_invalid or code_tries unless the code is right; a right one is used up. */
    async verify({ value }: Target, code: string, { purpose, browser }: CodeScope): Promise<void> {
      const scope = { target: value, purpose, browser_hash: hashToken(browser) }
      const result = await tryCode(db, { ...scope, code_hash: hashCode(value, code) }, CODE_TRIES)
      if (result === 'spent') throw new AppError('code_tries')
      if (result !== 'right') throw new AppError('code_invalid')
    },
  }
}

/** Seconds until the next code may be asked for. */
function secondsToNextCode({ target_hour, target_day, client_hour, since_last_s }: CodeCounts): number {
  if (target_day >= TARGET_DAY) return 86_400
  if (target_hour >= TARGET_HOUR || client_hour >= CLIENT_HOUR) return 3_600
  return since_last_s === null ? 0 : CODE_RESEND_S - since_last_s
}

const PURPOSES: Record<CodePurpose, { name: string; effect: string }> = {
  login: { name: '登录', effect: '用它可以登录你的账号，只能在请求它的浏览器里使用。' },
  bind: {
    name: '确认',
    effect: '用它可以把收到它的邮箱或手机号绑定到一个问渠账号，或者给账号换一种登录方式。',
  },
}

const formatCodeSms = (code: string, purpose: CodePurpose): string =>
  `你的${PURPOSES[purpose].name}验证码是 ${code}，${CODE_TTL_S / 60} 分钟内有效，请勿告诉任何人。`

const formatCodeMail = (code: string, purpose: CodePurpose): string =>
  `你的${PURPOSES[purpose].name}验证码是 ${code}，${CODE_TTL_S / 60} 分钟内有效。${PURPOSES[purpose].effect}\n\n如果不是你本人操作，请忽略这封邮件，并且不要把验证码告诉任何人。\n\n问渠`
