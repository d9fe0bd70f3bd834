import { AppError } from '#server/core/app-error.ts'

/** Runs of one account that may be stopped before anything came of them, in so many milliseconds. */
const MAX_FREE_STOPS = 30
const WINDOW_MS = 10 * 60_000
/** Accounts that are counted at a time. */
const MAX_ACCOUNTS = 10_000

/**
 * Counts the runs that their account stopped after a platform was asked and before anything came: nobody pays for them but
 * the house, so that there is a limit. Kept in this process.
 */
export function createFreeStops(now: () => number = Date.now) {
  const counts = new Map<string, { count: number; until_ms: number }>()
  const find = (account_id: string) => {
    const counted = counts.get(account_id)
    return counted && counted.until_ms > now() ? counted : undefined
  }
  return {
    /** Before a run is created. Throws AppError rate_limited. */
    check(account_id: string): void {
      const counted = find(account_id)
      if (counted && counted.count >= MAX_FREE_STOPS)
        throw new AppError('rate_limited', { retry_after: (counted.until_ms - now()) / 1000 })
    },
    record(account_id: string): void {
      if (counts.size >= MAX_ACCOUNTS) counts.clear()
      const counted = find(account_id) ?? { count: 0, until_ms: now() + WINDOW_MS }
      counts.set(account_id, { ...counted, count: counted.count + 1 })
    },
  }
}
