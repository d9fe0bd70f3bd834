import { readDocument } from '#server/readers/readers.ts'
import type { ReadingOptions } from '#server/readers/readers.ts'
import type { Reading } from '#contract/readings.ts'

/** Reads a document that a test has made. */
export const read = (
  content: string | Uint8Array,
  name: string,
  options: Omit<Partial<ReadingOptions>, 'source' | 'name'> = {},
): Promise<Reading> =>
  readDocument({
    source: { bytes: typeof content === 'string' ? Buffer.from(content) : content },
    name,
    ...options,
  })

/** The whole text of a reading. */
export const textOf = (reading: Reading): string => reading.pieces.map(({ text }) => text).join('\n\n')
