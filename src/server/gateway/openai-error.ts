import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { GatewayError } from '#contract/gateway.ts'
import type { AppError } from '../core/app-error.ts'

/** Another try would not change it, though the status looks like it: clients of OpenAI's API obey `x-should-retry`. */
const POINTLESS: readonly ErrorCode[] = [
  'insufficient_balance',
  'key_limit_reached',
  'organization_limit_reached',
  'upstream_rejected',
]
/** Seconds, where nobody knows better. */
const RETRY_AFTER = 2

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

/** OpenAI's error body (https://platform.openai.com/docs/guides/error-codes); `param` is the first field that was refused. */
export function openaiError(code: ErrorCode, fields: Record<string, string> = {}): GatewayError {
  const [param, reason] = Object.entries(fields)[0] ?? [null, '']
  const { message } = errors[code]
  const said = param === null ? message : `${message}（${param}：${reason}）`
  return { error: { message: said, type: typeOf(statusOf(code)), param, code } }
}

/** How an error is answered that comes before anything else was sent. */
export function errorAnswer({ code, fields, retry_after }: AppError) {
  const status = statusOf(code)
  const headers: Record<string, string> = {}
  if (POINTLESS.includes(code)) headers['x-should-retry'] = 'false'
  else if (status === 429 || status === 503)
    headers['Retry-After'] = String(Math.ceil(retry_after ?? RETRY_AFTER))
  return { status, headers, body: openaiError(code, fields) }
}
