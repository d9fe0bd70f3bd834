import { RateLimiterMemory } from 'rate-limiter-flexible'
import { AppError } from '#server/core/app-error.ts'
import type { GatewayKey } from '#server/accounts/keys/keys.ts'
import type { Exchange } from '../http/exchange.ts'

const MINUTE_S = 60

type Kind = 'requests' | 'tokens'
type RateLimitState = { limit: number; remaining: number; reset_ms: number }

export type RateLimits = ReturnType<typeof createRateLimits>

/**
 * Counts the use of each key in its current minute, against the limits that the key has at this very moment. Counts in this
 * process only: every process grants the limit anew.
 */
export function createRateLimits() {
  // The limiters only count; the limit is the key's.
  const createCounter = () => new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: MINUTE_S })
  const counters = { requests: createCounter(), tokens: createCounter() }
  const count = async (exchange: Exchange, kind: Kind, keyId: string, points: number, limit: number) => {
    const { consumedPoints, msBeforeNext: resetMs } = await counters[kind].consume(keyId, points)
    // The call that crosses the limit is let in: otherwise a single large one never could be.
    const isRefused = consumedPoints - points >= limit
    const usedPoints = isRefused ? consumedPoints - points : consumedPoints
    setRateLimitHeaders(exchange, kind, {
      limit,
      remaining: Math.max(0, limit - usedPoints),
      reset_ms: resetMs,
    })
    if (!isRefused) return
    await counters[kind].reward(keyId, points)
    throw new AppError('rate_limited', { retry_after: resetMs / 1000 })
  }

  return {
    /** Counts a request, and sets headers that tell what is left. Throws AppError rate_limited with Retry-After. */
    async countRequest({ id, requests_per_minute: limit }: GatewayKey, exchange: Exchange): Promise<void> {
      if (limit !== null) await count(exchange, 'requests', id, 1, limit)
    },

    /** The same for the input tokens of a request; `estimate` is called only for keys with a limit. Throws the same. */
    async countInputTokens(
      { id, tokens_per_minute: limit }: GatewayKey,
      exchange: Exchange,
      estimate: () => number,
    ): Promise<void> {
      if (limit !== null) await count(exchange, 'tokens', id, Math.max(1, estimate()), limit)
    },

    /** Counts the tokens of a response, which leaves fewer for the next calls. */
    async countOutputTokens(
      { id, tokens_per_minute: limit }: GatewayKey,
      outputTokens: number,
    ): Promise<void> {
      if (limit !== null && outputTokens > 0) await counters.tokens.consume(id, outputTokens)
    },
  }
}

/**
 * Sets the headers of OpenAI (https://platform.openai.com/docs/guides/rate-limits), which give a duration, or of Anthropic
 * (https://platform.claude.com/docs/en/api/rate-limits), which give a time.
 */
function setRateLimitHeaders(
  { response, shape }: Exchange,
  kind: Kind,
  { limit, remaining, reset_ms }: RateLimitState,
): void {
  if (shape === 'anthropic') {
    const prefix = `anthropic-ratelimit-${kind}`
    response.setHeader(`${prefix}-limit`, limit)
    response.setHeader(`${prefix}-remaining`, remaining)
    response.setHeader(`${prefix}-reset`, new Date(Date.now() + reset_ms).toISOString())
    return
  }
  response.setHeader(`x-ratelimit-limit-${kind}`, limit)
  response.setHeader(`x-ratelimit-remaining-${kind}`, remaining)
  response.setHeader(`x-ratelimit-reset-${kind}`, `${Math.ceil(reset_ms / 1000)}s`)
}
