import type { Place, Reading } from '#contract/readings.ts'
import type { Extraction, RebuiltDocument } from '#contract/translate/documents.ts'
import { AppError } from '#server/core/app-error.ts'
import { openInput, readAll } from '../reading/input.ts'
import type { DocumentSource } from '../reading/input.ts'
import type { ReadingLimits } from './limits.ts'
import { Output } from '../reading/output.ts'
import type { Progress } from '../reading/output.ts'
import { readInto, rereadInto } from '../read.ts'
import type { Rewriting } from '../rewrite.ts'

export type Job = ReadingJob | PictureJob | RewritingJob

/** A picture that is to become a square of `side` pixels. */
export type PictureJob = { source: DocumentSource; limits: ReadingLimits; side: number }

/** Extracts the texts of a document, or puts translations into it. */
export type RewritingJob = { source: DocumentSource; limits: ReadingLimits; rewriting: Rewriting }

export type ReadingJob = {
  source: DocumentSource
  name: string
  type?: string
  article: boolean
  limits: ReadingLimits
  /** Pages to read again from their pictures; nothing else of the document is read. */
  pages?: number[]
  /** Pictures are read by the parent, not by OCR in this process. */
  hasRecogniser: boolean
}

/** The callbacks that a job needs from its process. */
export type JobContext = {
  onProgress: (progress: Progress) => void
  /** Returns the text of a picture, an upright PNG. */
  recognise: (png: Uint8Array, place: Place) => Promise<string>
}

/** Runs a job in this process, with no limit of time or memory. Throws an `AppError` with a `document_…` code. */
export async function executeJob(job: Job, context: JobContext): Promise<unknown> {
  try {
    if ('side' in job) return await drawPicture(job)
    return 'rewriting' in job ? await rewrite(job) : await read(job, context)
  } catch (error) {
    if (error instanceof AppError) throw error
    // A file may hold anything: an error of its parser is the file's fault.
    throw new AppError(error instanceof RangeError ? 'document_bomb' : 'document_damaged', { cause: error })
  }
}

async function rewrite({ source, limits, rewriting }: RewritingJob): Promise<Extraction | RebuiltDocument> {
  const { rewriteDocument } = await import('../rewrite.ts')
  const document = openInput(source)
  try {
    return await rewriteDocument(readAll(document, limits.whole_bytes), rewriting)
  } finally {
    document.close()
  }
}

async function read(job: ReadingJob, context: JobContext): Promise<Omit<Reading, 'pieces'>> {
  const { source, name, type, article, limits, pages } = job
  const input = openInput(source)
  try {
    const output = new Output(limits, context.onProgress)
    const document = { input, name, depth: 0, article, recognise: context.recognise }
    const format = pages ? await rereadInto(output, document, pages) : await readInto(output, document, type)
    const end = output.end()
    // A scan has pages and slides, which can be read again from their pictures.
    if (output.isEmpty && !/^(page|slide)$/.test(end.report.unit)) throw new AppError('document_empty')
    return { format, ...end }
  } finally {
    input.close()
  }
}

async function drawPicture({ source, limits, side }: PictureJob): Promise<Uint8Array> {
  // The picture has no text, and a search for the machine's fonts would take half of the time.
  process.env.DISABLE_SYSTEM_FONTS_LOAD = '1'
  const { toSquareWebp } = await import('../recognition/picture.ts')
  const input = openInput(source)
  try {
    return await toSquareWebp(readAll(input, limits.whole_bytes), side)
  } finally {
    input.close()
  }
}
