import { uuidv7 } from 'uuidv7'

/** A new id: UUIDv7, so that rows sort by the moment they were made (RFC 9562 section 5.7). */
export const newId = (): string => uuidv7()

/** `2026-11-21`: a day begins at midnight in China, where the people are. */
export const dayInChina = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
