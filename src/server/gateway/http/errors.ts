import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { getAnthropicErrorType, getErrorStatus, getOpenAiErrorType } from '#contract/gateway/errors.ts'
import type { AnthropicError, ErrorShape, OpenAiError } from '#contract/gateway/errors.ts'
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
/** Seconds, where nothing better is known. */
const DEFAULT_RETRY_AFTER_S = 2

type Fields = Record<string, string>

/** The response to a call that failed before anything was sent. */
export function createErrorResponse(shape: ErrorShape, error: AppError, request_id: string) {
  const { code, fields } = error
  const status = getErrorStatus(shape, code)
  const body =
    shape === 'anthropic'
      ? createAnthropicErrorBody(code, request_id, fields)
      : createOpenAiErrorBody(code, fields)
  return { status, headers: createRetryHeaders(error, status), body }
}

export function createOpenAiErrorBody(code: ErrorCode, fields: Fields = {}): OpenAiError {
  const [param = null] = Object.keys(fields)
  const type = getOpenAiErrorType(getErrorStatus('openai', code))
  return { error: { message: formatErrorMessage(code, fields), type, param, code } }
}

/** As a response, and as an event of a stream. */
export function createAnthropicErrorBody(
  code: ErrorCode,
  request_id: string,
  fields?: Fields,
): AnthropicError {
  const type = getAnthropicErrorType(getErrorStatus('anthropic', code))
  return { type: 'error', error: { type, message: formatErrorMessage(code, fields) }, request_id }
}

/** The message of an error, with the first field at fault. */
function formatErrorMessage(code: ErrorCode, fields: Fields = {}): string {
  const { message } = errors[code]
  const [field] = Object.entries(fields)
  return field ? `${message}（${field[0]}：${field[1]}）` : message
}

/** Whether and when a client should retry what failed with this status. */
function createRetryHeaders({ code, retry_after }: AppError, status: number): Record<string, string> {
  if (NON_RETRYABLE_CODES.includes(code)) return { 'x-should-retry': 'false' }
  return RETRYABLE_STATUSES.includes(status)
    ? { 'Retry-After': String(Math.ceil(retry_after ?? DEFAULT_RETRY_AFTER_S)) }
    : {}
}
