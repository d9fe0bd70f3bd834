import { errors } from '#contract/errors.ts'
import type { ErrorBody, ErrorCode, Shortage } from '#contract/errors.ts'
import type { Rejection } from '#contract/gateway/errors.ts'
import { isDatabaseAway } from './database/connection-error.ts'

type AppErrorDetails = {
  /** Field → Chinese message. */
  fields?: Record<string, string>
  shortage?: Shortage
  /** Seconds, sent as Retry-After. */
  retry_after?: number | undefined
  /** Where the contract has a message that says more than that of the code. */
  message?: string
  /** What a platform says of a request that it refuses; sent by the gateway. */
  rejection?: Rejection | undefined
  /** For the operator's log; never sent. */
  cause?: unknown
}

/** An error that is part of the design: its code is in the contract, which knows its status and message. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly shortage: Shortage | undefined
  readonly retry_after: number | undefined
  readonly rejection: Rejection | undefined

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    const { fields, shortage, retry_after, rejection, message, cause } = details
    super(message ?? errors[code].message, { cause })
    this.name = 'AppError'
    this.code = code
    this.fields = fields
    this.shortage = shortage
    this.retry_after = retry_after
    this.rejection = rejection
  }
}

/**
 * What the operator's log is to have of an error that is answered with a status of 500 or more: being too busy is no fault
 * of the program, and happens thousands of times a second where it happens.
 */
export const toLoggedError = (error: AppError): unknown =>
  error.code === 'overloaded' ? undefined : (error.cause ?? error)

/** Seconds after which to try again what failed because the database is away. */
const DATABASE_RETRY_S = 5

/** Anything that was thrown, as an error of the design. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return isDatabaseAway(error)
    ? new AppError('unavailable', { retry_after: DATABASE_RETRY_S, cause: error })
    : new AppError('internal', { cause: error })
}

/** The one mapper from an error code to the JSON body of /api. */
export const toErrorBody = (
  { code, fields, shortage, message }: Pick<AppError, 'code'> & Partial<AppError>,
  requestId: string,
): ErrorBody => ({
  message: message ?? errors[code].message,
  code,
  request_id: requestId,
  ...(fields ? { errors: fields } : {}),
  ...(shortage ? { shortage } : {}),
})
