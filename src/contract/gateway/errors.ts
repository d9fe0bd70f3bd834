import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'

// Shapes of errors in each protocol of the gateway. This file has no schema, so that the browser can read it.

/** `openai`: https://platform.openai.com/docs/guides/error-codes; `anthropic`: https://platform.claude.com/docs/en/api/errors */
export type ErrorShape = 'openai' | 'anthropic'

/** The body of an error in OpenAI's shape; `param` is the first field at fault. */
export type OpenAiError = {
  error: { message: string; type: string; param: string | null; code: string }
}

/** The body of an error in Anthropic's shape. */
export type AnthropicError = {
  type: 'error'
  error: { type: string; message: string }
  request_id: string
}

/**
 * A platform's refusal of a request, for its sender: status, code and parameter are the platform's, null where it names none; the
 * message is stripped of the platform's and the operator's affairs, and empty where there is none.
 */
export type Rejection = { status: number; code: string | null; param: string | null; message: string }

/** Returns a status that clients of the protocol know (reference-product, "Gateway"); for Anthropic's, 529 is a busy API. */
export function getErrorStatus(shape: ErrorShape, code: ErrorCode): number {
  const { status } = errors[code]
  if (status === 502) return shape === 'openai' ? 503 : 500
  if (status === 503 && shape === 'anthropic') return 529
  return status === 422 && code !== 'idempotency_mismatch' ? 400 : status
}

export function getOpenAiErrorType(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 402) return 'insufficient_quota'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

const ANTHROPIC_ERROR_TYPES: Record<number, string> = {
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

export const getAnthropicErrorType = (status: number): string =>
  ANTHROPIC_ERROR_TYPES[status] ?? 'invalid_request_error'
