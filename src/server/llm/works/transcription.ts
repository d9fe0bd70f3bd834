import { UpstreamError } from '../chat.ts'
import type { JsonObject } from '../chat.ts'
import { field } from '../dialects/event.ts'
import type { Used, Work, WorkUnits } from './work.ts'

/** Answers that are a text and no JSON: https://platform.openai.com/docs/api-reference/audio/createTranscription. */
const AS_TEXT = ['text', 'srt', 'vtt']

type Recording = { file: File; duration_ms: number; fields: [name: string, value: string][] }

/** What is said in a recording, priced by its length. `fields` are handed on beside the file. */
export function transcriptionWork({ file, duration_ms, fields }: Recording): Work {
  const counted = ofLength(duration_ms)
  // Platforms round up to whole seconds, and read the padding of some formats as sound.
  const most_s = Math.ceil(duration_ms / 1000) + 1
  const format = fields.findLast(([name]) => name === 'response_format')?.[1] ?? 'json'
  return {
    path: '/audio/transcriptions',
    body: { form: [...fields, ['file', file]] },
    answer: AS_TEXT.includes(format) ? 'bytes' : 'json',
    counted,
    most: ofLength(most_s * 1000),
    measure(answer) {
      if (typeof answer.text !== 'string') throw new UpstreamError('upstream_malformed', 'no text')
      return lengthUsed(answer, most_s, counted)
    },
  }
}

/** `usage.seconds`, or the `duration` of verbose_json, which some send as text. */
function lengthUsed(answer: JsonObject, most_s: number, counted: WorkUnits): Used | { flagged: string } {
  const reported = field(answer.usage, 'seconds') ?? answer.duration
  if (reported === undefined || reported === null) return { used: counted, usage_source: 'counted' }
  const seconds = Number(reported)
  if (!(seconds > 0 && seconds <= most_s)) return { flagged: JSON.stringify(reported).slice(0, 200) }
  return { used: ofLength(Math.ceil(seconds * 1000)), usage_source: 'upstream' }
}

const ofLength = (ms: number): WorkUnits => ({ tokens: 0, units: ms, times: 1 })
