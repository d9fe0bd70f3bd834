import type { JsonObject } from '#server/core/json.ts'
import { UpstreamError } from '../chat.ts'
import type { ChatPart } from '../chat.ts'

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

export function createMalformedError(detail: string): UpstreamError {
  return new UpstreamError('upstream_malformed', detail)
}
