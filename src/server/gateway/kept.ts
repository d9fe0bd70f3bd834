import type { Ended } from '../runs/finish.ts'
import type { Made } from '../runs/made.ts'

/**
 * Bytes of a work that are kept for its Idempotency-Key; a larger one is remembered, but not what it came to. Every one of
 * them is written in the transaction that settles runs, and lies in the database for a day.
 */
export const KEPT_BYTES = 8_000_000

type Packed = Omit<Ended, 'made'> & {
  made?: Extract<Made, { type: 'json' }> | { type: 'bytes'; media_type: string; base64: string | null }
}

/** An answer as text: bytes in base64. */
export function packed({ made, ...ended }: Ended): string {
  if (made?.type === 'bytes') {
    const { type, media_type, bytes } = made
    return write({ ...ended, made: { type, media_type, base64: bytes && bytes.toString('base64') } })
  }
  const whole = write({ ...ended, ...(made ? { made } : {}) })
  if (!made || whole.length <= KEPT_BYTES) return whole
  return write({ ...ended, made: { type: 'bytes', media_type: 'application/json', base64: null } })
}

/** What was packed. */
export function unpacked(text: string): Ended {
  const { made, ...ended } = JSON.parse(text) as Packed
  if (made?.type !== 'bytes') return { ...ended, ...(made ? { made } : {}) }
  const { type, media_type, base64 } = made
  return {
    ...ended,
    made: { type, media_type, bytes: base64 === null ? null : Buffer.from(base64, 'base64') },
  }
}

const write = (ended: Packed): string => JSON.stringify(ended)
