import type { ErrorCode } from '#contract/errors.ts'

/** A failed upstream. `code` is shown to the person; `detail` is for the operator's log only. */
export class UpstreamError extends Error {
  readonly code: ErrorCode
  readonly detail: string
  /** Seconds, from Retry-After. */
  readonly retry_after: number | null

  constructor(code: ErrorCode, detail: string, retry_after: number | null = null) {
    super(`${code}: ${detail}`)
    this.name = 'UpstreamError'
    this.code = code
    this.detail = detail
    this.retry_after = retry_after
  }
}
