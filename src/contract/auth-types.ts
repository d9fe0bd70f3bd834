/** The ways to sign in. They stand apart from the calls because the browser's bundle carries no zod. */
export const authTypes = ['email', 'phone', 'wechat'] as const
export type AuthType = (typeof authTypes)[number]
