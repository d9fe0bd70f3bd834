import type { Context } from 'hono'
import { CODE_RESEND_S, CODE_TTL_S } from '#contract/auth/auth.ts'
import type { authCalls } from '#contract/auth/auth.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { getClientKey } from '#server/core/http.ts'
import type { App, AppEnv, CallContext, Handlers, Visitor } from '#server/core/http.ts'
import { AppError, toAppError } from '#server/core/app-error.ts'
import type { PageRedirects } from '#server/core/pages/pages.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { createToken } from '#server/core/secrets.ts'
import type { Users } from '#server/accounts/users/users.ts'
import type { Auth } from './auth.ts'
import type { Target } from './codes.ts'
import { readBrowserToken, readInviteCode, writeBrowserCookie } from './cookie.ts'

/** Tries at codes from one address, over all targets and entry points. */
const CLIENT_TRY_LIMIT = { points: 40, seconds: 600 }

export function authRoutes(auth: Auth, users: Users, appUrl: string): Handlers<typeof authCalls> {
  const limitTries = createRateLimit(CLIENT_TRY_LIMIT)
  const toPreviousIdentity = ({ request, visitor, client }: CallContext<Visitor | null>) => ({
    client,
    token: auth.readToken(request),
    visitor,
    invite_code: readInviteCode(request),
    known_cookie: auth.readKnown(request),
    user_agent: readUserAgent(request),
  })

  /** A browser that requested no code has no token, and the empty one matches nobody's codes. */
  const getBrowser = ({ request }: CallContext<Visitor | null>): string => readBrowserToken(request) ?? ''
  const signIn = (target: Target, code: string, context: CallContext<Visitor | null>) =>
    auth.signInByCode(target, code, getBrowser(context), toPreviousIdentity(context), context.headers)

  /** Other people at the same address may use up its tries, but must not lock a person out of a known browser. */
  const limitStrangers = async (target: Target, { client, request }: CallContext<Visitor | null>) => {
    if (!(await auth.isKnownBrowser(target, request))) await limitTries(client)
  }

  /** Signs in, or binds the address for a signed-in person. */
  const confirmTarget = async (
    target: Target,
    body: { code: string; old_code?: string | undefined },
    context: CallContext<Visitor | null>,
  ) => {
    await limitStrangers(target, context)
    const { visitor } = context
    if (!visitor || visitor.guest)
      return { user: await users.getInfo(await signIn(target, body.code, context)) }
    await auth.bindByCode(visitor.user_id, target, body, getBrowser(context))
    return { user: await users.getInfo(visitor.user_id) }
  }
  /** Returns the browser's token, which lives as long as a code, and renews its cookie. */
  const keepBrowser = ({ request, headers }: CallContext<Visitor | null>): string => {
    const browser = readBrowserToken(request) ?? createToken()
    headers.append('Set-Cookie', writeBrowserCookie(browser, CODE_TTL_S, appUrl))
    return browser
  }

  return {
    'POST /auth/vcode': async ({ body }, context) => {
      const { visitor } = context
      const isBinding = visitor !== null && !visitor.guest && body.channel !== 'login'
      const scope = { purpose: isBinding ? 'bind' : 'login', browser: keepBrowser(context) } as const
      await auth.sendCode(toTarget(body), context, scope, { ticket: body.ticket, rand_str: body.rand_str })
      return { resend_after: CODE_RESEND_S, expires_in: CODE_TTL_S }
    },

    'GET /auth/challenge': async () => auth.createChallenge(),

    'POST /auth/email': ({ body }, context) =>
      confirmTarget({ type: 'email', value: body.email }, body, context),

    'POST /auth/phone': ({ body }, context) =>
      confirmTarget({ type: 'phone', value: body.phone }, body, context),

    'DELETE /api/user/auth_types/{type}': async ({ params }, { visitor }) => {
      await auth.unbind(visitor.user_id, params.type)
      return { user: await users.getInfo(visitor.user_id) }
    },

    'GET /wechat/login': async ({ query: { old_code, redirect_to } }, context) => {
      await limitTries(context.client)
      const browser = { token: keepBrowser(context), user_agent: readUserAgent(context.request) }
      const visit = { old_code, redirect_to: toLocalPath(redirect_to) }
      return { url: await auth.startWechat(context.visitor, visit, browser) }
    },

    'GET /api/user/sessions': async (_, { visitor, request }) => ({
      items: await auth.listSessions(visitor.user_id, request),
    }),

    'DELETE /api/user/sessions/{id}': async ({ params }, { visitor }) => {
      await auth.revokeSession(visitor.user_id, params.id)
      return undefined
    },

    'POST /login': async ({ body }, context) => {
      await limitStrangers(toTarget(body), context)
      await signIn(toTarget(body), body.code, context)
      return { redirect_to: toLocalPath(body.redirect_to) }
    },

    'POST /logout': async (_, { request, headers }) => {
      await auth.signOut(request, headers)
      return { redirect_to: '/' }
    },
  }
}

/**
 * Signs out visitors of the address /logout; pages use POST /logout. If a foreign page may have led there, a confirmation comes
 * first.
 */
export function mountSignOut(app: App, auth: Auth): void {
  app.get('/logout', async ({ req }) => {
    const isOwn = isOwnVisit(req.raw)
    const headers = new Headers({ Location: isOwn ? '/' : '/logout/confirm', 'Cache-Control': 'no-store' })
    if (isOwn) await auth.signOut(req.raw, headers)
    return new Response(null, { status: 302, headers })
  })
}

/**
 * Tells whether the person opened the address: typed, from a bookmark, or by a link on this site. A foreign page can neither
 * forge nor suppress these headers. Old browsers do not send them, nor does any over plain HTTP except on localhost.
 */
function isOwnVisit({ headers }: Request): boolean {
  const isPage = (headers.get('Sec-Fetch-Dest') ?? 'document') === 'document'
  return isPage && ['none', 'same-origin'].includes(headers.get('Sec-Fetch-Site') ?? '')
}

/** Redirects signed-in visitors away from the sign-in page, and others away from the sign-out page. */
export function redirectSignedIn({ identify }: Auth): PageRedirects {
  const isSignedIn = async (c: Context<AppEnv>): Promise<boolean> => {
    const headers = new Headers()
    const visitor = await identify.resolveVisitor(c.req.raw, headers)
    for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
    return visitor !== null && !visitor.guest
  }
  return {
    AuthLogin: async (c) => ((await isSignedIn(c)) ? toLocalPath(c.req.query('redirect_to')) : null),
    AuthLogout: async (c) => ((await isSignedIn(c)) ? null : '/'),
  }
}

/** Outcomes for the page, of errors that it explains further than as a failure. */
const WECHAT_OUTCOMES: Partial<Record<ErrorCode, string>> = {
  wechat_taken: 'taken',
  signup_limit: 'limited',
  signups_exhausted: 'limited',
}

/** Handles people coming back from WeChat: signs in or binds, then redirects. The page explains failures. */
export function mountWechatCallback(app: App, auth: Auth, trustProxy: number): void {
  app.get('/wechat/callback', async (c) => {
    const request = c.req.raw
    const headers = new Headers({ 'Cache-Control': 'no-store' })
    const visitor = await auth.identify.resolveVisitor(request, headers)
    const previous = {
      client: getClientKey(c, trustProxy),
      token: auth.readToken(request),
      visitor,
      invite_code: readInviteCode(request),
      known_cookie: auth.readKnown(request),
      user_agent: readUserAgent(request),
    }
    const answer = { code: c.req.query('code') ?? '', state: c.req.query('state') ?? '' }
    const location = await auth
      .finishWechat(answer, readBrowserToken(request) ?? '', previous, headers)
      .catch((error: unknown) => {
        const { code } = toAppError(error)
        if (!(error instanceof AppError)) c.get('log').warn({ err: error }, 'signing in by WeChat failed')
        const isSignedIn = visitor && !visitor.guest
        return `${isSignedIn ? '/profile/setting' : '/login'}?wechat=${WECHAT_OUTCOMES[code] ?? 'failed'}`
      })
    headers.set('Location', location)
    return new Response(null, { status: 302, headers })
  })
}

/** Longest user agent that is kept, characters. */
const MAX_USER_AGENT_CHARS = 300
const readUserAgent = (request: Request): string =>
  (request.headers.get('User-Agent') ?? '').slice(0, MAX_USER_AGENT_CHARS)

/** The schema guarantees that one of them is present. */
const toTarget = ({
  email = '',
  phone,
}: {
  email?: string | undefined
  phone?: string | undefined
}): Target => (phone === undefined ? { type: 'email', value: email } : { type: 'phone', value: phone })

/** Returns a path of this site, never a foreign address (`//host`, `/\host` and control characters lead away). */
function toLocalPath(path: string | undefined): string {
  return path && /^\/(?![/\\])[^\s\\]*$/.test(path) ? path : '/chat'
}
