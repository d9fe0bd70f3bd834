import { CODE_RESEND_S, CODE_TTL_S } from '#contract/auth.ts'
import type { authCalls } from '#contract/auth.ts'
import type { CallContext, Handlers, Visitor } from '#server/core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { createToken } from '#server/core/secrets.ts'
import type { Users } from '#server/users/users.ts'
import type { Auth } from './auth.ts'
import { readBrowserToken, readInviteCode, writeBrowserCookie } from './cookie.ts'

/** Tries at codes from one address, over all targets and entry points. */
const CLIENT_TRY_LIMIT = { points: 40, seconds: 600 }

export function authRoutes(auth: Auth, users: Users, app_url: string): Handlers<typeof authCalls> {
  const limitTries = createRateLimit(CLIENT_TRY_LIMIT)
  const toPreviousIdentity = ({ request, visitor }: CallContext<Visitor | null>) => ({
    token: auth.readToken(request),
    visitor,
    invite_code: readInviteCode(request),
  })

  /** One that asked for no code is known by nothing, which is nobody's. */
  const getBrowser = ({ request }: CallContext<Visitor | null>): string => readBrowserToken(request) ?? ''
  const signIn = ({ email, code }: { email: string; code: string }, context: CallContext<Visitor | null>) =>
    auth.signInByEmail(email, code, getBrowser(context), toPreviousIdentity(context), context.headers)

  return {
    'POST /auth/vcode': async ({ body }, { client, visitor, request, headers }) => {
      const isBinding = visitor !== null && !visitor.guest && body.channel !== 'login'
      const browser = readBrowserToken(request) ?? createToken()
      await auth.sendCode(body.email, client, { purpose: isBinding ? 'bind' : 'login', browser })
      headers.append('Set-Cookie', writeBrowserCookie(browser, CODE_TTL_S, app_url))
      return { resend_after: CODE_RESEND_S, expires_in: CODE_TTL_S }
    },

    'POST /auth/email': async ({ body }, context) => {
      await limitTries(context.client)
      const { visitor } = context
      if (visitor && !visitor.guest) {
        await auth.bindEmail(visitor.user_id, body, getBrowser(context))
        return { user: await users.getInfo(visitor.user_id) }
      }
      return { user: await users.getInfo(await signIn(body, context)) }
    },

    'POST /login': async ({ body }, context) => {
      await limitTries(context.client)
      await signIn(body, context)
      return { redirect_to: toLocalPath(body.redirect_to) }
    },

    'POST /logout': async (_, { request, headers }) => {
      await auth.signOut(request, headers)
      return { redirect_to: '/' }
    },
  }
}

/** A path of this site, never an address elsewhere (`//host`, `/\host` and control characters lead away). */
function toLocalPath(path: string | undefined): string {
  return path && /^\/(?![/\\])[^\s\\]*$/.test(path) ? path : '/chat'
}
