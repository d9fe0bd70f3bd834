import { RateLimiterMemory } from 'rate-limiter-flexible'
import { AppError } from '#server/core/app-error.ts'
import type { GatewayKey } from '#server/keys/keys.ts'

const MINUTE_S = 60

export type RateLimits = ReturnType<typeof createRateLimits>

/**
 * What each key used within its current minute, against the limits that the key has at this very moment. Counted in
 * this process: every process grants the limit anew.
 */
export function createRateLimits() {
  // They only count; the limit is the key's.
  const createCounter = () => new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: MINUTE_S })
  const [requests, tokens] = [createCounter(), createCounter()]
  const count = async (counter: RateLimiterMemory, key_id: string, points: number, limit: number) => {
    const { consumedPoints, msBeforeNext } = await counter.consume(key_id, points)
    // The call that crosses the limit is let in: a single large one never could be otherwise.
    if (consumedPoints - points < limit) return
    await counter.reward(key_id, points)
    throw new AppError('rate_limited', { retry_after: msBeforeNext / 1000 })
  }

  return {
    /** Counts a request. Throws AppError rate_limited with Retry-After. */
    async countRequest({ id, requests_per_minute: limit }: GatewayKey): Promise<void> {
      if (limit !== null) await count(requests, id, 1, limit)
    },

    /** Counts the input tokens of a request; `estimate` is called only for keys with a limit. Throws the same. */
    async countInputTokens(
      { id, tokens_per_minute: limit }: GatewayKey,
      estimate: () => number,
    ): Promise<void> {
      if (limit !== null) await count(tokens, id, Math.max(1, estimate()), limit)
    },

    /** Counts the tokens of a response; they are missing from what comes next. */
    async countOutputTokens(
      { id, tokens_per_minute: limit }: GatewayKey,
      output_tokens: number,
    ): Promise<void> {
      if (limit !== null && output_tokens > 0) await tokens.consume(id, output_tokens)
    },
  }
}
