import { errors, type ErrorCode } from '#contract/errors.ts'
import { getErrorStatus } from '#contract/gateway/errors.ts'
import { gatewayErrorsText } from '#web/text/docs/gatewayErrors.ts'

/** Errors of the gateway with one status; `advice` tells what a program or its author should do. */
export type GatewayErrorGroup = {
  status: number
  codes: { code: ErrorCode; message: string }[]
  advice: string
}

const shownCodes: ErrorCode[] = [
  'bad_request',
  'context_length_exceeded',
  'content_unsupported',
  'tool_unavailable',
  'request_rejected',
  'content_rejected',
  'key_invalid',
  'key_disabled',
  'key_expired',
  'insufficient_balance',
  'key_limit_reached',
  'organization_limit_reached',
  'provision_key_refused',
  'model_not_allowed',
  'address_not_allowed',
  'model_not_found',
  'not_found',
  'method_not_allowed',
  'payload_too_large',
  'answer_not_kept',
  'idempotency_mismatch',
  'rate_limited',
  'too_many_calls',
  'internal',
  'overloaded',
  'model_unavailable',
  'upstream_rate_limited',
  'upstream_overloaded',
  'upstream_refused',
  'upstream_failed',
  'upstream_rejected',
  'upstream_cut',
  'upstream_malformed',
  'upstream_empty',
  'interrupted',
  'upstream_timeout',
]

/** Grouped by the statuses that OpenAI's clients know, which are fewer than those of the web's calls. */
export const gatewayErrors: GatewayErrorGroup[] = Object.entries(
  Object.groupBy(shownCodes, (code) => String(getErrorStatus('openai', code))),
).map(([status, codes = []]) => ({
  status: Number(status),
  codes: codes.map((code) => ({ code, message: errors[code].message })),
  advice: gatewayErrorsText[Number(status)] ?? '',
}))
