import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { GatewayError } from '#contract/gateway.ts'
import type { AppError } from '../core/app-error.ts'
import { retryHeaders } from './retry-headers.ts'

/** The statuses that clients of the gateway know (reference-product, "Gateway"). */
function statusOf(code: ErrorCode): number {
  const { status } = errors[code]
  if (status === 502) return 503
  return status === 422 && code !== 'idempotency_mismatch' ? 400 : status
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 402) return 'insufficient_quota'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

/** The message of an error, with the first field that was refused. */
export function messageWith(code: ErrorCode, fields: Record<string, string> = {}): string {
  const { message } = errors[code]
  const [field] = Object.entries(fields)
  return field ? `${message}（${field[0]}：${field[1]}）` : message
}

/** OpenAI's error body (https://platform.openai.com/docs/guides/error-codes); `param` is the first field that was refused. */
export function openaiError(code: ErrorCode, fields: Record<string, string> = {}): GatewayError {
  const [param = null] = Object.keys(fields)
  return { error: { message: messageWith(code, fields), type: typeOf(statusOf(code)), param, code } }
}

/** How an error is answered that comes before anything else was sent. */
export function openaiAnswer(error: AppError) {
  const { code, fields } = error
  const status = statusOf(code)
  return { status, headers: retryHeaders(error, status), body: openaiError(code, fields) }
}
