import type { ErrorCode } from '#contract/errors.ts'
import type { UpstreamError } from '../upstream-error.ts'

/**
 * The cause of a failure, which decides what follows. `request`: it would fail everywhere, no other platform is called.
 * `question`: perhaps only this platform can't answer it, so the next is called; the platform does not cool down, or one
 * person could block it for all others. `platform`: a bad key, an empty account, an unknown model; the operator must fix
 * it, so it cools down longer and this run does not retry it.
 */
export type Fault = 'request' | 'question' | 'transient' | 'rate_limited' | 'platform'

const REQUEST_STATUS = [400, 413, 422]
/** Timeout, conflict, too early: a later request may succeed. */
const TEMPORARY_STATUS = [408, 409, 425]

/**
 * Platforms that report a bad key or an empty account with a status for bad requests or rate limits: Gemini's
 * API_KEY_INVALID and Bailian's Arrearage are 400, as is Anthropic's empty balance; OpenAI's insufficient_quota is 429.
 */
const ACCOUNT = /API_KEY_INVALID|\bArrearage\b|credit balance is too low|insufficient_quota/
/** The same for an error without a status inside a 200. */
const ACCOUNT_TYPE = /authenticat|permission_|not_found|billing_error|"(code|status)":"?40[1-4]\b/
/** Moderation by the platform: OpenRouter reports it with 403. */
const CENSORED = /moderation|flagged|content_filter/

/** The most useful first: what to do about it, rather than where it happened. */
const ERROR_PRIORITY: readonly ErrorCode[] = [
  'upstream_rate_limited',
  'upstream_timeout',
  'upstream_failed',
  'upstream_cut',
  'upstream_malformed',
  'upstream_empty',
  'upstream_rejected',
  'upstream_refused',
]

/** The status of an error response, with which its detail begins; null when there was none. */
function parseStatus({ detail }: UpstreamError): number | null {
  const status = /^([1-5]\d\d)(?= |$)/.exec(detail)?.[1]
  return status === undefined ? null : Number(status)
}

export function classifyFault(error: UpstreamError): Fault {
  const { code, detail } = error
  if (code === 'upstream_empty') return 'question'
  if (code !== 'upstream_rate_limited' && code !== 'upstream_rejected') return 'transient'
  if (ACCOUNT.test(detail)) return 'platform'
  if (code === 'upstream_rate_limited') return 'rate_limited'
  const status = parseStatus(error)
  if (status === null) return ACCOUNT_TYPE.test(detail) ? 'platform' : 'request'
  if (REQUEST_STATUS.includes(status)) return 'request'
  if (TEMPORARY_STATUS.includes(status)) return 'transient'
  return status === 403 && CENSORED.test(detail) ? 'question' : 'platform'
}

/** A failure in a few words for everybody: never the upstream's own text, which is for the operator's log. */
export function describeFailure(error: UpstreamError): string {
  const status = parseStatus(error)
  const description = status === null ? error.code.replace('upstream_', '') : `http ${status}`
  return error.retry_after === null ? description : `${description}, retry after ${error.retry_after} s`
}

/** Of the failures of one run, the one to report to the person: of equal ones, the one with the shortest wait. */
export function selectMainError(errors: readonly [UpstreamError, ...UpstreamError[]]): UpstreamError {
  const rank = ({ code }: UpstreamError): number => {
    const index = ERROR_PRIORITY.indexOf(code)
    return index === -1 ? ERROR_PRIORITY.length : index
  }
  const retryAfter = ({ retry_after }: UpstreamError): number => retry_after ?? Number.MAX_SAFE_INTEGER
  return errors.reduce((best, error) => {
    const order = rank(error) - rank(best) || retryAfter(error) - retryAfter(best)
    return order < 0 ? error : best
  })
}
