import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import type { VisitorResolver, Visitor } from '#server/core/http.ts'
import type { Mailer } from '#server/core/mail.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { createToken, hashToken } from '#server/core/secrets.ts'
import type { Users } from '#server/users/users.ts'
import { createLoginCodes } from './codes.ts'
import type { CodeScope } from './codes.ts'
import { clearSessionCookies, readSessionToken, writeSessionCookie } from './cookie.ts'
import { createSessionWatch } from './session-watch.ts'
import { createWidgetResolver } from './widget-visitors.ts'
import type { RequireWidget } from './widget-visitors.ts'
import {
  deleteAuthSession,
  insertAuthSession,
  renewAuthSession,
  findAuthSession,
  listLiveSessions,
  sweepAuth,
  sweepGuests,
} from './store.ts'

const ACCOUNT_DAYS = 30
const GUEST_DAYS = 7
/** Guests that begin from one address: a class or an office is let in, a loop is not. */
const GUEST_LIMIT = { points: 100, seconds: 3_600 }

type Options = {
  db: Db
  config: Config
  mail: Mailer
  users: Users
  /** Moves what a guest did to the account that the guest signs in to. */
  mergeGuest: (tx: Db, guest_id: string, user_id: string) => Promise<void>
  requireWidget: RequireWidget
}
export type Auth = ReturnType<typeof createAuth>
export type { RequireWidget } from './widget-visitors.ts'

/** Signing in and out. Each way to sign in confirms who somebody is and then comes through `signIn`. */
export function createAuth({ db, config, mail, users, mergeGuest, requireWidget }: Options) {
  const limitGuests = createRateLimit(GUEST_LIMIT)
  const codes = createLoginCodes({ db, mail, app_secret: config.app_secret })
  const { app_url } = config
  const watch = createSessionWatch((token_hashes) => listLiveSessions(db, token_hashes))
  const readToken = (request: Request): string | null => readSessionToken(request, app_url)?.token ?? null

  /** A new token at each sign-in: one that was there before cannot become a signed-in one. */
  const signIn = async (
    confirm: (tx: Db) => Promise<string>,
    previous: PreviousIdentity,
    headers: Headers,
  ): Promise<string> => {
    const token = createToken()
    const user_id = await db.transaction(async (tx) => {
      const id = await confirm(tx)
      if (previous.token) await deleteAuthSession(tx, hashToken(previous.token))
      if (previous.visitor?.guest) await mergeGuest(tx, previous.visitor.user_id, id)
      await insertAuthSession(tx, hashToken(token), id, ACCOUNT_DAYS)
      return id
    })
    headers.append('Set-Cookie', writeSessionCookie(token, ACCOUNT_DAYS, app_url))
    return user_id
  }

  const identify: VisitorResolver = {
    async resolveVisitor(request, headers) {
      const sent = readSessionToken(request, app_url)
      const session = sent && (await findAuthSession(db, hashToken(sent.token)))
      if (!session) return null
      if (session.stale || sent.isOldName) {
        const days = session.guest ? GUEST_DAYS : ACCOUNT_DAYS
        await renewAuthSession(db, hashToken(sent.token), days)
        headers.append('Set-Cookie', writeSessionCookie(sent.token, days, app_url))
      }
      if (sent.isOldName) {
        for (const cookie of clearSessionCookies(app_url, 'old')) headers.append('Set-Cookie', cookie)
      }
      const { user_id, account_id, guest } = session
      return { user_id, account_id, guest }
    },
    async createGuest(headers, client) {
      await limitGuests(client)
      const token = createToken()
      const { user_id, account_id } = await users.createGuest()
      await insertAuthSession(db, hashToken(token), user_id, GUEST_DAYS)
      headers.append('Set-Cookie', writeSessionCookie(token, GUEST_DAYS, app_url))
      return { user_id, account_id, guest: true }
    },
    watchSession(request) {
      const token = readToken(request)
      return watch.add(token ? hashToken(token) : '')
    },
  }

  return {
    identify,
    /** For requests of an agent's widget. */
    identifyWidget: createWidgetResolver({
      db,
      users,
      requireWidget,
      days: GUEST_DAYS,
      limit: GUEST_LIMIT,
      watch,
    }),
    readToken,
    /** Throws AppError rate_limited, code_send_failed. */
    sendCode: (email: string, client: string, scope: CodeScope) => codes.send(email, client, scope),

    /** Signs in by an e-mail code and returns the user's id. The cookie goes into `headers`. */
    async signInByEmail(
      email: string,
      code: string,
      browser: string,
      previous: PreviousIdentity,
      headers: Headers,
    ): Promise<string> {
      await codes.verify(email, code, { purpose: 'login', browser })
      return signIn(
        async (tx) => (await users.findOrCreateByEmail(tx, email, previous.invite_code)).id,
        previous,
        headers,
      )
    },

    /**
     * Ties a confirmed e-mail address to the account of a signed-in user. One that takes the place of another is confirmed
     * there too: who finds an open browser does not get the account. Throws AppError old_code_required, email_taken.
     */
    async bindEmail(user_id: string, { email, code, old_code }: EmailChange, browser: string): Promise<void> {
      const { email: old } = await users.getInfo(user_id)
      const scope: CodeScope = { purpose: 'bind', browser }
      if (old && old !== email) {
        if (!old_code) throw new AppError('old_code_required')
        await codes.verify(old, old_code, scope)
      }
      await codes.verify(email, code, scope)
      await db.transaction((tx) => users.bindEmail(tx, user_id, email))
    },

    async signOut(request: Request, headers: Headers): Promise<void> {
      const token = readToken(request)
      if (token) await deleteAuthSession(db, hashToken(token))
      watch.look()
      for (const cookie of clearSessionCookies(app_url, 'all')) headers.append('Set-Cookie', cookie)
    },

    /** Forgets codes, sessions and guests whose time has passed. */
    async sweep(): Promise<void> {
      await sweepAuth(db)
      await sweepGuests(db)
    },
  }
}

type EmailChange = { email: string; code: string; old_code?: string | undefined }

/** What the browser was before it signs in, and whose invitation it followed. */
export type PreviousIdentity = { token: string | null; visitor: Visitor | null; invite_code: string | null }
