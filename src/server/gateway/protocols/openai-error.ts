import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { OpenAiError } from '#contract/gateway/chat-completions.ts'
import type { AppError } from '#server/core/app-error.ts'
import { createRetryHeaders } from './retry-headers.ts'

/** The statuses that clients of the gateway know (reference-product, "Gateway"). */
function getOpenAiStatus(code: ErrorCode): number {
  const { status } = errors[code]
  if (status === 502) return 503
  return status === 422 && code !== 'idempotency_mismatch' ? 400 : status
}

function getErrorType(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 402) return 'insufficient_quota'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

/** The message of an error, with the first field that was refused. */
export function formatErrorMessage(code: ErrorCode, fields: Record<string, string> = {}): string {
  const { message } = errors[code]
  const [field] = Object.entries(fields)
  return field ? `${message}（${field[0]}：${field[1]}）` : message
}

/** OpenAI's error body (https://platform.openai.com/docs/guides/error-codes); `param` is the first field that was refused. */
export function createOpenAiErrorBody(code: ErrorCode, fields: Record<string, string> = {}): OpenAiError {
  const [param = null] = Object.keys(fields)
  return {
    error: {
      message: formatErrorMessage(code, fields),
      type: getErrorType(getOpenAiStatus(code)),
      param,
      code,
    },
  }
}

/** How an error is answered that comes before anything else was sent. */
export function createOpenAiErrorResponse(error: AppError) {
  const { code, fields } = error
  const status = getOpenAiStatus(code)
  return { status, headers: createRetryHeaders(error, status), body: createOpenAiErrorBody(code, fields) }
}
