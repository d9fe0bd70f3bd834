import { getField } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { UpstreamError } from '../chat.ts'
import type { OperationUsage, Operation, OperationUnits } from './operation.ts'

/** Answers that are a text and no JSON: https://platform.openai.com/docs/api-reference/audio/createTranscription. */
const AS_TEXT = ['text', 'srt', 'vtt']

type Recording = { file: File; duration_ms: number; fields: [name: string, value: string][] }

/** What is said in a recording, priced by its length. `fields` are handed on beside the file. */
export function createTranscriptionOperation({ file, duration_ms, fields }: Recording): Operation {
  const counted = toDurationUnits(duration_ms)
  // Platforms round up to whole seconds, and read the padding of some formats as sound.
  const max_s = Math.ceil(duration_ms / 1000) + 1
  const format = fields.findLast(([name]) => name === 'response_format')?.[1] ?? 'json'
  return {
    path: '/audio/transcriptions',
    body: { form: [...fields, ['file', file]] },
    response_type: AS_TEXT.includes(format) ? 'bytes' : 'json',
    counted,
    most: toDurationUnits(max_s * 1000),
    parseUsage(answer) {
      if (typeof answer.text !== 'string') throw new UpstreamError('upstream_malformed', 'no text')
      return toDurationUsage(answer, max_s, counted)
    },
  }
}

/** `usage.seconds`, or the `duration` of verbose_json, which some send as text. */
function toDurationUsage(
  answer: JsonObject,
  max_s: number,
  counted: OperationUnits,
): OperationUsage | { flagged: string } {
  const reported = getField(answer.usage, 'seconds') ?? answer.duration
  if (reported === undefined || reported === null) return { used: counted, usage_source: 'counted' }
  const seconds = Number(reported)
  if (!(seconds > 0 && seconds <= max_s)) return { flagged: JSON.stringify(reported).slice(0, 200) }
  return { used: toDurationUnits(Math.ceil(seconds * 1000)), usage_source: 'upstream' }
}

const toDurationUnits = (ms: number): OperationUnits => ({ tokens: 0, units: ms, times: 1 })
