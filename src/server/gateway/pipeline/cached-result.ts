import type { OperationOutput } from '#server/runs/operation-output.ts'
import type { SettledRun } from '#server/runs/settle.ts'

/**
 * Bytes of an operation's output that are kept for its Idempotency-Key; of a larger one only the fact. All of them are
 * written in the transaction that settles runs, and lie in the database for a day.
 */
export const MAX_CACHED_BYTES = 8_000_000

/** A settled run as it lies in the database, where results of earlier versions must stay readable: its names are fixed. */
type StoredResult = Omit<SettledRun, 'made'> & {
  made?:
    | Extract<OperationOutput, { type: 'json' }>
    | { type: 'bytes'; media_type: string; base64: string | null }
}

/** A result as text; bytes are base64. */
export function serializeResult({ made, ...settled }: SettledRun): string {
  if (made?.type === 'bytes') {
    const { type, media_type, bytes } = made
    return stringify({ ...settled, made: { type, media_type, base64: bytes && bytes.toString('base64') } })
  }
  const serialized = stringify({ ...settled, ...(made ? { made } : {}) })
  if (!made || serialized.length <= MAX_CACHED_BYTES) return serialized
  return stringify({ ...settled, made: { type: 'bytes', media_type: 'application/json', base64: null } })
}

export function deserializeResult(text: string): SettledRun {
  const { made, ...settled } = JSON.parse(text) as StoredResult
  if (made?.type !== 'bytes') return { ...settled, ...(made ? { made } : {}) }
  const { type, media_type, base64 } = made
  return {
    ...settled,
    made: { type, media_type, bytes: base64 === null ? null : Buffer.from(base64, 'base64') },
  }
}

const stringify = (result: StoredResult): string => JSON.stringify(result)
