import type { Place, Reading } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import { openInput, readAll } from './input.ts'
import type { DocumentSource } from './input.ts'
import type { ReadingLimits } from './limits.ts'
import { Output } from './output.ts'
import type { Progress } from './output.ts'
import { readInto, rereadInto } from './read.ts'

export type Job = ReadingJob | PictureJob | ModuleJob

/** A picture that is to become a square of `side` points. */
export type PictureJob = { source: DocumentSource; limits: ReadingLimits; side: number }

/**
 * Work of another room on a document, which needs the limits of this process and is no reading: what the function `run` of a
 * module makes of the document's bytes and an input.
 */
export type ModuleJob = { source: DocumentSource; limits: ReadingLimits; module: string; input: unknown }

export type ReadingJob = {
  source: DocumentSource
  name: string
  type?: string
  article: boolean
  limits: ReadingLimits
  /** Pages to be read again from their pictures, instead of the document. */
  pages?: number[]
  /** Pictures are read by the parent, not by OCR in this process. */
  hasRecogniser: boolean
}

/** What a job needs of the process that it runs in. */
export type JobContext = {
  onProgress: (progress: Progress) => void
  /** The text of a picture, an upright PNG. */
  recognise: (png: Uint8Array, place: Place) => Promise<string>
}

/** Does a job in this process, with no limit of time or memory. Throws an `AppError` with a `document_…` code. */
export async function executeJob(job: Job, context: JobContext): Promise<unknown> {
  try {
    if ('side' in job) return await drawPicture(job)
    return 'module' in job ? await runModule(job) : await read(job, context)
  } catch (error) {
    if (error instanceof AppError) throw error
    // A file may be anything: what a parser trips over is the file's fault.
    throw new AppError(error instanceof RangeError ? 'document_bomb' : 'document_damaged', { cause: error })
  }
}

async function runModule({ source, limits, module, input }: ModuleJob): Promise<unknown> {
  const { run } = (await import(module)) as { run: (bytes: Buffer, input: unknown) => Promise<unknown> }
  const document = openInput(source)
  try {
    return await run(readAll(document, limits.whole_bytes), input)
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
  // Nothing is written on it: to look for the fonts of the machine would take half of its time.
  process.env.DISABLE_SYSTEM_FONTS_LOAD = '1'
  const { toSquareWebp } = await import('./recognition/picture.ts')
  const input = openInput(source)
  try {
    return await toSquareWebp(readAll(input, limits.whole_bytes), side)
  } finally {
    input.close()
  }
}
