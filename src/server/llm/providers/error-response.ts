import { filterObjects, getField } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { UpstreamError } from '../upstream-error.ts'
import type { BodyReader, ResponseHead } from '../transport/http.ts'
import { CENSORED, findMeantStatus, isAboutAccount, isTooLong } from './error-words.ts'
import { parseVendorError, readVendorError, toRejection } from './rejection.ts'
import type { VendorError } from './rejection.ts'

const MAX_ERROR_BYTES = 16_384
const MAX_RETRY_AFTER_S = 86_400

/** A model that the platform does not have: the models file is wrong, not the request. */
const UNKNOWN_MODEL = /^(?:the )?model\b[^.,{}]{0,80}\b(?:does not exist|not exist|not found)/i
/** Timeout, conflict, too early: a later request may succeed. */
const TEMPORARY_STATUSES = [408, 409, 425]

type ReportedError = {
  status: number | null
  detail: string
  error: VendorError
  retry_after?: number | null
}

/** Blames a reported error on the sender (with the platform's words), on the operator's account, or on a passing fault. */
function createUpstreamError({ status, detail, error, retry_after = null }: ReportedError): UpstreamError {
  const code = classifyError(status, detail, error)
  const isSenders = SENDERS_CODES.includes(code)
  // Moderation does not mean that the sender lacks a permission.
  const rejectedStatus = status === null || status === 403 ? 400 : status
  const errorWithCode = code === 'context_length_exceeded' ? { ...error, code } : error
  return new UpstreamError(code, detail, {
    retry_after,
    rejection: isSenders ? toRejection(rejectedStatus, errorWithCode) : null,
  })
}

const SENDERS_CODES: ErrorCode[] = ['request_rejected', 'content_rejected', 'context_length_exceeded']

function classifyError(status: number | null, detail: string, error: VendorError): ErrorCode {
  if (isAboutAccount(error)) return 'upstream_rejected'
  // Zhipu's address for coding plans and some relays report a long prompt with 429.
  if (status === 429 && isTooLong(`${error.code} ${error.message}`)) return 'context_length_exceeded'
  if (status === 429) return 'upstream_rate_limited'
  if (status === 529) return 'upstream_overloaded'
  if (status !== null && (status >= 500 || TEMPORARY_STATUSES.includes(status))) return 'upstream_failed'
  const words = `${error.code} ${error.message}`
  if (status === 403) return CENSORED.test(detail) ? 'content_rejected' : 'upstream_rejected'
  if (status === 404 && !isAboutRequest(error)) return 'upstream_rejected'
  if (status !== null && ![400, 404, 413, 422].includes(status)) return 'upstream_rejected'
  if (error.code === 'model_not_found' || UNKNOWN_MODEL.test(error.message)) return 'upstream_rejected'
  if (isTooLong(words)) return 'context_length_exceeded'
  if (CENSORED.test(words)) return 'content_rejected'
  return status === null ? 'upstream_failed' : 'request_rejected'
}

/** Tells whether a 404 is about something that the request names, such as a file, and not about the model or the address. */
const isAboutRequest = ({ code, param }: VendorError): boolean =>
  param !== null ? param !== 'model' : code !== null && !/^not_?found(_error)?$|model|endpoint/i.test(code)

/**
 * Finds the error that a server reports within a 200, in any spelling; null for anything else. Sources, read on 2026-11-28: vLLM
 * and SGLang (`object: "error"`), https://help.aliyun.com/zh/model-studio/error-code (code and message at the top),
 * https://platform.minimaxi.com/docs/api-reference/errorcode (`base_resp`), one-api and relays (`success: false`).
 */
export function findReportedError(event: JsonObject): unknown {
  if (event['error']) return event['error']
  const base = event['base_resp']
  const code = getField(base, 'status_code')
  if (typeof code === 'number' && code !== 0) return { code, message: getField(base, 'status_msg') }
  if (event['object'] === 'error' || event['success'] === false) return event
  if (ANSWER_FIELDS.some((name) => name in event)) return null
  const [first] = filterObjects(event['errors'])
  if (first) return first
  const message = event['message'] ?? event['msg'] ?? event['error_msg'] ?? event['detail']
  return message ? { ...event, message, code: event['code'] ?? event['error_code'] } : null
}

/** Every part of an answer has one of these fields, in any dialect. */
const ANSWER_FIELDS = [
  'choices',
  'candidates',
  'type',
  'usage',
  'usageMetadata',
  'promptFeedback',
  'data',
  'results',
  'text',
]

/** Converts an error that a server reports inside a 200. */
export function toUpstreamError(error: unknown): UpstreamError {
  const signals = ['code', 'type', 'status'].flatMap((name) => {
    const value = getField(error, name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : []
  })
  const status = signals.find((signal) => /^[45]\d\d$/.test(signal))
  const meant = findMeantStatus(signals)
  return createUpstreamError({
    status: status === undefined ? meant : Number(status),
    detail: JSON.stringify(error),
    error: readVendorError(error),
  })
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
    const retryAfter = parseRetryAfter(headers['retry-after'], Date.now()) ?? parseRetryDelay(text)
    return createUpstreamError({
      status,
      detail: `${status} ${text}`,
      error: parseVendorError(text),
      retry_after: retryAfter,
    })
  }
}

/** Cuts the detail to fit a log, and removes the key, since some servers repeat a key that they reject. */
export function redactKey({ code, detail, ...more }: UpstreamError, apiKey: string): UpstreamError {
  const redact = (text: string): string => (apiKey ? text.replaceAll(apiKey, '***') : text)
  const { retry_after } = more
  const rejection = more.rejection && { ...more.rejection, message: redact(more.rejection.message) }
  return new UpstreamError(code, redact(detail).slice(0, 500), { retry_after, rejection })
}

/** Google sends the delay in the body: `google.rpc.RetryInfo`, https://ai.google.dev/gemini-api/docs/troubleshooting. */
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
