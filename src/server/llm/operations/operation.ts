import type { JsonObject } from '#server/core/json.ts'
import { UpstreamError } from '../upstream-error.ts'

/** The endpoint of an operation, after a platform's `base_url`. */
type OperationPath =
  | '/embeddings'
  | '/rerank'
  | '/images/generations'
  | '/audio/speech'
  | '/audio/transcriptions'

/**
 * The amounts that an operation is priced by: tokens; or `units`, which are characters (speech) or milliseconds (transcription);
 * and `times`, how often the price of a call is charged: once, or for each image, whose price may depend on `picture`.
 */
export type OperationUnits = {
  tokens: number
  units: number
  times: number
  picture?: { size?: string; quality?: string }
  /** Tokens of the pictures that were made, for platforms that price them so. */
  picture_tokens?: number
}

/** The amounts that were used, and who counted them. */
export type OperationUsage = { used: OperationUnits; usage_source: 'upstream' | 'counted' }
/** `flagged`: a reported usage that cannot be true, as text. */
export type UsageReport = OperationUsage | { flagged: string }

/** A call in OpenAI's format other than chat. */
export type Operation = {
  path: OperationPath
  /** Without `model`, whose name differs by platform. */
  body: { json: JsonObject } | { form: [name: string, value: string | File][] }
  /** One JSON object, or bytes that are emitted as they come. */
  response_type: 'json' | 'bytes'
  /** Billed where the platform reports no usage that can be true. */
  counted: OperationUnits
  /** Held before the call. */
  max: OperationUnits
  /** Reads the usage of a JSON response. Throws UpstreamError for a response that lacks what was requested. */
  parseUsage(answer: JsonObject): UsageReport
  /** Cuts a call with several inputs for platforms that take no more than `max` of them at a time, and joins the answers. */
  batches?: { split: (max: number) => JsonObject[]; join: (answers: JsonObject[]) => JsonObject }
  /** Removes results that were not requested, and are not paid, from a response. */
  trimAnswer?: (answer: JsonObject) => JsonObject
}

/** A part of an operation's response, in order: its content first, then its usage, `finish` last. */
export type OperationPart =
  | { type: 'json'; answer: JsonObject }
  | { type: 'bytes'; bytes: Buffer; media_type: string }
  | ({ type: 'operation_usage' } & OperationUsage)
  /** The platform reported a usage that cannot be true: the counted one is billed, and the bill marked. */
  | { type: 'usage_flagged'; detail: string }
  | { type: 'finish'; reason: string }

/** Tokenizers differ: the hold is this percentage of the estimate. */
const HOLD_PERCENT = 130

/** The pricing of an operation that is priced by tokens. */
export const toTokenPricing = (tokens: number): Pick<Operation, 'counted' | 'max'> => ({
  counted: { tokens, units: 0, times: 1 },
  max: { tokens: Math.ceil((tokens * HOLD_PERCENT) / 100), units: 0, times: 1 },
})

/** Tokens as a platform reported them, valid from 1 to `max`; the counted ones, when it reported none. */
export function toTokenUsage(reported: unknown, max: number, counted: OperationUnits): UsageReport {
  if (reported === undefined || reported === null) return { used: counted, usage_source: 'counted' }
  const isValid =
    typeof reported === 'number' && Number.isInteger(reported) && reported > 0 && reported <= max
  if (!isValid) return { flagged: JSON.stringify(reported).slice(0, 200) }
  return { used: { ...counted, tokens: reported }, usage_source: 'upstream' }
}

/** No tokenizer makes more tokens of a text than it has bytes, plus a few special ones. */
export const getMaxTokens = (text: string): number => Buffer.byteLength(text) + 16

/** A list in a response. Throws UpstreamError where it is missing, or has fewer than `min` entries. */
export function getList(answer: JsonObject, name: string, min: number): unknown[] {
  const list = answer[name]
  if (!Array.isArray(list)) throw new UpstreamError('upstream_malformed', `no list of ${name}`)
  if (list.length < min) throw new UpstreamError('upstream_empty', `${list.length} of ${min} ${name}`)
  return list
}
