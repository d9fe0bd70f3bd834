import { getField } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { UpstreamError } from '../upstream-error.ts'
import type { Operation, OperationUnits, UsageReport } from './operation.ts'

/** Formats that are plain text, not JSON: https://platform.openai.com/docs/api-reference/audio/createTranscription. */
const AS_TEXT = ['text', 'srt', 'vtt']

/** Percent of the measured length that is held: as much as a platform may report. */
const HOLD_PERCENT = 110

type Recording = { file: File; duration_ms: number; fields: [name: string, value: string][] }

/** The text of a recording, priced by its length. `fields` are sent beside the file. */
export function createTranscriptionOperation({ file, duration_ms, fields }: Recording): Operation {
  const counted = toDurationUnits(duration_ms)
  // Platforms round up to whole seconds, count the padding of some formats, and may hear more than was measured here.
  const maxS = Math.ceil((duration_ms * HOLD_PERCENT) / 100 / 1000) + 1
  const format = fields.findLast(([name]) => name === 'response_format')?.[1] ?? 'json'
  return {
    path: '/audio/transcriptions',
    body: { form: [...fields, ['file', file]] },
    response_type: AS_TEXT.includes(format) ? 'bytes' : 'json',
    counted,
    max: toDurationUnits(maxS * 1000),
    parseUsage(answer) {
      if (typeof answer.text !== 'string') throw new UpstreamError('upstream_malformed', 'no text')
      return toDurationUsage(answer, maxS, counted)
    },
  }
}

/** Reads `usage.seconds`, or the `duration` of verbose_json, which some platforms send as a string. */
function toDurationUsage(answer: JsonObject, maxS: number, counted: OperationUnits): UsageReport {
  const reported = getField(answer.usage, 'seconds') ?? answer.duration
  if (reported === undefined || reported === null) return { used: counted, usage_source: 'counted' }
  const seconds = Number(reported)
  if (!(seconds > 0 && seconds <= maxS)) return { flagged: JSON.stringify(reported).slice(0, 200) }
  return { used: toDurationUnits(Math.ceil(seconds * 1000)), usage_source: 'upstream' }
}

const toDurationUnits = (ms: number): OperationUnits => ({ tokens: 0, units: ms, times: 1 })
