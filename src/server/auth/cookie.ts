const SESSION_COOKIE = 'wenqu_session'
/** Keeps the code of an invitation until whoever followed it signs up. */
const INVITE_COOKIE = 'wenqu_invite'
const INVITE_S = 30 * 86_400
/** Ties sign-in codes to the browser that asked for them. */
const BROWSER_COOKIE = 'wenqu_browser'

/** Says which accounts have signed in from the browser (known-browsers.ts), kept as long as browsers keep a cookie (400 days). */
const KNOWN_COOKIE = 'wenqu_known'
const KNOWN_S = 400 * 86_400

const TOKEN = /^[\w-]{43}$/
const KNOWN = /^[\w-]{43}(\.[\w-]{22}){1,8}$/
const isHttps = (app_url: string): boolean => app_url.startsWith('https:')

/**
 * Name of the cookie that carries a session's token. By https a browser takes the prefix only from this very host (RFC
 * 6265bis section 4.1.3.2), so that no other host of the domain can put its own session in the place of a person's.
 */
export const getSessionCookie = (app_url: string): string => toHostCookie(SESSION_COOKIE, app_url)

const toHostCookie = (name: string, app_url: string): string => (isHttps(app_url) ? `__Host-${name}` : name)

/** The token of a request's cookie, or null; `isOldName`: it still bears the name without the prefix. */
export function readSessionToken(
  request: Request,
  app_url: string,
): { token: string; isOldName: boolean } | null {
  const token = findCookie(request, getSessionCookie(app_url), TOKEN)
  if (token) return { token, isOldName: false }
  const old = isHttps(app_url) ? findCookie(request, SESSION_COOKIE, TOKEN) : null
  return old ? { token: old, isOldName: true } : null
}

/** The code of the invitation that a browser followed, or null. */
export const readInviteCode = (request: Request): string | null =>
  findCookie(request, INVITE_COOKIE, /^\w{1,40}$/)

/** What a browser that asked for a code was given to be known by, or null. */
export const readBrowserToken = (request: Request): string | null =>
  findCookie(request, BROWSER_COOKIE, TOKEN)

/** What a browser says of the accounts that have signed in from it, or null. */
export const readKnownCookie = (request: Request, app_url: string): string | null =>
  findCookie(request, toHostCookie(KNOWN_COOKIE, app_url), KNOWN)

export const writeKnownCookie = (value: string, app_url: string): string =>
  formatCookie(toHostCookie(KNOWN_COOKIE, app_url), value, KNOWN_S, app_url)

function findCookie(request: Request, wanted: string, form: RegExp): string | null {
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=')
    if (name === wanted && value && form.test(value)) return value
  }
  return null
}

/** `Set-Cookie` of a token for so many days. */
export const writeSessionCookie = (token: string, days: number, app_url: string): string =>
  formatCookie(getSessionCookie(app_url), token, days * 86_400, app_url)

/** `Set-Cookie`s that take a session's token away, under the name without the prefix only where `old` says so. */
export const clearSessionCookies = (app_url: string, which: 'old' | 'all'): string[] => {
  const names = which === 'old' ? [SESSION_COOKIE] : new Set([getSessionCookie(app_url), SESSION_COOKIE])
  return [...names].map((name) => formatCookie(name, '', 0, app_url))
}

/** `Set-Cookie` of the invitation in a page's address; null where there is none. */
export function writeInviteCookie(invite_code: string | undefined, app_url: string): string | null {
  if (!invite_code || !/^\w{1,40}$/.test(invite_code)) return null
  return formatCookie(INVITE_COOKIE, invite_code, INVITE_S, app_url)
}

/** `Set-Cookie` of what a browser is known by while its code lives; `seconds` 0 takes it away. */
export const writeBrowserCookie = (token: string, seconds: number, app_url: string): string =>
  formatCookie(BROWSER_COOKIE, token, seconds, app_url)

/** `Secure` wherever people come by https. */
function formatCookie(name: string, value: string, seconds: number, app_url: string): string {
  const secure = isHttps(app_url) ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}
