/** A tenth of all runs may cause one more call each. */
const PER_RUN = 0.1
/** The floor, so that a quiet installation can retry at all: calls a second. */
const PER_SECOND = 0.5
/** What may be saved up. */
const MAX_SAVED = 10

export type RetryBudget = ReturnType<typeof createRetryBudget>

/**
 * How many calls this process may make on top of each run's first and its switches to platforms in good health: a token
 * bucket, full at the start. When everything is down, load on the platforms stays near one call a run.
 */
export function createRetryBudget(now: () => number) {
  let tokens = MAX_SAVED
  let refilled_at = now()

  const refill = (more: number): void => {
    const current = now()
    tokens = Math.min(MAX_SAVED, tokens + more + (Math.max(0, current - refilled_at) / 1000) * PER_SECOND)
    refilled_at = current
  }

  return {
    /** A run begins. */
    earn: () => refill(PER_RUN),
    /** Whether one more call may be made; it is then paid for. */
    spend(): boolean {
      refill(0)
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
