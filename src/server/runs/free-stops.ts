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
  const find = (user_id: string) => {
    const counted = counts.get(user_id)
    return counted && counted.until_ms > now() ? counted : undefined
  }
  return {
    /** Before a run is created. Throws AppError rate_limited. */
    check(user_id: string): void {
      const counted = find(user_id)
      if (counted && counted.count >= MAX_FREE_STOPS)
        throw new AppError('rate_limited', { retry_after: (counted.until_ms - now()) / 1000 })
    },
    record(user_id: string): void {
      if (counts.size >= MAX_USERS) counts.clear()
      const counted = find(user_id) ?? { count: 0, until_ms: now() + WINDOW_MS }
      counts.set(user_id, { ...counted, count: counted.count + 1 })
    },
  }
}
