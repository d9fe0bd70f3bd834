const SESSION_COOKIE = 'wenqu_session'
/** Keeps the code of an invitation until the invited person signs up. */
const INVITE_COOKIE = 'wenqu_invite'
const INVITE_S = 30 * 86_400
/** Ties sign-in codes to the browser that requested them. */
const BROWSER_COOKIE = 'wenqu_browser'

/** Names the accounts that have signed in from the browser (known-browsers.ts), as long as browsers keep a cookie (400 days). */
const KNOWN_COOKIE = 'wenqu_known'
const KNOWN_S = 400 * 86_400

const TOKEN = /^[\w-]{43}$/
const KNOWN = /^[\w-]{43}(\.[\w-]{22}){1,8}$/
const isHttps = (appUrl: string): boolean => appUrl.startsWith('https:')

/**
 * Returns the name of the session cookie. On https a browser accepts the prefix only from this very host (RFC 6265bis section
 * 4.1.3.2), so that no other host of the domain can replace a person's session with its own.
 */
export const getSessionCookie = (appUrl: string): string => toHostCookie(SESSION_COOKIE, appUrl)

const toHostCookie = (name: string, appUrl: string): string => (isHttps(appUrl) ? `__Host-${name}` : name)

/** Returns the token of a request's cookie, or null; `isOldName`: the cookie's name lacks the prefix. */
export function readSessionToken(
  request: Request,
  appUrl: string,
): { token: string; isOldName: boolean } | null {
  const token = findCookie(request, getSessionCookie(appUrl), TOKEN)
  if (token) return { token, isOldName: false }
  const old = isHttps(appUrl) ? findCookie(request, SESSION_COOKIE, TOKEN) : null
  return old ? { token: old, isOldName: true } : null
}

/** Returns the code of the invitation that a browser followed, or null. */
export const readInviteCode = (request: Request): string | null =>
  findCookie(request, INVITE_COOKIE, /^\w{1,40}$/)

/** Returns the token of a browser that requested a code, or null. */
export const readBrowserToken = (request: Request): string | null =>
  findCookie(request, BROWSER_COOKIE, TOKEN)

/** Returns the browser's cookie of accounts that have signed in from it, or null. */
export const readKnownCookie = (request: Request, appUrl: string): string | null =>
  findCookie(request, toHostCookie(KNOWN_COOKIE, appUrl), KNOWN)

export const writeKnownCookie = (value: string, appUrl: string): string =>
  formatCookie(toHostCookie(KNOWN_COOKIE, appUrl), value, KNOWN_S, appUrl)

function findCookie(request: Request, cookieName: string, form: RegExp): string | null {
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=')
    if (name === cookieName && value && form.test(value)) return value
  }
  return null
}

/** Returns the `Set-Cookie` of a token for so many days. */
export const writeSessionCookie = (token: string, days: number, appUrl: string): string =>
  formatCookie(getSessionCookie(appUrl), token, days * 86_400, appUrl)

/** Returns `Set-Cookie`s that delete a session's token; with `old` only under the name without the prefix. */
export const clearSessionCookies = (appUrl: string, which: 'old' | 'all'): string[] => {
  const names = which === 'old' ? [SESSION_COOKIE] : new Set([getSessionCookie(appUrl), SESSION_COOKIE])
  return [...names].map((name) => formatCookie(name, '', 0, appUrl))
}

/** Returns the `Set-Cookie` of the invitation in a page's address; null if there is none. */
export function writeInviteCookie(inviteCode: string | undefined, appUrl: string): string | null {
  if (!inviteCode || !/^\w{1,40}$/.test(inviteCode)) return null
  return formatCookie(INVITE_COOKIE, inviteCode, INVITE_S, appUrl)
}

/** Returns the `Set-Cookie` of a browser's token for the lifetime of a code; `seconds` 0 deletes it. */
export const writeBrowserCookie = (token: string, seconds: number, appUrl: string): string =>
  formatCookie(BROWSER_COOKIE, token, seconds, appUrl)

/** `Secure` if the site is served by https. */
function formatCookie(name: string, value: string, seconds: number, appUrl: string): string {
  const secure = isHttps(appUrl) ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}
