import { CODE_RESEND_S, CODE_TRIES, CODE_TTL_S } from '#contract/auth/auth.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { createLimitAlerts } from '#server/core/limits/alerts.ts'
import { returnUse, takeUse } from '#server/core/limits/limits.ts'
import type { LimitedKey } from '#server/core/limits/limits.ts'
import type { LogWriter } from '#server/core/log.ts'
import type { Mailer } from '#server/core/mail.ts'
import { hashToken, hashWithSecret, createCode } from '#server/core/secrets.ts'
import { deleteCode, hasCodeOf, insertCode, tryCode } from './store.ts'
import type { CodePurpose } from './store.ts'

const [HOUR, DAY] = [3_600, 86_400]

/** Codes that strangers together have sent to one address. */
const STRANGER_LIMITS = [
  { max: 1, seconds: CODE_RESEND_S },
  { max: 10, seconds: DAY },
]
/** Codes for one account, to its addresses, from browsers that it has signed in from: spent apart from those of strangers. */
const KNOWN_LIMITS = [
  { max: 1, seconds: CODE_RESEND_S },
  { max: 6, seconds: HOUR },
  { max: 20, seconds: DAY },
]
/** Codes that one client address has sent by strangers, and how many times an hour's new addresses it may have a day. */
const CLIENT_LIMITS = [
  { max: 30, seconds: HOUR },
  { max: 720, seconds: DAY },
]
const TARGET_HOURS_A_DAY = 5
/** The part of the house's codes that strangers can use up. */
const STRANGERS_SHARE = 0.8

type Options = {
  db: Db
  mail: Mailer
  log: LogWriter
  config: Pick<Config, 'app_secret' | 'code_targets' | 'mail_codes_total' | 'sms_codes_total'>
}

/** What a code is for, and what the browser that asks for it or tries it is known by. */
export type CodeScope = { purpose: CodePurpose; browser: string }

/** What a code is sent to: an e-mail address (lower case) or a phone number (eleven digits). */
export type Target = { type: 'email' | 'phone'; value: string }

/** Who asks for a code: the client's address, and the account whose address the code goes to, where the browser is known to it. */
export type CodeSender = { client: string; known_user_id: string | null }

/**
 * Codes by e-mail and SMS: sent, limited for target, client and house over all processes, tried at most five times each by the browser
 * that asked, used once.
 */
export function createLoginCodes({ db, mail, log, config }: Options) {
  const { app_secret, code_targets } = config
  const hashCode = (target: string, code: string) => hashWithSecret(app_secret, 'code', target, code)
  const alert = createLimitAlerts(log)

  /** Limits of a code, in the order in which they are told of. Strangers have theirs, and people who are known have theirs. */
  const listLimits = (
    { type, value }: Target,
    client_hash: string,
    { known_user_id, isNewTarget }: { known_user_id: string | null; isNewTarget: boolean },
  ): LimitedKey[] => {
    const total = type === 'phone' ? config.sms_codes_total : config.mail_codes_total
    const house = { key: `code:house:${type}`, limits: [{ max: total, seconds: DAY }] }
    if (known_user_id) return [{ key: `code:known:${known_user_id}`, limits: KNOWN_LIMITS }, house]
    const targets = [
      { max: code_targets, seconds: HOUR },
      { max: code_targets * TARGET_HOURS_A_DAY, seconds: DAY },
    ]
    const strangers = [{ max: Math.floor(total * STRANGERS_SHARE), seconds: DAY }]
    return [
      { key: `code:strangers:${hashWithSecret(app_secret, 'target', value)}`, limits: STRANGER_LIMITS },
      { key: `code:client:${client_hash}`, limits: CLIENT_LIMITS },
      ...(isNewTarget ? [{ key: `code:targets:${client_hash}`, limits: targets }] : []),
      { key: `code:house:${type}:strangers`, limits: strangers },
      house,
    ]
  }

  /** Throws AppError rate_limited; codes_exhausted where the house has sent what it sends in a day. */
  const takeCode = async (tx: Db, limits: LimitedKey[]): Promise<string> => {
    let refused = ''
    try {
      return await takeUse(tx, limits, (key, { max }) => {
        refused = key
        if (key.startsWith('code:house:')) alert(key, max, max)
      })
    } catch (error) {
      if (!(error instanceof AppError) || !refused.startsWith('code:house:')) throw error
      throw new AppError('codes_exhausted', { retry_after: error.retry_after })
    }
  }

  return {
    /** Sends a new code; earlier ones stay good. Throws AppError rate_limited, codes_exhausted, code_send_failed. */
    async send(
      target: Target,
      { client, known_user_id }: CodeSender,
      { purpose, browser }: CodeScope,
    ): Promise<void> {
      const { type, value } = target
      const [id, code] = [createId(), createCode()]
      const client_hash = hashWithSecret(app_secret, 'client', client)
      const use_id = await db.transaction(async (tx) => {
        const isNewTarget = !(await hasCodeOf(tx, value, client_hash))
        const taken = await takeCode(tx, listLimits(target, client_hash, { known_user_id, isNewTarget }))
        const code_hash = hashCode(value, code)
        const scope = { channel: type, target: value, purpose, browser_hash: hashToken(browser) }
        await insertCode(tx, { ...scope, id, code_hash, client_hash, ttl_s: CODE_TTL_S })
        return taken
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
        await returnUse(db, use_id)
        throw new AppError('code_send_failed', { cause })
      }
    },

    /**
     * One try, at all codes that this browser has and that are still good. Throws AppError code_invalid or code_tries unless it is one
     * of them; then all are used up.
     */
    async verify({ value }: Target, code: string, { purpose, browser }: CodeScope): Promise<void> {
      const scope = { target: value, purpose, browser_hash: hashToken(browser) }
      const result = await tryCode(db, { ...scope, code_hash: hashCode(value, code) }, CODE_TRIES)
      if (result === 'spent') throw new AppError('code_tries')
      if (result !== 'right') throw new AppError('code_invalid')
    },
  }
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
