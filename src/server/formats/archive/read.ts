import { AppError } from '#server/core/app-error.ts'
import type { Zip } from '../containers/zip.ts'
import type { Document } from '../detect-format.ts'
import type { Output } from '../reading/output.ts'
import type { SkipReason } from '#contract/readings.ts'

/** Reads a file that lies within another one, into its output. */
export type ReadWithin = (output: Output, document: Document, type?: string) => Promise<unknown>

/** Files that operating systems put beside a person's own. */
const HIDDEN = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i

/** Reads the files of an archive in turn; a file that cannot be read is reported, and the others are read. */
export async function readArchive(
  zip: Zip,
  output: Output,
  document: Document,
  readWithin: ReadWithin,
): Promise<void> {
  const entries = zip.entries.filter(({ name }) => !HIDDEN.test(name))
  output.begin('file', entries.length)
  for (const entry of entries) {
    await readAttachment(entry.name, () => zip.read(entry), output, document, readWithin)
    output.endUnit()
  }
}

const REASONS: Record<string, SkipReason> = {
  document_encrypted: 'encrypted',
  document_empty: 'empty',
  document_unsupported: 'unsupported',
  document_too_large: 'too_large',
  document_recording: 'recording',
}

/** Reads a file within an archive or a mail. Throws `document_bomb` only, which ends the whole reading. */
export async function readAttachment(
  name: string,
  getBytes: () => Buffer,
  output: Output,
  { depth }: Document,
  readWithin: ReadWithin,
  type?: string,
): Promise<void> {
  const within = output.within(name)
  if (depth >= output.limits.depth) return within.skip('limit', name)
  try {
    const bytes = getBytes()
    const input = {
      size: bytes.length,
      read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
      close: () => {},
    }
    await readWithin(within, { input, name, depth: depth + 1, article: false }, type)
    within.end()
  } catch (error) {
    if (error instanceof AppError && error.code === 'document_bomb') throw error
    within.skip((error instanceof AppError && REASONS[error.code]) || 'damaged', name)
  }
}
