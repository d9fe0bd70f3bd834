import { UpstreamError } from '../chat.ts'
import type { ChatPart, JsonObject } from '../chat.ts'

/**
 * What an event of an answer says. Usage and finish may come at any time and more than once: the reader holds the last
 * ones back. After `end` nothing is read.
 */
export type StreamPart = ChatPart | { type: 'end' }

export type Emit = (part: StreamPart) => void

/**
 * How a dialect hears one answer: each event in turn, with the text that it came as, or the one object of a server that
 * ignored the wish for a stream. Throws UpstreamError, after it has said what came before the fault.
 */
export type StreamParser = (event: JsonObject, emit: Emit, raw?: string) => void

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of an object; undefined where there is no object, or no such member. */
export function getField(from: unknown, name: string): unknown {
  return isJsonObject(from) ? from[name] : undefined
}

/** The objects of a list; none where it is no list. */
export function filterObjects(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** A text, or nothing. */
export function asString(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function createMalformedError(detail: string): UpstreamError {
  return new UpstreamError('upstream_malformed', detail)
}
