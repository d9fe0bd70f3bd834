import { errors, type ErrorCode } from '#contract/errors.ts'
import { gatewayErrorsText } from '#web/text/docs/gatewayErrors.ts'

/** Errors of the gateway with one status; `advice` is what a program or its author does about them. */
export type GatewayErrorGroup = {
  status: number
  codes: { code: ErrorCode; message: string }[]
  advice: string
}

/** Status → codes, as the gateway answers them: OpenAI's clients know fewer statuses than the web's calls use. */
const codesByStatus: [status: keyof typeof gatewayErrorsText, codes: ErrorCode[]][] = [
  [400, ['bad_request', 'context_length_exceeded']],
  [401, ['key_invalid', 'key_disabled', 'key_expired']],
  [402, ['insufficient_balance', 'key_limit_reached', 'organization_limit_reached']],
  [403, ['model_not_allowed', 'address_not_allowed']],
  [404, ['model_not_found', 'not_found']],
  [413, ['payload_too_large']],
  [422, ['idempotency_mismatch']],
  [429, ['rate_limited']],
  [500, ['internal']],
  [
    503,
    [
      'overloaded',
      'model_unavailable',
      'upstream_rate_limited',
      'upstream_refused',
      'upstream_failed',
      'upstream_rejected',
      'upstream_cut',
      'upstream_malformed',
      'upstream_empty',
      'interrupted',
    ],
  ],
  [504, ['upstream_timeout']],
]

export const gatewayErrors: GatewayErrorGroup[] = codesByStatus.map(([status, codes]) => ({
  status,
  codes: codes.map((code) => ({ code, message: errors[code].message })),
  advice: gatewayErrorsText[status],
}))
