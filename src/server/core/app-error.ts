import { errors } from '#contract/errors.ts'
import type { ErrorBody, ErrorCode } from '#contract/errors.ts'

type AppErrorDetails = {
  /** Field → Chinese message. */
  fields?: Record<string, string>
  /** Seconds, sent as Retry-After. */
  retry_after?: number
  /** For the operator's log; never sent. */
  cause?: unknown
}

/** An error that is part of the design: its code is in the contract, which knows its status and message. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly retry_after: number | undefined

  constructor(code: ErrorCode, { fields, retry_after, cause }: AppErrorDetails = {}) {
    super(errors[code].message, { cause })
    this.name = 'AppError'
    this.code = code
    this.fields = fields
    this.retry_after = retry_after
  }
}

/** The one mapper from an error code to the JSON body of /api. */
export const toErrorBody = (
  code: ErrorCode,
  request_id: string,
  fields?: Record<string, string>,
): ErrorBody => ({
  message: errors[code].message,
  code,
  request_id,
  ...(fields ? { errors: fields } : {}),
})
