/** Name of the cookie that carries a session's token. */
export const SESSION_COOKIE = 'wenqu_session'
/** Keeps the code of an invitation until whoever followed it signs up. */
const INVITE_COOKIE = 'wenqu_invite'
const INVITE_DAYS = 30

/** The token of a request's cookie, or null. */
export const readCookie = (request: Request): string | null =>
  findCookie(request, SESSION_COOKIE, /^[\w-]{43}$/)

/** The code of the invitation that a browser followed, or null. */
export const readInviteCode = (request: Request): string | null =>
  findCookie(request, INVITE_COOKIE, /^\w{1,40}$/)

function findCookie(request: Request, wanted: string, form: RegExp): string | null {
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=')
    if (name === wanted && value && form.test(value)) return value
  }
  return null
}

/** `Set-Cookie` of a token; `days` 0 takes it away. `Secure` wherever people come by https. */
export const writeCookie = (token: string, days: number, app_url: string): string =>
  formatCookie(SESSION_COOKIE, token, days, app_url)

/** `Set-Cookie` of the invitation in a page's address; null where there is none. */
export function writeInviteCookie(invite_code: string | undefined, app_url: string): string | null {
  if (!invite_code || !/^\w{1,40}$/.test(invite_code)) return null
  return formatCookie(INVITE_COOKIE, invite_code, INVITE_DAYS, app_url)
}

function formatCookie(name: string, value: string, days: number, app_url: string): string {
  const secure = app_url.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${days * 86_400}; HttpOnly; SameSite=Lax${secure}`
}
