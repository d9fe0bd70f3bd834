import { timingSafeEqual } from 'node:crypto'
import { createToken, hashWithSecret } from '#server/core/secrets.ts'

/** Accounts that one browser is known by; the one that signed in last comes first. */
const MAX_ACCOUNTS = 8
const TAG_CHARS = 22

/**
 * Browsers that accounts have signed in from, by a cookie that outlives the session: `{browser}.{tag}.{tag}…`, a random name of the
 * browser and a tag for each account, which only the server can make. It signs nobody in and names nobody; whoever has a copy may have
 * codes sent to the addresses of those accounts by the allowance of that browser, and no more.
 */
export function createKnownBrowsers(appSecret: string) {
  const toTag = (browser: string, userId: string): string =>
    hashWithSecret(appSecret, 'known browser', browser, userId).slice(0, TAG_CHARS)
  const isSame = (one: string, other: string): boolean =>
    one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

  return {
    /** The random name of the browser that sends this cookie; empty for one without. */
    getName: (cookie: string | null): string => cookie?.split('.')[0] ?? '',

    /** Whether an account has signed in from the browser that sends this cookie. */
    isKnown(cookie: string | null, userId: string): boolean {
      const [browser = '', ...tags] = cookie?.split('.') ?? []
      const own = toTag(browser, userId)
      return tags.slice(0, MAX_ACCOUNTS).some((tag) => isSame(tag, own))
    },

    /** The cookie with an account that has signed in. */
    add(cookie: string | null, userId: string): string {
      const [browser = createToken(), ...tags] = cookie?.split('.') ?? []
      const own = toTag(browser, userId)
      return [browser, own, ...tags.filter((tag) => tag !== own)].slice(0, MAX_ACCOUNTS + 1).join('.')
    },
  }
}
