import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from './app-error.ts'

export type RateLimit = { points: number; seconds: number }

/**
 * A limit on how often something may happen for one key. Throws AppError `rate_limited` with Retry-After. Kept in
 * this process: it guards the process; limits that people are promised are counted in the database.
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
