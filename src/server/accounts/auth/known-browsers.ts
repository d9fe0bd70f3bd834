import { timingSafeEqual } from 'node:crypto'
import { createToken, hashWithSecret } from '#server/core/secrets.ts'

/** Most accounts in one browser's cookie, the latest sign-in first. */
const MAX_ACCOUNTS = 8
const TAG_CHARS = 22

/**
 * Recognises browsers that accounts have signed in from, by a cookie that outlives the session: `{browser}.{tag}.{tag}…`, a
 * random name of the browser and a tag for each account, which only the server can make. It neither signs in nor names anybody. A
 * stolen copy only allows sending codes to the addresses of those accounts within that browser's limits.
 */
export function createKnownBrowsers(appSecret: string) {
  const toTag = (browser: string, userId: string): string =>
    hashWithSecret(appSecret, 'known browser', browser, userId).slice(0, TAG_CHARS)
  const isSame = (one: string, other: string): boolean =>
    one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

  return {
    /** Returns the random name of the browser that sends this cookie; empty without a cookie. */
    getName: (cookie: string | null): string => cookie?.split('.')[0] ?? '',

    /** Tells whether an account has signed in from the browser that sends this cookie. */
    isKnown(cookie: string | null, userId: string): boolean {
      const [browser = '', ...tags] = cookie?.split('.') ?? []
      const accountTag = toTag(browser, userId)
      return tags.slice(0, MAX_ACCOUNTS).some((tag) => isSame(tag, accountTag))
    },

    /** Returns the cookie with an account added that has signed in. */
    add(cookie: string | null, userId: string): string {
      const [browser = createToken(), ...tags] = cookie?.split('.') ?? []
      const accountTag = toTag(browser, userId)
      return [browser, accountTag, ...tags.filter((tag) => tag !== accountTag)]
        .slice(0, MAX_ACCOUNTS + 1)
        .join('.')
    },
  }
}
