import type { ErrorCode } from '#contract/errors.ts'
import type { AppError } from '../core/app-error.ts'

/** Another try would not change it, though the status looks like it: clients of both APIs obey `x-should-retry`. */
const POINTLESS: readonly ErrorCode[] = [
  'insufficient_balance',
  'key_limit_reached',
  'organization_limit_reached',
  'upstream_rejected',
  'answer_not_kept',
]
/** Another try may succeed, after a while. */
const LATER: readonly number[] = [429, 503, 529]
/** Seconds, where nobody knows better. */
const RETRY_AFTER = 2

/** Whether and when a client is to try again what failed with this status. */
export function retryHeaders({ code, retry_after }: AppError, status: number): Record<string, string> {
  if (POINTLESS.includes(code)) return { 'x-should-retry': 'false' }
  return LATER.includes(status) ? { 'Retry-After': String(Math.ceil(retry_after ?? RETRY_AFTER)) } : {}
}
