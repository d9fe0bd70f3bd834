import { getField } from '#server/core/json.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { UpstreamError } from '../upstream-error.ts'
import type { BodyReader, ResponseHead } from '../transport/http.ts'
import { parseVendorError, readVendorError, toRejection } from './rejection.ts'
import type { VendorError } from './rejection.ts'

const MAX_ERROR_BYTES = 16_384
const MAX_RETRY_AFTER_S = 86_400

/**
 * The house's account at the platform, reported with a status for bad requests or rate limits: Gemini's invalid key and
 * Bailian's Arrearage are 400, as is Anthropic's empty balance; OpenAI's insufficient_quota is 429.
 */
const ACCOUNT_CODE = /^(?:invalid_api_key|api_key_invalid|arrearage|insufficient_quota)$/i
/** These begin messages: further on a message may repeat what the sender wrote, who must not put a platform to rest. */
const ACCOUNT_MESSAGE = /^(?:API key not valid|Your credit balance is too low)/i
/** A model that the platform does not have: the models file is wrong, not the request. */
const UNKNOWN_MODEL = /^(?:the )?model\b[^.,{}]{0,80}\b(?:does not exist|not exist|not found)/i
/** More than the model can hold, in the words of the vendors and of the servers that people run. */
const TOO_LONG =
  /context_length_exceeded|context (?:length|window|size)|prompt is too long|input (?:token|length)[^.]{0,40}exceed|token count[^.]{0,30}exceeds|exceeded model token limit|range of input length|length of prompt_tokens|input is too long|^1261 |Prompt 超长/i
/** Moderation by the platform: OpenRouter reports it with 403. */
const CENSORED =
  /moderation|flagged|content_filter|content_policy|content management policy|data_?inspection|sensitive ?content|Content Exists Risk|inappropriate content|safety system|敏感/i
/** Of errors without a status, inside a 200: the status that their words stand for. */
const STATUS_WORDS: [RegExp, number][] = [
  [/api_key|authenticat/i, 401],
  [/rate_?limit|resource_exhausted/i, 429],
  [/overloaded/i, 529],
  [/billing_error|insufficient_(?:quota|balance)/i, 402],
  [/permission_/i, 403],
  [/not_found/i, 404],
  [/request_too_large/i, 413],
  [/^invalid_|failed_precondition/i, 400],
]
/** Timeout, conflict, too early: a later request may succeed. */
const TEMPORARY_STATUSES = [408, 409, 425]

type ReportedError = { status: number | null; detail: string; told: VendorError; retry_after?: number | null }

/** Whose fault a reported error is: the sender's (with what the platform says), the house's at the platform, or passing. */
function createUpstreamError({ status, detail, told, retry_after = null }: ReportedError): UpstreamError {
  const code = classifyError(status, detail, told)
  const isSenders = SENDERS_CODES.includes(code)
  // Moderation is no missing permission of the sender.
  const rejected_status = status === null || status === 403 ? 400 : status
  const named = code === 'context_length_exceeded' ? { ...told, code } : told
  return new UpstreamError(code, detail, {
    retry_after,
    rejection: isSenders ? toRejection(rejected_status, named) : null,
  })
}

const SENDERS_CODES: ErrorCode[] = ['request_rejected', 'content_rejected', 'context_length_exceeded']

function classifyError(status: number | null, detail: string, told: VendorError): ErrorCode {
  if ([told.code, told.type].some((word) => ACCOUNT_CODE.test(word ?? ''))) return 'upstream_rejected'
  if (ACCOUNT_MESSAGE.test(told.message)) return 'upstream_rejected'
  if (status === 429) return 'upstream_rate_limited'
  if (status === 529) return 'upstream_overloaded'
  if (status !== null && (status >= 500 || TEMPORARY_STATUSES.includes(status))) return 'upstream_failed'
  const words = `${told.code} ${told.message}`
  if (status === 403) return CENSORED.test(detail) ? 'content_rejected' : 'upstream_rejected'
  if (status === 404 && !isAboutRequest(told)) return 'upstream_rejected'
  if (status !== null && ![400, 404, 413, 422].includes(status)) return 'upstream_rejected'
  if (told.code === 'model_not_found' || UNKNOWN_MODEL.test(told.message)) return 'upstream_rejected'
  if (TOO_LONG.test(words)) return 'context_length_exceeded'
  if (CENSORED.test(words)) return 'content_rejected'
  return status === null ? 'upstream_failed' : 'request_rejected'
}

/** Whether a 404 is about something that the request names, a file for example, and not about the model or the address. */
const isAboutRequest = ({ code, param }: VendorError): boolean =>
  param !== null ? param !== 'model' : code !== null && !/^not_?found(_error)?$|model|endpoint/i.test(code)

/** An error that a server reports inside a 200. */
export function toUpstreamError(error: unknown): UpstreamError {
  const signals = ['code', 'type', 'status'].flatMap((name) => {
    const value = getField(error, name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : []
  })
  const status = signals.find((signal) => /^[45]\d\d$/.test(signal))
  const [, meant = null] = STATUS_WORDS.find(([words]) => signals.some((signal) => words.test(signal))) ?? []
  return createUpstreamError({
    status: status === undefined ? meant : Number(status),
    detail: JSON.stringify(error),
    told: readVendorError(error),
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
    const retry_after = parseRetryAfter(headers['retry-after'], Date.now()) ?? parseRetryDelay(text)
    return createUpstreamError({
      status,
      detail: `${status} ${text}`,
      told: parseVendorError(text),
      retry_after,
    })
  }
}

/** The error with a detail that fits a log, and without the key: some servers repeat the one that they reject. */
export function redactKey({ code, detail, ...more }: UpstreamError, api_key: string): UpstreamError {
  const redact = (text: string): string => (api_key ? text.replaceAll(api_key, '***') : text)
  const { retry_after } = more
  const rejection = more.rejection && { ...more.rejection, message: redact(more.rejection.message) }
  return new UpstreamError(code, redact(detail).slice(0, 500), { retry_after, rejection })
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
