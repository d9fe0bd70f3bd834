/**
 * The id of whoever a page shows as signed in, sent with its calls. A browser that is no longer theirs, signed out or
 * somebody else's by now, is answered login_expired: what a person writes is never asked as a guest, or as another.
 */
export const SIGNED_IN_HEADER = 'X-Signed-In-As'

/** The ways to sign in. Apart from the calls: the browser's bundle carries no zod. */
export const authTypes = ['email', 'phone', 'wechat'] as const
export type AuthType = (typeof authTypes)[number]
