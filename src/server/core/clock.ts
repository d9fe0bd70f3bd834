import { getRandomValues } from 'node:crypto'
import { V7Generator } from 'uuidv7'

/** Random numbers are drawn many at a time: each draw is a call of the system's generator. */
const drawn = new Uint32Array(1024)
let used = drawn.length

function nextUint32(): number {
  if (used === drawn.length) {
    getRandomValues(drawn)
    used = 0
  }
  return drawn[used++]!
}

const ids = new V7Generator({ nextUint32 })

/** A new id: UUIDv7, so that rows sort by the moment they were made (RFC 9562 section 5.7). */
export const newId = (): string => ids.generate().toString()

/** `2026-11-21`: a day begins at midnight in China, where the people are. */
export const dayInChina = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
