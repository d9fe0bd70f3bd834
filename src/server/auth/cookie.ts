/** Name of the cookie that carries a session's token. */
export const SESSION_COOKIE = 'wenqu_session'

/** The token of a request's cookie, or null. */
export function readCookie(request: Request): string | null {
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=')
    if (name === SESSION_COOKIE && value && /^[\w-]{43}$/.test(value)) return value
  }
  return null
}

/** `Set-Cookie` of a token; `days` 0 takes it away. `Secure` wherever people come by https. */
export function writeCookie(token: string, days: number, app_url: string): string {
  const secure = app_url.startsWith('https:') ? '; Secure' : ''
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${days * 86_400}; HttpOnly; SameSite=Lax${secure}`
}
