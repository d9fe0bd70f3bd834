import type { ErrorCode } from '#contract/errors.ts'
import type { UpstreamError } from '../upstream-error.ts'

/**
 * The cause of a failure, which decides what follows. `request`: it would fail everywhere, no other platform is called.
 * `question`: perhaps only this platform can't answer it, so the next is called; the platform does not cool down, or one
 * person could block it for all others. `platform`: a bad key, an empty account, an unknown model; the operator must fix
 * it, so it cools down longer and this run does not retry it.
 */
export type Fault = 'request' | 'question' | 'transient' | 'rate_limited' | 'platform'

const FAULTS: Partial<Record<ErrorCode, Fault>> = {
  request_rejected: 'request',
  context_length_exceeded: 'request',
  upstream_empty: 'question',
  upstream_rate_limited: 'rate_limited',
  upstream_overloaded: 'rate_limited',
  upstream_rejected: 'platform',
}

/** The most useful first: errors that tell what to do come before those that tell where it happened. */
const ERROR_PRIORITY: readonly ErrorCode[] = [
  'request_rejected',
  'context_length_exceeded',
  'content_rejected',
  'upstream_rate_limited',
  'upstream_overloaded',
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

/** Content that a relay refuses (403), another platform may answer; content that a vendor refuses (400) is not sent around. */
export function classifyFault(error: UpstreamError): Fault {
  if (error.code === 'content_rejected') return parseStatus(error) === 403 ? 'question' : 'request'
  return FAULTS[error.code] ?? 'transient'
}

/** A failure in a few words for everybody: never the upstream's own text, which is for the operator's log. */
export function describeFailure(error: UpstreamError): string {
  const status = parseStatus(error)
  const description = status === null ? error.code.replace('upstream_', '') : `http ${status}`
  return error.retry_after === null ? description : `${description}, retry after ${error.retry_after} s`
}

/** Selects the failure of a run to report to the person; among equal ones, the one with the shortest wait. */
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
