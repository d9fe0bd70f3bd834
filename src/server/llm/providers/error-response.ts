import { getField } from '#server/core/json.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { UpstreamError } from '../upstream-error.ts'
import type { BodyReader, ResponseHead } from '../transport/http.ts'

const MAX_ERROR_BYTES = 16_384
const MAX_RETRY_AFTER_S = 86_400

/** Too many requests, or too much load: Anthropic's 529 and `overloaded_error`, Google's RESOURCE_EXHAUSTED. */
const BUSY = /^(429|529)$|rate_?limit|overloaded|resource_exhausted/i
/** What a retry would not change: the request or the key. */
const REJECTED =
  /^4\d\d$|^(invalid_|permission_|not_found)|authenticat|request_too_large|billing_error|failed_precondition/i

function classifyError(signals: unknown[]): ErrorCode {
  const matches = (pattern: RegExp) => signals.some((signal) => pattern.test(String(signal)))
  if (matches(BUSY)) return 'upstream_rate_limited'
  return matches(REJECTED) ? 'upstream_rejected' : 'upstream_failed'
}

/** An error that a server reports inside a 200. */
export function toUpstreamError(error: unknown): UpstreamError {
  const signals = [getField(error, 'code'), getField(error, 'type'), getField(error, 'status')]
  return new UpstreamError(classifyError(signals), JSON.stringify(error))
}

/** Reads a response that is not 2xx. A redirect is one too: keys are not sent elsewhere. */
export class ErrorResponseReader implements BodyReader {
  readonly #head: ResponseHead
  #body = ''

  constructor(head: ResponseHead) {
    this.#head = head
  }

  onData(bytes: Buffer): void {
    this.#body += bytes.toString('latin1')
  }

  get done(): boolean {
    return this.#body.length > MAX_ERROR_BYTES
  }

  /** The detail begins with the status. */
  toError(): UpstreamError {
    const { status, headers } = this.#head
    const text = Buffer.from(this.#body, 'latin1').toString('utf8')
    const code = status < 400 ? 'upstream_rejected' : classifyError([status])
    const wait = parseRetryAfter(headers['retry-after'], Date.now()) ?? parseRetryDelay(text)
    return new UpstreamError(code, `${status} ${text}`, wait)
  }
}

/** The error with a detail that fits a log: some servers repeat the key that they reject. */
export function redactKey({ code, detail, retry_after }: UpstreamError, api_key: string): UpstreamError {
  const clean = api_key ? detail.replaceAll(api_key, '***') : detail
  return new UpstreamError(code, clean.slice(0, 500), retry_after)
}

/** Google sends it in the body: `google.rpc.RetryInfo`, https://ai.google.dev/gemini-api/docs/troubleshooting. */
function parseRetryDelay(body: string): number | null {
  const seconds = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return seconds === undefined ? null : parseRetryAfter(String(Math.ceil(Number(seconds))), 0)
}

/** Seconds of a Retry-After header (RFC 9110, section 10.2.3: seconds or a date); null when absent or invalid. */
export function parseRetryAfter(header: string | string[] | undefined, now: number): number | null {
  const value = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!value) return null
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_S)
}
