import { UpstreamError } from '../chat.ts'
import type { ChatPart, JsonObject } from '../chat.ts'

/**
 * What an event of an answer says. Usage and finish may come at any time and more than once: the reader holds the last
 * ones back. After `end` nothing is read.
 */
export type Said = ChatPart | { type: 'end' }

export type Say = (said: Said) => void

/**
 * How a dialect hears one answer: each event in turn, with the text that it came as, or the one object of a server that
 * ignored the wish for a stream. Throws UpstreamError, after it has said what came before the fault.
 */
export type Hear = (event: JsonObject, say: Say, raw?: string) => void

export function isJson(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of an object; undefined where there is no object, or no such member. */
export function field(from: unknown, name: string): unknown {
  return isJson(from) ? from[name] : undefined
}

/** The objects of a list; none where it is no list. */
export function objects(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJson) : []
}

/** A text, or nothing. */
export function word(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function malformed(detail: string): UpstreamError {
  return new UpstreamError('upstream_malformed', detail)
}
