import { once } from 'node:events'
import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
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

export type ChildMessage =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'picture'; png: Uint8Array; place: Place }
  /** One picture takes longer than a page of text. */
  | { kind: 'recognising' }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; code: ErrorCode; cause: string }

/** The first message of the parent, and what it answers to a picture: its text. */
export type ParentMessage = { job: Job } | { text: string }

/** Readings leave the processor to whoever waits for an answer. */
const PRIORITY = 10

const send = (message: ChildMessage): void => void process.send?.(message)
const nextMessage = async (): Promise<ParentMessage> =>
  ((await once(process, 'message')) as [ParentMessage])[0]

// Of a broken file pdf.js leaves promises behind that nobody waits for; what is waited for says itself that it failed.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
setPriority(PRIORITY)

const first = await nextMessage()
if ('job' in first) await run(first.job)

async function run(job: Job): Promise<void> {
  const max_bytes = ('pages' in job ? job.limits.drawing_mb : job.limits.memory_mb) * 2 ** 20
  const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), {
    workerData: { max_bytes, parent: process.ppid },
  })
  watchdog.unref()
  try {
    send({ kind: 'done', result: await execute(job) })
  } catch (error) {
    const cause = String(error instanceof Error ? error.stack : error).slice(0, 2000)
    send({ kind: 'failed', code: toCode(error), cause })
  }
}

async function execute(job: Job): Promise<unknown> {
  if ('side' in job) return drawPicture(job)
  return 'module' in job ? runModule(job) : read(job)
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

async function read({
  source,
  name,
  type,
  article,
  limits,
  pages,
  hasRecogniser,
}: ReadingJob): Promise<Omit<Reading, 'pieces'>> {
  const input = openInput(source)
  try {
    const output = new Output(limits, (progress) => send({ kind: 'progress', progress }))
    const recognise = hasRecogniser ? askParent : recogniseHere
    const document = { input, name, depth: 0, article, recognise }
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
  const { toSquareWebp } = await import('./recognition/picture.ts')
  const input = openInput(source)
  try {
    return await toSquareWebp(readAll(input, limits.whole_bytes), side)
  } finally {
    input.close()
  }
}

async function recogniseHere(png: Uint8Array): Promise<string> {
  send({ kind: 'recognising' })
  const { recognisePng } = await import('./recognition/ocr.ts')
  return recognisePng(png)
}

/** One picture at a time: the reader waits for its text. */
async function askParent(png: Uint8Array, place: Place): Promise<string> {
  send({ kind: 'picture', png, place })
  const answer = await nextMessage()
  return 'text' in answer ? answer.text : ''
}

/** A file may be anything: what a parser trips over is the file's fault. */
function toCode(error: unknown): ErrorCode {
  if (error instanceof AppError && error.code in errors) return error.code
  return error instanceof RangeError ? 'document_bomb' : 'document_damaged'
}
