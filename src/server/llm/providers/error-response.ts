import { getField } from '#server/core/json.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { UpstreamError } from '../chat.ts'
import type { BodyReader, ResponseHead } from '../transport/http.ts'
import { parseRetryAfter } from '../transport/retry-after.ts'

const MAX_ERROR_BYTES = 16_384

/** Too many requests, or too much load: Anthropic's 529 and `overloaded_error`, Google's RESOURCE_EXHAUSTED. */
const BUSY = /^(429|529)$|rate_?limit|overloaded|resource_exhausted/i
/** What another try would not change: the request or the key. */
const REJECTED =
  /^4\d\d$|^(invalid_|permission_|not_found)|authenticat|request_too_large|billing_error|failed_precondition/i

function classifyError(signals: unknown[]): ErrorCode {
  const matches = (pattern: RegExp) => signals.some((signal) => pattern.test(String(signal)))
  if (matches(BUSY)) return 'upstream_rate_limited'
  return matches(REJECTED) ? 'upstream_rejected' : 'upstream_failed'
}

/** An error that a server reports inside a 200. */
export function toUpstreamError(error: unknown): UpstreamError {
  const words = [getField(error, 'code'), getField(error, 'type'), getField(error, 'status')]
  return new UpstreamError(classifyError(words), JSON.stringify(error))
}

/** Reads an answer that is not 2xx. A redirect is one too: keys are not carried elsewhere. */
export class ErrorResponseReader implements BodyReader {
  readonly #head: ResponseHead
  #said = ''

  constructor(head: ResponseHead) {
    this.#head = head
  }

  onData(bytes: Buffer): void {
    this.#said += bytes.toString('latin1')
  }

  get done(): boolean {
    return this.#said.length > MAX_ERROR_BYTES
  }

  /** What was read of it, its status first in the detail. */
  toError(): UpstreamError {
    const { status, headers } = this.#head
    const text = Buffer.from(this.#said, 'latin1').toString('utf8')
    const code = status < 400 ? 'upstream_rejected' : classifyError([status])
    const wait = parseRetryAfter(headers['retry-after'], Date.now()) ?? parseRetryDelay(text)
    return new UpstreamError(code, `${status} ${text}`, wait)
  }
}

/** The error with a detail that fits a log: some servers repeat the key that they refuse. */
export function redactKey({ code, detail, retry_after }: UpstreamError, api_key: string): UpstreamError {
  const clean = api_key ? detail.replaceAll(api_key, '***') : detail
  return new UpstreamError(code, clean.slice(0, 500), retry_after)
}

/** Google says it in the body: `google.rpc.RetryInfo`, https://ai.google.dev/gemini-api/docs/troubleshooting. */
function parseRetryDelay(body: string): number | null {
  const seconds = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return seconds === undefined ? null : parseRetryAfter(String(Math.ceil(Number(seconds))), 0)
}
