import { CODE_RESEND_S, CODE_TTL_S } from '#contract/auth.ts'
import type { authCalls } from '#contract/auth.ts'
import type { CallContext, Handlers, Visitor } from '../core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import type { Users } from '../users/users.ts'
import type { Auth } from './auth.ts'
import { readCookie, readInviteCode } from './cookie.ts'

/** Tries at codes from one address, over all targets and entry points. */
const CLIENT_TRY_LIMIT = { points: 40, seconds: 600 }

export function authRoutes(auth: Auth, users: Users): Handlers<typeof authCalls> {
  const limitTries = createRateLimit(CLIENT_TRY_LIMIT)
  const toPreviousIdentity = ({ request, visitor }: CallContext<Visitor | null>) => ({
    token: readCookie(request),
    visitor,
    invite_code: readInviteCode(request),
  })

  return {
    'POST /auth/vcode': async ({ body }, { client }) => {
      await auth.sendCode(body.email, client)
      return { resend_after: CODE_RESEND_S, expires_in: CODE_TTL_S }
    },

    'POST /auth/email': async ({ body }, context) => {
      await limitTries(context.client)
      const { visitor } = context
      if (visitor && !visitor.guest) {
        await auth.bindEmail(visitor.user_id, body.email, body.code)
        return { user: await users.getInfo(visitor.user_id) }
      }
      const user_id = await auth.signInByEmail(
        body.email,
        body.code,
        toPreviousIdentity(context),
        context.headers,
      )
      return { user: await users.getInfo(user_id) }
    },

    'POST /login': async ({ body }, context) => {
      await limitTries(context.client)
      await auth.signInByEmail(body.email, body.code, toPreviousIdentity(context), context.headers)
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
