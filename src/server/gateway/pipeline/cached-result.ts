import type { OperationOutput, RunResult, SettledRun } from '#server/runs/runs.ts'

/**
 * Bytes of an operation's output, and of an answer's pictures, that are kept for its Idempotency-Key. A larger output is only
 * noted, larger pictures are dropped. Everything kept is written in the transaction that settles runs, and lies in the database
 * for a day.
 */
export const MAX_CACHED_BYTES = 8_000_000

/** The source of a response: the result of a run that was just settled, or a cached one. */
export type CachedResult = Pick<
  RunResult,
  | 'state'
  | 'code'
  | 'retry_after'
  | 'rejection'
  | 'text'
  | 'response'
  | 'operation_output'
  | 'metered'
  | 'note'
>

/**
 * A result as it lies in the database, for days. Other versions of the program write and read such rows too, so these names stay.
 * Bytes are base64.
 */
type StoredResult = {
  run_id: string
  subject_id: string
  outcome: Pick<RunResult, 'state' | 'code' | 'retry_after' | 'rejection' | 'text'>
  said: Omit<RunResult['response'], 'reasoning_blocks'> & {
    thoughts?: RunResult['response']['reasoning_blocks']
  }
  produced: boolean
  metered: RunResult['metered']
  note?: RunResult['note']
  made?:
    | Extract<OperationOutput, { type: 'json' }>
    | { type: 'bytes'; media_type: string; base64: string | null }
}

export function serializeResult({ run_id, subject_id, result }: SettledRun): string {
  const { state, code, retry_after, rejection, text, response, billable, metered, note, operation_output } =
    result
  const { reasoning_blocks: thoughts, pictures, ...texts } = response
  const isKept = pictures && sumLengths(pictures) <= MAX_CACHED_BYTES
  const storedResponse = isKept ? { ...texts, pictures } : texts
  const storedResult: StoredResult = {
    run_id,
    subject_id,
    outcome: { state, code, retry_after, rejection, text },
    said: { ...storedResponse, thoughts },
    produced: billable,
    metered,
    note,
  }
  if (operation_output?.type !== 'json')
    return JSON.stringify({ ...storedResult, made: operation_output && encodeBytes(operation_output) })
  const serialized = JSON.stringify({ ...storedResult, made: operation_output })
  if (serialized.length <= MAX_CACHED_BYTES) return serialized
  return JSON.stringify({
    ...storedResult,
    made: { type: 'bytes', media_type: 'application/json', base64: null },
  })
}

const sumLengths = (texts: string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

export function deserializeResult(text: string): CachedResult {
  const { outcome, said, metered, note, made } = JSON.parse(text) as StoredResult
  const { thoughts, ...response } = said
  return {
    ...outcome,
    response: { ...response, ...(thoughts ? { reasoning_blocks: thoughts } : {}) },
    metered,
    ...(note ? { note } : {}),
    ...(made ? { operation_output: made.type === 'json' ? made : decodeBytes(made) } : {}),
  }
}

type StoredBytes = Extract<StoredResult['made'], { type: 'bytes' }>
type OutputBytes = Extract<OperationOutput, { type: 'bytes' }>

const encodeBytes = ({ type, media_type, bytes }: OutputBytes): StoredBytes => ({
  type,
  media_type,
  base64: bytes && bytes.toString('base64'),
})

const decodeBytes = ({ type, media_type, base64 }: StoredBytes): OutputBytes => ({
  type,
  media_type,
  bytes: base64 === null ? null : Buffer.from(base64, 'base64'),
})
