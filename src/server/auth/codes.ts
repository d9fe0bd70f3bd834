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

/** Codes that strangers together have sent to one address, and those of them that one client has: it alone takes not all of them. */
const STRANGERS_LIMITS = [{ max: 10, seconds: DAY }]
const STRANGER_LIMITS = [
  { max: 1, seconds: CODE_RESEND_S },
  { max: 6, seconds: DAY },
]
/**
 * Codes for one account, to its addresses, from a browser that it has signed in from: spent apart from those of strangers and of its
 * other browsers. All of these browsers together have an end, since their owner can make any number of them.
 */
const KNOWN_BROWSER_LIMITS = [
  { max: 1, seconds: CODE_RESEND_S },
  { max: 6, seconds: HOUR },
  { max: 20, seconds: DAY },
]
const KNOWN_LIMITS = [{ max: 60, seconds: DAY }]
/** Codes that one client address has sent by strangers, and how many times an hour's new addresses it may have a day. */
const CLIENT_LIMITS = [
  { max: 30, seconds: HOUR },
  { max: 720, seconds: DAY },
]
const TARGET_HOURS_A_DAY = 5
/** Codes of one browser for one address and purpose that are good at a time, the newest ones. */
const MAX_LIVE_CODES = 3
/** The part of the house's codes that strangers can use up. */
const STRANGERS_SHARE = 0.8

type Options = {
  db: Db
  mail: Mailer
  alert: LimitAlerts
  config: Pick<Config, 'app_secret' | 'code_targets' | 'mail_codes_total' | 'sms_codes_total'>
}

/** What a code is for, and what the browser that asks for it or tries it is known by. */
export type CodeScope = { purpose: CodePurpose; browser: string }

/** What a code is sent to: an e-mail address (lower case) or a phone number (eleven digits). */
export type Target = { type: 'email' | 'phone'; value: string }

/** A browser that an account has signed in from, by its random name; empty where it is signed in and has none yet. */
export type KnownBrowser = { user_id: string; name: string }
/** Who asks for a code: the client's address, and the browser where the account whose address it goes to is known there. */
export type CodeSender = { client: string; known: KnownBrowser | null }

/**
 * Codes by e-mail and SMS: sent, limited for target, client and house over all processes, tried at most five times each by the browser
 * that asked, used once.
 */
export function createLoginCodes({ db, mail, alert, config }: Options) {
  const { app_secret, code_targets } = config
  const hashCode = (target: string, code: string) => hashWithSecret(app_secret, 'code', target, code)

  /** Limits of a code, in the order in which they are told of. Strangers have theirs, and people who are known have theirs. */
  const listLimits = (
    { type, value }: Target,
    clientHash: string,
    { known, isNewTarget }: { known: KnownBrowser | null; isNewTarget: boolean },
  ): LimitedKey[] => {
    const total = getTotal(type)
    const house = { key: toHouseKey(type), limits: [{ max: total, seconds: DAY }] }
    if (known) {
      const account = `code:known:${known.user_id}`
      return [
        { key: `${account}:${hashToken(known.name)}`, limits: KNOWN_BROWSER_LIMITS },
        { key: account, limits: KNOWN_LIMITS },
        house,
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
      { key: `${house.key}:strangers`, limits: strangers },
      house,
    ]
  }

  const getTotal = (type: Target['type']): number =>
    type === 'phone' ? config.sms_codes_total : config.mail_codes_total

  /** Throws AppError rate_limited; code_limit and codes_exhausted where an address, and the house, has had what it has in a day. */
  const takeCode = async (tx: Db, limits: LimitedKey[]): Promise<string> => {
    let refused: { key: string; limit: UseLimit } | undefined
    try {
      return await takeUse(tx, limits, (key, limit) => (refused = { key, limit }))
    } catch (error) {
      if (!(error instanceof AppError) || !refused) throw error
      const { key, limit } = refused
      const { retry_after } = error
      if (key.startsWith(HOUSE)) {
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
     * Sends a new code; the two before it stay good. Throws AppError rate_limited, code_limit, codes_exhausted, code_send_failed.
     */
    async send(
      target: Target,
      { client, known }: CodeSender,
      { purpose, browser }: CodeScope,
    ): Promise<void> {
      const { type, value } = target
      const [id, code] = [createId(), createCode()]
      const clientHash = hashWithSecret(app_secret, 'client', client)
      const useId = await db.transaction(async (tx) => {
        const isNewTarget = !(await hasCodeOf(tx, value, clientHash))
        const taken = await takeCode(tx, listLimits(target, clientHash, { known, isNewTarget }))
        const house = toHouseKey(type)
        alert(house, await countUses(tx, house, DAY), getTotal(type))
        const codeHash = hashCode(value, code)
        const scope = { channel: type, target: value, purpose, browser_hash: hashToken(browser) }
        await insertCode(
          tx,
          { ...scope, id, code_hash: codeHash, client_hash: clientHash, ttl_s: CODE_TTL_S },
          MAX_LIVE_CODES,
        )
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
        await returnUse(db, useId)
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

const HOUSE = 'code:house:'
const toHouseKey = (type: Target['type']): string => `${HOUSE}${type}`

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
