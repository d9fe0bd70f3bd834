import type { JsonObject } from '#server/core/json.ts'
import { UpstreamError } from '../chat.ts'

/** Where a work is asked for, after a platform's `base_url`. */
export type OperationPath =
  | '/embeddings'
  | '/rerank'
  | '/images/generations'
  | '/audio/speech'
  | '/audio/transcriptions'

/**
 * What a work is priced by: tokens; or `units`, which are characters (speech) or milliseconds (transcription); and how
 * often the price of a call is paid: once, or for each picture.
 */
export type OperationUnits = { tokens: number; units: number; times: number }

/** What was used, and who says so. */
export type OperationUsage = { used: OperationUnits; usage_source: 'upstream' | 'counted' }

/** A call in OpenAI's shape that is no chat. */
export type Operation = {
  path: OperationPath
  /** Without `model`, which every platform names in its own way. */
  body: { json: JsonObject } | { form: [name: string, value: string | File][] }
  /** One JSON object, or bytes that are handed on as they come. */
  response_type: 'json' | 'bytes'
  /** What is billed where the platform reports nothing that can be true. */
  counted: OperationUnits
  /** What is held. */
  most: OperationUnits
  /**
   * Reads a JSON answer: what was used, or the report that cannot be true. Throws UpstreamError for an answer that is
   * not what was asked for.
   */
  parseUsage(answer: JsonObject): OperationUsage | { flagged: string }
}

/** What a platform says of a work, in order: its content first, then what it used, `finish` last. */
export type OperationPart =
  | { type: 'json'; answer: JsonObject }
  | { type: 'bytes'; bytes: Buffer; media_type: string }
  | ({ type: 'used' } & OperationUsage)
  /** It reported a usage that cannot be true: what was counted is billed, and the bill marked. */
  | { type: 'used_flagged'; detail: string }
  | { type: 'finish'; reason: string }

/** Tokenizers differ: the hold takes this much more than was estimated, in percent. */
const HOLD_MARGIN = 130

/** A work that is priced by tokens. */
export const toTokenPricing = (tokens: number): Pick<Operation, 'counted' | 'most'> => ({
  counted: { tokens, units: 0, times: 1 },
  most: { tokens: Math.ceil((tokens * HOLD_MARGIN) / 100), units: 0, times: 1 },
})

/** Tokens as a platform reported them; believed from 1 to `most`. What was counted, when it reported none. */
export function toTokenUsage(
  reported: unknown,
  max: number,
  counted: OperationUnits,
): OperationUsage | { flagged: string } {
  if (reported === undefined || reported === null) return { used: counted, usage_source: 'counted' }
  const believable =
    typeof reported === 'number' && Number.isInteger(reported) && reported > 0 && reported <= max
  if (!believable) return { flagged: JSON.stringify(reported).slice(0, 200) }
  return { used: { ...counted, tokens: reported }, usage_source: 'upstream' }
}

/** No tokenizer makes more tokens of a text than it has bytes, but for the few that it puts around it. */
export const getMaxTokens = (text: string): number => Buffer.byteLength(text) + 16

/** A list in an answer. Throws UpstreamError where it is missing, or has fewer entries than `least`. */
export function getList(answer: JsonObject, name: string, min: number): unknown[] {
  const list = answer[name]
  if (!Array.isArray(list)) throw new UpstreamError('upstream_malformed', `no list of ${name}`)
  if (list.length < min) throw new UpstreamError('upstream_empty', `${list.length} of ${min} ${name}`)
  return list
}
