import type { Piece, Reading } from '#contract/readings.ts'
import { executeJob } from '#server/formats/process/job.ts'
import { DEFAULT_LIMITS } from '#server/formats/process/limits.ts'
import { readDocument } from '#server/formats/formats.ts'
import type { DocumentSource, ReadingLimits, ReadingOptions } from '#server/formats/formats.ts'

type Content = string | Uint8Array

const toSource = (content: Content): DocumentSource => ({
  bytes: typeof content === 'string' ? Buffer.from(content) : content,
})

/** Reads a test's document in this process: the surroundings of a reading have tests of their own. */
export async function read(
  content: Content,
  name: string,
  options: { article?: boolean; limits?: Partial<ReadingLimits> } = {},
): Promise<Reading> {
  const pieces: Piece[] = []
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const { article = false } = options
  const job = { source: toSource(content), name, article, limits, hasRecogniser: true }
  const result = await executeJob(job, {
    onProgress: (progress) => void pieces.push(...progress.pieces),
    recognise: () =>
      Promise.reject(new Error(`${name} has a picture, which is read in a process of its own`)),
  })
  return { ...(result as Omit<Reading, 'pieces'>), pieces }
}

/** Reads a test's document in a process of its own. */
export const readApart = (
  content: Content,
  name: string,
  options: Omit<Partial<ReadingOptions>, 'source' | 'name'> = {},
): Promise<Reading> => readDocument({ source: toSource(content), name, ...options })

/** Returns the whole text of a reading. */
export const textOf = (reading: Reading): string => reading.pieces.map(({ text }) => text).join('\n\n')
