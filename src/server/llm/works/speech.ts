import { UpstreamError } from '../chat.ts'
import type { JsonObject } from '../chat.ts'
import type { Work } from './work.ts'

/** A text read aloud (https://platform.openai.com/docs/api-reference/audio/createSpeech), priced by its characters. */
export function speechWork(json: JsonObject & { input: string; voice?: unknown }): Work {
  const counted = { tokens: 0, units: Array.from(json.input).length, times: 1 }
  return {
    path: '/audio/speech',
    body: { json },
    answer: 'bytes',
    counted,
    most: counted,
    measure() {
      throw new UpstreamError('upstream_malformed', 'JSON in place of sound')
    },
  }
}
