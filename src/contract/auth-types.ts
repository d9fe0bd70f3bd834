/** The ways to sign in. Apart from the calls: the browser's bundle carries no zod. */
export const authTypes = ['email', 'phone', 'wechat'] as const
export type AuthType = (typeof authTypes)[number]
