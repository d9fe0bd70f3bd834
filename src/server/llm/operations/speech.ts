import type { JsonObject } from '#server/core/json.ts'
import { UpstreamError } from '../upstream-error.ts'
import type { Operation } from './operation.ts'

/** A text read aloud (https://platform.openai.com/docs/api-reference/audio/createSpeech), priced by its characters. */
export function createSpeechOperation(json: JsonObject & { input: string; voice?: unknown }): Operation {
  const counted = { tokens: 0, units: Array.from(json.input).length, times: 1 }
  return {
    path: '/audio/speech',
    body: { json },
    response_type: 'bytes',
    counted,
    max: counted,
    parseUsage() {
      throw new UpstreamError('upstream_malformed', 'JSON in place of sound')
    },
  }
}
