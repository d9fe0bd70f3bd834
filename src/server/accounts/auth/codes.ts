import { CODE_RESEND_S, CODE_TRIES, CODE_TTL_S } from '#contract/auth/auth.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import type { LimitAlerts } from '#server/core/limits/alerts.ts'
import { countUses, returnUse, takeUse } from '#server/core/limits/limits.ts'
import type { LimitedKey, UseLimit } from '#server/core/limits/limits.ts'
import type { Mailer } from '#server/core/mail.ts'
import { hashToken, hashWithSecret, createCode } from '#server/core/secrets.ts'
import { deleteCode, hasCodeOf, insertCode, tryCode } from './store.ts'
import type { CodePurpose } from './store.ts'

const [HOUR, DAY] = [3_600, 86_400]

/** Codes that strangers send to one address: all together, and a single client, which cannot use up all of them. */
const STRANGERS_LIMITS = [{ max: 10, seconds: DAY }]
const STRANGER_LIMITS = [
  { max: 1, seconds: CODE_RESEND_S },
  { max: 6, seconds: DAY },
]
/**
 * Codes that a browser sends to addresses of an account that knows it, counted apart from strangers' and other browsers'. All
 * known browsers of an account share a limit too, since its owner can create any number of them.
 */
const KNOWN_BROWSER_LIMITS = [
  { max: 1, seconds: CODE_RESEND_S },
  { max: 6, seconds: HOUR },
  { max: 20, seconds: DAY },
]
const KNOWN_LIMITS = [{ max: 60, seconds: DAY }]
/** Codes that strangers send from one client address, and the factor from an hour's new targets to a day's. */
const CLIENT_LIMITS = [
  { max: 30, seconds: HOUR },
  { max: 720, seconds: DAY },
]
const TARGET_HOURS_A_DAY = 5
/** Codes of one browser for an address and purpose that are valid at the same time, the newest ones. */
const MAX_LIVE_CODES = 3
/** The share of the operator's codes that strangers can use up. */
const STRANGERS_SHARE = 0.8

type Options = {
  db: Db
  mail: Mailer
  alert: LimitAlerts
  config: Pick<Config, 'app_secret' | 'code_targets' | 'mail_codes_total' | 'sms_codes_total'>
}

/** The purpose of a code, and the token of the browser that requests or tries it. */
export type CodeScope = { purpose: CodePurpose; browser: string }

/** The address that gets a code: an e-mail address (lower case) or a phone number (eleven digits). */
export type Target = { type: 'email' | 'phone'; value: string }

/** A browser that an account has signed in from, by its random name; empty if it is signed in but has none yet. */
export type KnownBrowser = { user_id: string; name: string }
/** The requester of a code: the client's address, and the browser if the target's account knows it. */
export type CodeSender = { client: string; known_browser: KnownBrowser | null }

/**
 * Codes by e-mail and SMS: limited per target, client and operator across all processes, tried at most five times each by the
 * requesting browser, and used once.
 */
export function createLoginCodes({ db, mail, alert, config }: Options) {
  const { app_secret, code_targets } = config
  const hashCode = (target: string, code: string) => hashWithSecret(app_secret, 'code', target, code)

  /** Returns the limits of a code, in the order in which they are reported. Strangers and known browsers have different ones. */
  const listLimits = (
    { type, value }: Target,
    clientHash: string,
    { known_browser, isNewTarget }: { known_browser: KnownBrowser | null; isNewTarget: boolean },
  ): LimitedKey[] => {
    const total = getTotal(type)
    const operatorLimit = { key: toOperatorKey(type), limits: [{ max: total, seconds: DAY }] }
    if (known_browser) {
      const account = `code:known:${known_browser.user_id}`
      return [
        { key: `${account}:${hashToken(known_browser.name)}`, limits: KNOWN_BROWSER_LIMITS },
        { key: account, limits: KNOWN_LIMITS },
        operatorLimit,
      ]
    }
    const address = `code:strangers:${hashWithSecret(app_secret, 'target', value)}`
    const targets = [
      { max: code_targets, seconds: HOUR },
      { max: code_targets * TARGET_HOURS_A_DAY, seconds: DAY },
    ]
    const strangers = [{ max: Math.floor(total * STRANGERS_SHARE), seconds: DAY }]
    return [
      { key: `${address}:${clientHash}`, limits: STRANGER_LIMITS },
      { key: address, limits: STRANGERS_LIMITS },
      { key: `code:client:${clientHash}`, limits: CLIENT_LIMITS },
      ...(isNewTarget ? [{ key: `code:targets:${clientHash}`, limits: targets }] : []),
      { key: `${operatorLimit.key}:strangers`, limits: strangers },
      operatorLimit,
    ]
  }

  const getTotal = (type: Target['type']): number =>
    type === 'phone' ? config.sms_codes_total : config.mail_codes_total

  /** Throws AppError rate_limited; code_limit or codes_exhausted if an address, or the operator, has used up its day. */
  const takeCode = async (tx: Db, limits: LimitedKey[]): Promise<string> => {
    let refusal: { key: string; limit: UseLimit } | undefined
    try {
      return await takeUse(tx, limits, (key, limit) => (refusal = { key, limit }))
    } catch (error) {
      if (!(error instanceof AppError) || !refusal) throw error
      const { key, limit } = refusal
      const { retry_after } = error
      if (key.startsWith(OPERATOR_KEY)) {
        alert(key, limit.max, limit.max)
        throw new AppError('codes_exhausted', { retry_after })
      }
      if (key.startsWith('code:strangers:') && limit.seconds === DAY)
        throw new AppError('code_limit', { retry_after })
      throw error
    }
  }

  return {
    /**
     * Sends a code; the two before it stay valid. Throws AppError rate_limited, code_limit, codes_exhausted, code_send_failed.
     */
    async send(
      target: Target,
      { client, known_browser }: CodeSender,
      { purpose, browser }: CodeScope,
    ): Promise<void> {
      const { type, value } = target
      const [id, code] = [createId(), createCode()]
      const clientHash = hashWithSecret(app_secret, 'client', client)
      const useId = await db.transaction(async (tx) => {
        const isNewTarget = !(await hasCodeOf(tx, value, clientHash))
        const codeUseId = await takeCode(tx, listLimits(target, clientHash, { known_browser, isNewTarget }))
        const operatorKey = toOperatorKey(type)
        alert(operatorKey, await countUses(tx, operatorKey, DAY), getTotal(type))
        const codeHash = hashCode(value, code)
        const scope = { channel: type, target: value, purpose, browser_hash: hashToken(browser) }
        await insertCode(
          tx,
          { ...scope, id, code_hash: codeHash, client_hash: clientHash, ttl_s: CODE_TTL_S },
          MAX_LIVE_CODES,
        )
        return codeUseId
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
        await returnUse(db, useId)
        throw new AppError('code_send_failed', { cause })
      }
    },

    /**
     * Tries a code against all valid codes of this browser at once; a match uses up all of them. Throws AppError code_invalid,
     * code_tries.
     */
    async verify({ value }: Target, code: string, { purpose, browser }: CodeScope): Promise<void> {
      const scope = { target: value, purpose, browser_hash: hashToken(browser) }
      const result = await tryCode(db, { ...scope, code_hash: hashCode(value, code) }, CODE_TRIES)
      if (result === 'spent') throw new AppError('code_tries')
      if (result !== 'right') throw new AppError('code_invalid')
    },
  }
}

const OPERATOR_KEY = 'code:house:'
const toOperatorKey = (type: Target['type']): string => `${OPERATOR_KEY}${type}`

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
