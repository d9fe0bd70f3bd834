import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { AnthropicError } from '#contract/gateway/messages.ts'
import type { AppError } from '#server/core/app-error.ts'
import { createRetryHeaders } from './retry-headers.ts'
import { formatErrorMessage } from './openai-error.ts'

const ERROR_TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** The statuses that clients of Anthropic's API know: a platform that failed is an error of the API, 529 is a busy one. */
function getAnthropicStatus(code: ErrorCode): number {
  const { status } = errors[code]
  if (status === 502) return 500
  if (status === 503) return 529
  return status === 422 && code !== 'idempotency_mismatch' ? 400 : status
}

/** Anthropic's error body (https://platform.claude.com/docs/en/api/errors), as an answer and as an event. */
export function createAnthropicErrorBody(
  code: ErrorCode,
  request_id: string,
  fields?: Record<string, string>,
): AnthropicError {
  const type = ERROR_TYPES[getAnthropicStatus(code)] ?? 'invalid_request_error'
  return { type: 'error', error: { type, message: formatErrorMessage(code, fields) }, request_id }
}

/** How an error is answered that comes before anything else was sent. */
export function createAnthropicErrorResponse(error: AppError, request_id: string) {
  const { code, fields } = error
  const status = getAnthropicStatus(code)
  return {
    status,
    headers: createRetryHeaders(error, status),
    body: createAnthropicErrorBody(code, request_id, fields),
  }
}
