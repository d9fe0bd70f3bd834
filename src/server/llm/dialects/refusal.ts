import type { ErrorCode } from '#contract/errors.ts'
import { UpstreamError } from '../chat.ts'
import type { BodyReader, Head } from '../http.ts'
import { retryAfter } from '../retry-after.ts'
import { field } from './event.ts'

const MAX_REFUSAL = 16_384

/** Too many requests, or too much load: Anthropic's 529 and `overloaded_error`, Google's RESOURCE_EXHAUSTED. */
const BUSY = /^(429|529)$|rate_?limit|overloaded|resource_exhausted/i
/** What another try would not change: the request or the key. */
const REFUSED =
  /^4\d\d$|^(invalid_|permission_|not_found)|authenticat|request_too_large|billing_error|failed_precondition/i

function codeOf(words: unknown[]): ErrorCode {
  const says = (pattern: RegExp) => words.some((word) => pattern.test(String(word)))
  if (says(BUSY)) return 'upstream_rate_limited'
  return says(REFUSED) ? 'upstream_rejected' : 'upstream_failed'
}

/** An error that a server reports inside a 200. */
export function reported(error: unknown): UpstreamError {
  const words = [field(error, 'code'), field(error, 'type'), field(error, 'status')]
  return new UpstreamError(codeOf(words), JSON.stringify(error))
}

/** Reads an answer that is not 2xx. A redirect is one too: keys are not carried elsewhere. */
export class RefusalReader implements BodyReader {
  readonly #head: Head
  #said = ''

  constructor(head: Head) {
    this.#head = head
  }

  take(bytes: Buffer): void {
    this.#said += bytes.toString('latin1')
  }

  get done(): boolean {
    return this.#said.length > MAX_REFUSAL
  }

  /** What was read of it, its status first in the detail. */
  error(): UpstreamError {
    const { status, headers } = this.#head
    const text = Buffer.from(this.#said, 'latin1').toString('utf8')
    const code = status < 400 ? 'upstream_rejected' : codeOf([status])
    const wait = retryAfter(headers['retry-after'], Date.now()) ?? retryDelay(text)
    return new UpstreamError(code, `${status} ${text}`, wait)
  }
}

/** The error with a detail that fits a log: some servers repeat the key that they refuse. */
export function withoutKey({ code, detail, retry_after }: UpstreamError, api_key: string): UpstreamError {
  const clean = api_key ? detail.replaceAll(api_key, '***') : detail
  return new UpstreamError(code, clean.slice(0, 500), retry_after)
}

/** Google says it in the body: `google.rpc.RetryInfo`, https://ai.google.dev/gemini-api/docs/troubleshooting. */
function retryDelay(body: string): number | null {
  const seconds = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return seconds === undefined ? null : retryAfter(String(Math.ceil(Number(seconds))), 0)
}
