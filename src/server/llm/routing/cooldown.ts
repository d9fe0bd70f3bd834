import type { Fault } from './fault.ts'

type Schedule = { initial_ms: number; max_ms: number }

/** Cooldowns double from the first to the longest while failures follow each other. */
const SCHEDULES: Record<'transient' | 'rate_limited' | 'platform', Schedule> = {
  transient: { initial_ms: 1_000, max_ms: 60_000 },
  rate_limited: { initial_ms: 2_000, max_ms: 60_000 },
  platform: { initial_ms: 60_000, max_ms: 600_000 },
}
/** A limit may be lifted early: it is probed at least once an hour. */
const MAX_RETRY_AFTER_MS = 3_600_000
/** Probes of several processes are spread over this share of a Retry-After. */
const JITTER = 0.1

/**
 * Computes how long a platform cools down after a failure, ms. `streak`: failures in a row, this one included; `retryAfter`:
 * seconds, honoured in full; `random` from 0 to 1 shortens it by up to a half, so that not all callers come back at once.
 */
export function getCooldownMs(
  fault: Fault,
  streak: number,
  retryAfter: number | null,
  random: number,
): number {
  if (fault === 'request' || fault === 'question') return 0
  const { initial_ms, max_ms } = SCHEDULES[fault]
  // The limit is far beyond the longest cooldown, so that a long streak does not overflow.
  const doubled = initial_ms * 2 ** Math.min(streak - 1, 20)
  const backoff = Math.min(doubled, max_ms) * (1 - random / 2)
  const requested = Math.min((retryAfter ?? 0) * 1000 * (1 + random * JITTER), MAX_RETRY_AFTER_MS)
  return Math.ceil(Math.max(backoff, requested))
}
