import { AppError } from '#server/core/app-error.ts'

/** Runs of one person that may be stopped before anything came of them, in so many milliseconds. */
const MAX_FREE_STOPS = 30
const WINDOW_MS = 10 * 60_000
/** People who are counted at a time. */
const MAX_USERS = 10_000

/**
 * Counts the runs that whoever asked stopped after a platform was asked and before anything came: nobody pays for them but
 * the house, so that there is a limit. Not by account: who stops what somebody else pays for shall not stop them too. Kept in
 * this process.
 */
export function createFreeStops(now: () => number = Date.now) {
  const counts = new Map<string, { count: number; until_ms: number }>()
  const find = (userId: string) => {
    const counted = counts.get(userId)
    return counted && counted.until_ms > now() ? counted : undefined
  }
  return {
    /** Before a run is created. Throws AppError rate_limited. */
    check(userId: string): void {
      const counted = find(userId)
      if (counted && counted.count >= MAX_FREE_STOPS)
        throw new AppError('rate_limited', { retry_after: (counted.until_ms - now()) / 1000 })
    },
    record(userId: string): void {
      if (counts.size >= MAX_USERS) counts.clear()
      const counted = find(userId) ?? { count: 0, until_ms: now() + WINDOW_MS }
      counts.set(userId, { ...counted, count: counted.count + 1 })
    },
  }
}
