import type { ErrorCode } from '#contract/errors.ts'
import type { AppError } from '#server/core/app-error.ts'

/** Another try would not change it, though the status looks like it: clients of both APIs obey `x-should-retry`. */
const NON_RETRYABLE_CODES: readonly ErrorCode[] = [
  'insufficient_balance',
  'key_limit_reached',
  'organization_limit_reached',
  'upstream_rejected',
  'answer_not_kept',
]
/** Another try may succeed, after a while. */
const RETRYABLE_STATUSES: readonly number[] = [429, 503, 529]
/** Seconds, where nobody knows better. */
const DEFAULT_RETRY_AFTER_S = 2

/** Whether and when a client is to try again what failed with this status. */
export function createRetryHeaders({ code, retry_after }: AppError, status: number): Record<string, string> {
  if (NON_RETRYABLE_CODES.includes(code)) return { 'x-should-retry': 'false' }
  return RETRYABLE_STATUSES.includes(status)
    ? { 'Retry-After': String(Math.ceil(retry_after ?? DEFAULT_RETRY_AFTER_S)) }
    : {}
}
