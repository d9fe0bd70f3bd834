import type { SettledRun } from '#server/runs/settle.ts'
import type { OperationOutput } from '#server/runs/operation-output.ts'

/**
 * Bytes of a work that are kept for its Idempotency-Key; a larger one is remembered, but not what it came to. Every one of
 * them is written in the transaction that settles runs, and lies in the database for a day.
 */
export const MAX_CACHED_BYTES = 8_000_000

type SerializedResult = Omit<SettledRun, 'made'> & {
  made?:
    | Extract<OperationOutput, { type: 'json' }>
    | { type: 'bytes'; media_type: string; base64: string | null }
}

/** An answer as text: bytes in base64. */
export function serializeResult({ made, ...ended }: SettledRun): string {
  if (made?.type === 'bytes') {
    const { type, media_type, bytes } = made
    return stringify({ ...ended, made: { type, media_type, base64: bytes && bytes.toString('base64') } })
  }
  const serialized = stringify({ ...ended, ...(made ? { made } : {}) })
  if (!made || serialized.length <= MAX_CACHED_BYTES) return serialized
  return stringify({ ...ended, made: { type: 'bytes', media_type: 'application/json', base64: null } })
}

/** What was packed. */
export function deserializeResult(text: string): SettledRun {
  const { made, ...ended } = JSON.parse(text) as SerializedResult
  if (made?.type !== 'bytes') return { ...ended, ...(made ? { made } : {}) }
  const { type, media_type, base64 } = made
  return {
    ...ended,
    made: { type, media_type, bytes: base64 === null ? null : Buffer.from(base64, 'base64') },
  }
}

const stringify = (ended: SerializedResult): string => JSON.stringify(ended)
