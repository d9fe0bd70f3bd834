import { RateLimiterMemory } from 'rate-limiter-flexible'
import { AppError } from '#server/core/app-error.ts'
import type { GatewayKey } from '#server/keys/keys.ts'

const MINUTE_S = 60

export type RateLimits = ReturnType<typeof createRateLimits>

/**
 * What each key used within its current minute, against the limits that the key has at this very moment. Kept in this
 * process: every process grants the limit anew.
 */
export function createRateLimits() {
  // Counts only; what is too much is said by the key.
  const createCounter = () => new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: MINUTE_S })
  const [requests, tokens] = [createCounter(), createCounter()]
  const count = async (used: RateLimiterMemory, key_id: string, points: number, limit: number) => {
    const { consumedPoints, msBeforeNext } = await used.consume(key_id, points)
    // The one that crosses the line is let in: a single large one could never be otherwise.
    if (consumedPoints - points < limit) return
    await used.reward(key_id, points)
    throw new AppError('rate_limited', { retry_after: msBeforeNext / 1000 })
  }

  return {
    /** Counts a request. Throws AppError rate_limited with Retry-After. */
    async countRequest({ id, requests_per_minute: most }: GatewayKey): Promise<void> {
      if (most !== null) await count(requests, id, 1, most)
    },

    /** Counts the tokens that a request brings (`estimate` is asked only when it matters). Throws the same. */
    async countInputTokens(
      { id, tokens_per_minute: most }: GatewayKey,
      estimate: () => number,
    ): Promise<void> {
      if (most !== null) await count(tokens, id, Math.max(1, estimate()), most)
    },

    /** Counts the tokens that were answered; they are missing from what comes next. */
    async countOutputTokens({ id, tokens_per_minute: most }: GatewayKey, answered: number): Promise<void> {
      if (most !== null && answered > 0) await tokens.consume(id, answered)
    },
  }
}
