import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from './app-error.ts'

export type RateLimit = { points: number; seconds: number }

/**
 * Limits how often something may happen for one key. Throws AppError `rate_limited` with Retry-After. Counts in this process,
 * which it protects; the limits announced to people are counted in the database.
 */
export function createRateLimit({ points, seconds }: RateLimit): (key: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  return async (key) => {
    try {
      await limiter.consume(key)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new AppError('rate_limited', { retry_after: refusal.msBeforeNext / 1000 })
    }
  }
}
