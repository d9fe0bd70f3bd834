import type { Config } from '../core/config.ts'
import type { Db } from '../core/database.ts'
import type { Identify, Visitor } from '../core/http.ts'
import type { Mail } from '../core/mail.ts'
import { newToken, tokenHash } from '../core/secrets.ts'
import type { Users } from '../users/users.ts'
import { openCodes } from './codes.ts'
import { readCookie, writeCookie } from './cookie.ts'
import { deleteSession, insertSession, renewSession, sessionOf, sweepAuth } from './store.ts'

const ACCOUNT_DAYS = 30
const GUEST_DAYS = 7

type Options = {
  db: Db
  config: Config
  mail: Mail
  users: Users
  /** Moves what a guest did to the account that the guest signs in to. */
  adoptGuest: (tx: Db, guest_id: string, user_id: string) => Promise<void>
}
export type Auth = ReturnType<typeof openAuth>

/** Signing in and out. Each way to sign in confirms who somebody is and then comes through `signIn`. */
export function openAuth({ db, config, mail, users, adoptGuest }: Options) {
  const codes = openCodes({ db, mail, app_secret: config.app_secret })

  /** A new token at each sign-in: one that was there before cannot become a signed-in one. */
  const signIn = async (
    confirm: (tx: Db) => Promise<string>,
    before: Before,
    headers: Headers,
  ): Promise<string> => {
    const token = newToken()
    const user_id = await db.transaction(async (tx) => {
      const id = await confirm(tx)
      if (before.token) await deleteSession(tx, tokenHash(before.token))
      if (before.visitor?.guest) await adoptGuest(tx, before.visitor.user_id, id)
      await insertSession(tx, tokenHash(token), id, ACCOUNT_DAYS)
      return id
    })
    headers.append('Set-Cookie', writeCookie(token, ACCOUNT_DAYS, config.app_url))
    return user_id
  }

  const identify: Identify = {
    async visitor(request, headers) {
      const token = readCookie(request)
      const session = token && (await sessionOf(db, tokenHash(token)))
      if (!session) return null
      if (session.stale) {
        const days = session.guest ? GUEST_DAYS : ACCOUNT_DAYS
        await renewSession(db, tokenHash(token), days)
        headers.append('Set-Cookie', writeCookie(token, days, config.app_url))
      }
      return { user_id: session.user_id, guest: session.guest }
    },
    async newGuest(headers) {
      const [token, user_id] = [newToken(), await users.newGuest()]
      await insertSession(db, tokenHash(token), user_id, GUEST_DAYS)
      headers.append('Set-Cookie', writeCookie(token, GUEST_DAYS, config.app_url))
      return { user_id, guest: true }
    },
  }

  return {
    identify,
    sendCode: (email: string, client: string) => codes.send(email, client),

    /** Signs in by an e-mail code and returns the user's id. The cookie goes into `headers`. */
    async signInByEmail(email: string, code: string, before: Before, headers: Headers): Promise<string> {
      await codes.verify(email, code)
      return signIn(async (tx) => (await users.signedInByEmail(tx, email)).id, before, headers)
    },

    /** Ties a confirmed e-mail address to the account of a signed-in user. */
    async bindEmail(user_id: string, email: string, code: string): Promise<void> {
      await codes.verify(email, code)
      await db.transaction((tx) => users.bindEmail(tx, user_id, email))
    },

    async signOut(request: Request, headers: Headers): Promise<void> {
      const token = readCookie(request)
      if (token) await deleteSession(db, tokenHash(token))
      headers.append('Set-Cookie', writeCookie('', 0, config.app_url))
    },

    sweep: () => sweepAuth(db),
  }
}

/** What the browser was before it signs in. */
export type Before = { token: string | null; visitor: Visitor | null }
