import { AppError } from '#server/core/app-error.ts'

/** Runs that one person may stop before any output, within WINDOW_MS. */
const MAX_FREE_STOPS = 30
const WINDOW_MS = 10 * 60_000
/** Most people counted at a time. */
const MAX_USERS = 10_000

/**
 * Counts the runs that their user stopped after a platform was asked and before any output: only the operator pays for them, so
 * they are limited. Counted by user, not by account: nobody may use up the limit of others who share their payer. Kept in this
 * process.
 */
export function createFreeStops(now: () => number = Date.now) {
  const counts = new Map<string, { count: number; until_ms: number }>()
  const find = (userId: string) => {
    const counted = counts.get(userId)
    return counted && counted.until_ms > now() ? counted : undefined
  }
  return {
    /** Call it before creating a run. Throws AppError rate_limited. */
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
