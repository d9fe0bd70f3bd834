import type { Place, Reading } from '#contract/readings.ts'
import type { Extraction, RebuiltDocument } from '#contract/translate/documents.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#server/core/app-error.ts'
import { isMachineFailure } from '#server/core/system-error.ts'
import { openInput, readAll } from '../reading/input.ts'
import type { DocumentSource, Input } from '../reading/input.ts'
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
    throw new AppError(codeOfFailure(error), { cause: error })
  }
}

/** The path was there when the job was given, and its modules when the server was started: without them it is cut short. */
const MISSING_CODES = ['ENOENT', 'ERR_MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']
/** V8's messages of a stack and a string that a file made larger than there may be, and Node's codes of buffers. */
const EXHAUSTION = /^(Maximum call stack size exceeded|Invalid string length)$/
const TOO_LARGE = /^ERR_(BUFFER_TOO_LARGE|STRING_TOO_LONG)$/

/**
 * Returns the code of an error that a parser threw. A file may hold anything: an error that is not the machine's is the file's
 * fault. A bomb is only what grew without end; reading beyond the end of a buffer, a wrong date or code point are damage.
 */
export function codeOfFailure(error: unknown): ErrorCode {
  if (!(error instanceof Error)) return 'document_damaged'
  const { code = '' } = error as NodeJS.ErrnoException
  if (MISSING_CODES.includes(code) || isMachineFailure(error)) return 'document_interrupted'
  if (EXHAUSTION.test(error.message) || TOO_LARGE.test(code)) return 'document_bomb'
  return error.message === 'Array buffer allocation failed' ? 'document_memory' : 'document_damaged'
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
  const { input, assertRead } = watchInput(openInput(source))
  try {
    const output = new Output(limits, context.onProgress)
    const document = { input, name, depth: 0, article, recognise: context.recognise }
    const format = pages ? await rereadInto(output, document, pages) : await readInto(output, document, type)
    assertRead()
    const end = output.end()
    // A scan has pages and slides, which can be read again from their pictures.
    if (output.isEmpty && !/^(page|slide)$/.test(end.report.unit)) throw new AppError('document_empty')
    return { format, ...end }
  } finally {
    input.close()
  }
}

/** Tells by `assertRead` of a failed read that a reader took for a fault of one part of the document, and left that part out. */
function watchInput(input: Input): { input: Input; assertRead: () => void } {
  let failure: unknown = null
  const read: Input['read'] = (offset, length) => {
    try {
      return input.read(offset, length)
    } catch (error) {
      if (isMachineFailure(error)) failure ??= error
      throw error
    }
  }
  const assertRead = (): void => {
    if (failure !== null) throw failure
  }
  return { input: { ...input, read }, assertRead }
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
