import type { ErrorCode } from '#contract/errors.ts'
import type { Rejection } from '#contract/gateway/errors.ts'

type UpstreamErrorDetails = { retry_after?: number | null; rejection?: Rejection | null }

/** A failed upstream. `code` is shown to the person; `detail` is for the operator's log only. */
export class UpstreamError extends Error {
  readonly code: ErrorCode
  readonly detail: string
  /** Seconds, from Retry-After. */
  readonly retry_after: number | null
  /** The platform's words about the fault in the request; null where the request is not at fault. */
  readonly rejection: Rejection | null

  constructor(
    code: ErrorCode,
    detail: string,
    { retry_after = null, rejection = null }: UpstreamErrorDetails = {},
  ) {
    super(`${code}: ${detail}`)
    this.name = 'UpstreamError'
    this.code = code
    this.detail = detail
    this.retry_after = retry_after
    this.rejection = rejection
  }
}
