import type { AuthType } from '#contract/auth-types.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import type { VisitorResolver, Visitor } from '#server/core/http.ts'
import type { LimitAlerts } from '#server/core/limits/alerts.ts'
import type { Mailer } from '#server/core/mail.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { createToken, hashToken } from '#server/core/secrets.ts'
import { notify } from '#server/notifications/notifications.ts'
import type { Users } from '#server/accounts/users/users.ts'
import { createLoginCodes } from './codes.ts'
import type { CodeScope, KnownBrowser, Target } from './codes.ts'
import {
  clearSessionCookies,
  readBrowserToken,
  readKnownCookie,
  readSessionToken,
  writeKnownCookie,
  writeSessionCookie,
} from './cookie.ts'
import { createKnownBrowsers } from './known-browsers.ts'
import { createHumanCheck } from './human-check.ts'
import type { HumanProof } from './human-check.ts'
import { createSessionWatch } from './session-watch.ts'
import { createWechat } from './wechat.ts'
import type { WechatBrowser } from './wechat.ts'
import { createWidgetResolver } from './widget-visitors.ts'
import type { RequireWidget } from './widget-visitors.ts'
import {
  deleteAuthSession,
  deleteCodesOf,
  deleteOwnAuthSession,
  listAuthSessions,
  insertAuthSession,
  renewAuthSession,
  findAuthSession,
  listLiveSessions,
  sweepAuth,
  sweepGuests,
} from './store.ts'

type AuthValue = { type: AuthType; value: string }
const AUTH_NAMES: Record<AuthType, string> = { email: '邮箱', phone: '手机号', wechat: '微信' }

const ACCOUNT_DAYS = 30
const GUEST_DAYS = 7
/** Age of a session up to which it needs no code, ms. */
const FRESH_SESSION_MS = 15 * 60_000
/** New guests from one address: enough for a class or an office, too few for a loop. */
const GUEST_LIMIT = { points: 100, seconds: 3_600 }

type Options = {
  db: Db
  config: Config
  alert: LimitAlerts
  mail: Mailer
  users: Users
  /** Moves a guest's data to the account that the guest signs in to. */
  mergeGuest: (tx: Db, guestId: string, userId: string) => Promise<void>
  requireWidget: RequireWidget
}
export type Auth = ReturnType<typeof createAuth>
export type { RequireWidget } from './widget-visitors.ts'

/** Signing in and out. Each way to sign in confirms the identity, and then calls `signInAs`. */
export function createAuth({ db, config, alert, mail, users, mergeGuest, requireWidget }: Options) {
  const limitGuests = createRateLimit(GUEST_LIMIT)
  const codes = createLoginCodes({ db, mail, alert, config })
  const knownBrowsers = createKnownBrowsers(config.app_secret)
  const humanCheck = createHumanCheck({ db, config })
  const wechat = createWechat({ db, config })
  const { app_url } = config
  const watch = createSessionWatch((tokenHashes) => listLiveSessions(db, tokenHashes))
  const readToken = (request: Request): string | null => readSessionToken(request, app_url)?.token ?? null

  /** Creates a new token at each sign-in, so that an earlier token never becomes a signed-in one. */
  const signInAs = async (auth: AuthValue, previous: PreviousIdentity, headers: Headers): Promise<string> => {
    const token = createToken()
    const userId = await db.transaction(async (tx) => {
      const { id, isNew } = await users.findOrCreateByAuth(tx, auth, previous)
      if (previous.token) await deleteAuthSession(tx, hashToken(previous.token))
      if (previous.visitor?.guest) await mergeGuest(tx, previous.visitor.user_id, id)
      await insertAuthSession(tx, hashToken(token), id, ACCOUNT_DAYS, { user_agent: previous.user_agent })
      if (isNew) await users.giveFirstCoins(tx, id, auth)
      return id
    })
    headers.append('Set-Cookie', writeSessionCookie(token, ACCOUNT_DAYS, app_url))
    rememberBrowser(previous.known_cookie, userId, headers)
    return userId
  }

  /** Makes the browser known to an account, beyond the end of its session. */
  const rememberBrowser = (cookie: string | null, userId: string, headers: Headers): void =>
    headers.append('Set-Cookie', writeKnownCookie(knownBrowsers.add(cookie, userId), app_url))

  /** Returns the account of an address if this browser is or was signed in to it; else null. */
  const findKnownBrowser = async (
    target: Target,
    request: Request,
    visitor: Visitor | null,
  ): Promise<KnownBrowser | null> => {
    const cookie = readKnownCookie(request, app_url)
    if (!cookie && (!visitor || visitor.guest)) return null
    const userId = await users.findIdByAuth(target)
    if (userId === undefined) return null
    const isKnown = visitor?.user_id === userId || knownBrowsers.isKnown(cookie, userId)
    return isKnown ? { user_id: userId, name: knownBrowsers.getName(cookie) } : null
  }

  /**
   * Requires a code sent to an address that the account already has, so that an unlocked browser does not give the account away.
   * Prefers the address of the same kind; accounts with WeChat alone have none. Throws AppError old_code_required.
   */
  const confirmAddress = async (
    userId: string,
    target: Target | null,
    oldCode: string | undefined,
    browser: string,
  ): Promise<void> => {
    const boundAddress = (await listAddresses(userId)).sort(
      (one, other) => Number(other.type === target?.type) - Number(one.type === target?.type),
    )[0]
    if (!boundAddress || boundAddress.value === target?.value) return
    if (!oldCode) throw new AppError('old_code_required')
    await codes.verify(boundAddress, oldCode, { purpose: 'bind', browser })
  }

  const listAddresses = async (userId: string): Promise<Target[]> => {
    const user = await users.getInfo(userId)
    return (['email', 'phone'] as const).flatMap((type) => (user[type] ? [{ type, value: user[type] }] : []))
  }

  /** Lists the browsers in which a user is signed in. */
  const listSessions = async (userId: string, request: Request) => {
    const token = readToken(request)
    const current = token && hashToken(token)
    const rows = await listAuthSessions(db, userId)
    return rows.map((row) => ({ ...row, current: row.id === current }))
  }

  const bind = (userId: string, { type, value }: AuthValue): Promise<void> =>
    db.transaction(async (tx) => {
      await users.bindAuth(tx, userId, type, value)
      const text = `已绑定新的${AUTH_NAMES[type]}。如果不是你本人操作，请立即解除绑定，并退出其他已登录的浏览器。`
      await notify(tx, userId, {
        channel: 'system',
        title: '登录方式有变化',
        text,
        link: '/profile/setting',
      })
    })

  const identify: VisitorResolver = {
    async resolveVisitor(request, headers) {
      const sessionCookie = readSessionToken(request, app_url)
      const session = sessionCookie && (await findAuthSession(db, hashToken(sessionCookie.token)))
      if (!session) return null
      if (session.stale || sessionCookie.isOldName) {
        const days = session.guest ? GUEST_DAYS : ACCOUNT_DAYS
        await renewAuthSession(db, hashToken(sessionCookie.token), days)
        headers.append('Set-Cookie', writeSessionCookie(sessionCookie.token, days, app_url))
        if (!session.guest) rememberBrowser(readKnownCookie(request, app_url), session.user_id, headers)
      }
      if (sessionCookie.isOldName) {
        for (const cookie of clearSessionCookies(app_url, 'old')) headers.append('Set-Cookie', cookie)
      }
      const { user_id, account_id, budgets, guest } = session
      return { user_id, account_id, budgets, guest }
    },
    async createGuest(headers, client) {
      await limitGuests(client)
      const token = createToken()
      const { user_id, account_id } = await users.createGuest()
      await insertAuthSession(db, hashToken(token), user_id, GUEST_DAYS)
      headers.append('Set-Cookie', writeSessionCookie(token, GUEST_DAYS, app_url))
      return { user_id, account_id, budgets: [], guest: true }
    },
    watchSession(request) {
      const token = readToken(request)
      return watch.add(token ? hashToken(token) : '')
    },
  }

  return {
    identify,
    /** Identifies requests of an agent's widget. */
    identifyWidget: createWidgetResolver({
      db,
      users,
      requireWidget,
      days: GUEST_DAYS,
      limit: GUEST_LIMIT,
      watch,
    }),
    readToken,
    readKnown: (request: Request): string | null => readKnownCookie(request, app_url),
    /** Tells whether this browser is known to the account of an address; limits for strangers then do not apply. */
    isKnownBrowser: async (target: Target, request: Request): Promise<boolean> =>
      (await findKnownBrowser(target, request, null)) !== null,
    createChallenge: () => humanCheck.createChallenge(),

    /** Throws AppError human_check_failed, rate_limited, code_limit, codes_exhausted, code_send_failed. */
    async sendCode(
      target: Target,
      { client, request, visitor }: { client: string; request: Request; visitor: Visitor | null },
      scope: CodeScope,
      proof: Omit<HumanProof, 'client'>,
    ): Promise<void> {
      await humanCheck.verify({ ...proof, client })
      // Nobody would receive it.
      if (target.type === 'phone' && !canSendSms(config)) throw new AppError('code_send_failed')
      await codes.send(
        target,
        { client, known_browser: await findKnownBrowser(target, request, visitor) },
        scope,
      )
    },

    /** Signs in by a code and returns the user's id. The cookie goes into `headers`. */
    async signInByCode(
      target: Target,
      code: string,
      browser: string,
      previous: PreviousIdentity,
      headers: Headers,
    ): Promise<string> {
      await codes.verify(target, code, { purpose: 'login', browser })
      return signInAs(target, previous, headers)
    },

    /** Binds a confirmed address to the account of a signed-in user. Throws AppError old_code_required, `{type}_taken`. */
    async bindByCode(
      userId: string,
      target: Target,
      { code, old_code }: { code: string; old_code?: string | undefined },
      browser: string,
    ): Promise<void> {
      await confirmAddress(userId, target, old_code, browser)
      await codes.verify(target, code, { purpose: 'bind', browser })
      await bind(userId, target)
    },

    /** Removes a way to sign in from an account. Throws AppError last_auth_type, not_found. */
    unbind: (userId: string, type: AuthType): Promise<void> => users.unbindAuth(userId, type),

    /**
     * Returns the address at WeChat where a visitor signs in, or binds WeChat to the signed-in account. Throws AppError
     * wechat_unavailable, old_code_required.
     */
    async startWechat(
      visitor: Visitor | null,
      { old_code, redirect_to }: { old_code?: string | undefined; redirect_to: string },
      browser: WechatBrowser,
    ): Promise<string> {
      const userId = visitor && !visitor.guest ? visitor.user_id : null
      if (userId && config.wechat) await confirmAddress(userId, null, old_code, browser.token)
      return wechat.start({ user_id: userId, redirect_to }, browser)
    },

    /**
     * Completes `startWechat`, and returns the path to go on to. Throws AppError wechat_taken, and rejects if WeChat does not
     * identify the person.
     */
    async finishWechat(
      { code, state }: { code: string; state: string },
      browser: string,
      previous: PreviousIdentity,
      headers: Headers,
    ): Promise<string> {
      const visit = await wechat.finish(state, browser)
      if (!visit) throw new AppError('bad_request')
      const target = { type: 'wechat', value: await wechat.getId(code, state) } as const
      if (!visit.user_id) await signInAs(target, previous, headers)
      // Somebody else, who signed in meanwhile, did not ask for it.
      else if (previous.visitor?.user_id !== visit.user_id) throw new AppError('bad_request')
      else await bind(visit.user_id, target)
      return visit.redirect_to
    },

    listSessions,

    /**
     * Confirms before an irreversible action that the owner requests it: by a code sent to an address of the account, or with
     * WeChat alone by a recent sign-in. Throws AppError old_code_required, code_invalid, code_tries, login_again.
     */
    async confirmOwner(userId: string, code: string | undefined, request: Request): Promise<void> {
      if ((await listAddresses(userId)).length)
        return confirmAddress(userId, null, code, readBrowserToken(request) ?? '')
      const session = (await listSessions(userId, request)).find(({ current }) => current)
      const ageMs = Date.now() - Date.parse(session?.created_at ?? '')
      if (!(ageMs < FRESH_SESSION_MS)) throw new AppError('login_again')
    },

    /** Deletes a user with all sessions and codes; open streams end. `onDelete` runs in the same transaction. */
    async deleteUser(userId: string, onDelete: (tx: Db) => Promise<unknown>): Promise<void> {
      const addresses = await listAddresses(userId)
      await db.transaction(async (tx) => {
        await users.remove(tx, userId)
        for (const { value } of addresses) await deleteCodesOf(tx, value)
        await onDelete(tx)
      })
      watch.look()
    },

    /** Signs a user out of one browser; its open streams end. Throws AppError not_found. */
    async revokeSession(userId: string, id: string): Promise<void> {
      if (!(await deleteOwnAuthSession(db, userId, id))) throw new AppError('not_found')
      watch.look()
    },

    async signOut(request: Request, headers: Headers): Promise<void> {
      const token = readToken(request)
      if (token) await deleteAuthSession(db, hashToken(token))
      watch.look()
      for (const cookie of clearSessionCookies(app_url, 'all')) headers.append('Set-Cookie', cookie)
    },

    /** Deletes expired codes, sessions and guests. */
    async sweep(): Promise<void> {
      await sweepAuth(db)
      await sweepGuests(db)
    },
  }
}

/** Tells whether codes reach phones. Outside production the outbox collects them. */
export const canSendSms = ({ sms, environment }: Config): boolean =>
  sms !== null || environment !== 'production'

/** State of a browser before signing in: its session, user agent, invitation and known accounts. */
export type PreviousIdentity = {
  token: string | null
  visitor: Visitor | null
  invite_code: string | null
  /** Key of the limits by address. */
  client: string
  /** Cookie with the accounts that know the browser (known-browsers.ts). */
  known_cookie: string | null
  user_agent: string
}
