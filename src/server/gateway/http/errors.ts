import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { getAnthropicErrorType, getErrorStatus, getOpenAiErrorType } from '#contract/gateway/errors.ts'
import type { AnthropicError, ErrorShape, OpenAiError } from '#contract/gateway/errors.ts'
import type { AppError } from '#server/core/app-error.ts'

/** Errors that a retry would not change, though their status suggests one: clients of both APIs obey `x-should-retry`. */
const NON_RETRYABLE_CODES: readonly ErrorCode[] = [
  'insufficient_balance',
  'key_limit_reached',
  'organization_limit_reached',
  'context_length_exceeded',
  'request_rejected',
  'content_rejected',
  'upstream_rejected',
  'answer_not_kept',
]
/** Another try may succeed after a while. */
const RETRYABLE_STATUSES: readonly number[] = [429, 503, 529]
/** Used where nothing better is known. */
const DEFAULT_RETRY_AFTER_S = 2

/** Details of an error beside its code; a platform's message takes the place of ours. */
type ErrorDetails = Partial<Pick<AppError, 'fields' | 'rejection'>>

/** The response to a call that failed before anything was sent. */
export function createErrorResponse(shape: ErrorShape, error: AppError, requestId: string) {
  const { code, rejection } = error
  const status = rejection?.status ?? getErrorStatus(shape, code)
  const body =
    shape === 'anthropic'
      ? createAnthropicErrorBody(code, requestId, error)
      : createOpenAiErrorBody(code, error)
  return { status, headers: createRetryHeaders(error, status), body }
}

export function createOpenAiErrorBody(code: ErrorCode, details: ErrorDetails = {}): OpenAiError {
  const { fields = {}, rejection } = details
  const [param = null] = rejection ? [rejection.param] : Object.keys(fields)
  const type = getOpenAiErrorType(rejection?.status ?? getErrorStatus('openai', code))
  const message = formatErrorMessage(code, details)
  return { error: { message, type, param, code: rejection?.code ?? code } }
}

/** The words by which clients of Anthropic's API know that a conversation has to be shortened. */
const TOO_LONG = 'prompt is too long'

/** The body of a response, and of an event in a stream. */
export function createAnthropicErrorBody(
  code: ErrorCode,
  requestId: string,
  details: ErrorDetails = {},
): AnthropicError {
  const type = getAnthropicErrorType(details.rejection?.status ?? getErrorStatus('anthropic', code))
  const message = formatErrorMessage(code, details)
  const isUnnamed = code === 'context_length_exceeded' && !message.startsWith(TOO_LONG)
  return {
    type: 'error',
    error: { type, message: isUnnamed ? `${TOO_LONG}: ${message}` : message },
    request_id: requestId,
  }
}

/** Returns the platform's message, or ours with the first field at fault. */
function formatErrorMessage(code: ErrorCode, { fields = {}, rejection }: ErrorDetails): string {
  if (rejection?.message) return rejection.message
  const { message } = errors[code]
  const [field] = Object.entries(fields)
  return field ? `${message}（${field[0]}：${field[1]}）` : message
}

/** Tells a client whether and when to retry a call that failed with this status. */
function createRetryHeaders({ code, retry_after }: AppError, status: number): Record<string, string> {
  if (NON_RETRYABLE_CODES.includes(code)) return { 'x-should-retry': 'false' }
  return RETRYABLE_STATUSES.includes(status)
    ? { 'Retry-After': String(Math.ceil(retry_after ?? DEFAULT_RETRY_AFTER_S)) }
    : {}
}
