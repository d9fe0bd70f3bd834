/** One more call for every ten runs. */
const PER_RUN = 0.1
/** Calls a second, so that a quiet installation can retry at all. */
const PER_SECOND = 0.5
/** Size of the bucket. */
const MAX_TOKENS = 10

export type RetryBudget = ReturnType<typeof createRetryBudget>

/**
 * Limits the calls of this process beyond each run's first and its switches to healthy platforms: a token bucket, full at
 * the start. When everything is down, load on the platforms stays near one call a run.
 */
export function createRetryBudget(now: () => number) {
  let tokens = MAX_TOKENS
  let refilledAt = now()

  const refill = (more: number): void => {
    const current = now()
    tokens = Math.min(MAX_TOKENS, tokens + more + (Math.max(0, current - refilledAt) / 1000) * PER_SECOND)
    refilledAt = current
  }

  return {
    /** A run starts. */
    earn: () => refill(PER_RUN),
    /** Takes the token of one more call; false when there is none. */
    spend(): boolean {
      refill(0)
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
