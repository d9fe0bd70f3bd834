import { errors } from '#contract/errors.ts'
import type { ErrorBody, ErrorCode, Shortage } from '#contract/errors.ts'
import type { Rejection } from '#contract/gateway/errors.ts'
import { isDatabaseAway } from './database/connection-error.ts'
import { isMachineFailure } from './system-error.ts'

type AppErrorDetails = {
  /** Field → Chinese message. */
  fields?: Record<string, string>
  shortage?: Shortage
  /** Seconds, sent as Retry-After. */
  retry_after?: number | undefined
  /** Replaces the code's own message, where the contract has one that says more. */
  message?: string
  /** A platform's own words about a request that it refused; sent by the gateway. */
  rejection?: Rejection | undefined
  /** For the operator's log; never sent. */
  cause?: unknown
}

/** An error that is part of the design: its code is in the contract, which has a status and a message for it. */
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
 * Returns the part of an error answered with a status of 500 or more that belongs in the operator's log. Being too busy is no
 * fault of the program, and such errors come thousands a second.
 */
export const toLoggedError = (error: AppError): unknown =>
  error.code === 'overloaded' ? undefined : (error.cause ?? error)

/** Seconds after which to retry a request that failed because the database could not be reached. */
const DATABASE_RETRY_S = 5

/** Turns anything thrown into an error of the design. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDatabaseAway(error))
    return new AppError('unavailable', { retry_after: DATABASE_RETRY_S, cause: error })
  return new AppError(isMachineFailure(error) ? 'storage_unavailable' : 'internal', { cause: error })
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
