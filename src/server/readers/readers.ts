import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Piece, Place, Reading } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import type { DocumentSource } from './input.ts'
import type { PdfPages } from './formats/pdf/pages.ts'
import { openInput } from './input.ts'
import type { Job, ModuleJob, PictureJob, ReadingJob } from './job.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { ReadingLimits } from './limits.ts'
import type { Progress } from './output.ts'
import type { ChildMessage, ParentMessage } from './reading-process.ts'
import { MEMORY_SIGNAL } from './watchdog.ts'

export type { DocumentSource } from './input.ts'
export type { ReadingLimits } from './limits.ts'
export type { Progress } from './output.ts'

// For modules that extract the texts of documents and write documents again, within `runDocumentJob`.
export { decodeEntities, parseXml, scanXml } from './containers/xml.ts'
export type { XmlNode } from './containers/xml.ts'
export { findDirectory, openZip } from './containers/zip.ts'
export type { Zip, ZipEntry } from './containers/zip.ts'
export { findDelimiter, parseCsv } from './formats/csv.ts'
export { openPackage } from './formats/office/package.ts'
export type { OfficePackage } from './formats/office/package.ts'
export { readStyles } from './formats/office/styles.ts'
export type { WordStyles } from './formats/office/styles.ts'
export type { PageBlock } from './formats/pdf/page-text.ts'
export type { PdfPages } from './formats/pdf/pages.ts'
export { detectFormat } from './formats.ts'
export { openInput } from './input.ts'
export { DEFAULT_LIMITS } from './limits.ts'
export { identifyZip } from './read.ts'
export { decodeText } from './text/encoding.ts'
export { parseDocument } from './text/html.ts'

export type ReadingOptions = {
  /** Bytes in memory are copied once; a large document is better read from its path. */
  source: DocumentSource
  /** The file's name, whose extension tells formats of plain text apart. */
  name: string
  /** The media type that its sender gave it. */
  type?: string
  /** A web page is read as its article alone. */
  article?: boolean
  signal?: AbortSignal
  /** Called with each new part of the document, in order; after a failure these parts are all there is. */
  onProgress?: (progress: Progress) => void
  /** Reads pictures instead of the built-in OCR. An error that it throws ends the reading. */
  recognise?: Recognise
  limits?: Partial<ReadingLimits>
}

/** Returns the text of a picture, an upright PNG of at most 2,500 pixels a side, e.g. by a vision model. */
export type Recognise = (png: Uint8Array, place: Place, signal: AbortSignal) => Promise<string>

/**
 * Reads a document in a process of its own, which ends with it. Throws an `AppError` with a `document_…` code where there
 * is nothing to read or a limit ends it, and the signal's reason when it is aborted.
 */
export function readDocument(options: ReadingOptions): Promise<Reading> {
  return runReading(options)
}

/**
 * Reads pages of a PDF again from their pictures, e.g. those that a reading reported as blank or garbled. The result has these
 * pages alone. Throws `document_unsupported` for formats whose pages cannot be drawn.
 */
export function rereadPages(options: ReadingOptions, pages: number[]): Promise<Reading> {
  return runReading(options, pages)
}

/** A picture takes moments, so it gets less time than a document. */
const PICTURE_MS = 20_000

/**
 * Draws the middle of a picture anew as a WebP of `side` pixels a side, in a process of its own. Throws an `AppError` with a
 * `document_…` code for bytes that are no picture, and where a limit ends it.
 */
export function drawSquare(bytes: Uint8Array, side: number): Promise<Uint8Array> {
  const limits = { ...DEFAULT_LIMITS, total_ms: PICTURE_MS }
  return runProcess({ source: { bytes }, limits, side }, undefined, () => {}, undefined)
}

/** Writing an Office file of hundreds of pages holds its tree and its text in memory. */
const WRITING_MEMORY_MB = 1024
const WRITING_MS = 120_000

/**
 * Calls the function `run` of a module with a document's bytes and `input`, in a process of its own with limits of time and
 * memory; arguments and result are copied. Throws an `AppError` with a `document_…` code, or the signal's reason.
 */
export function runDocumentJob<Result>(options: {
  module: URL
  source: DocumentSource
  input: unknown
  signal?: AbortSignal | undefined
}): Promise<Result> {
  const { module, source, input, signal } = options
  const times = { total_ms: WRITING_MS, silent_ms: WRITING_MS }
  const limits = { ...DEFAULT_LIMITS, ...times, memory_mb: WRITING_MEMORY_MB }
  const job: ModuleJob = { source, limits, module: module.href, input }
  return runProcess(job, signal, () => {}, undefined) as Promise<Result>
}

/** Opens a PDF's pages, for modules that run within `runDocumentJob`. Throws `document_…`. */
export async function openPdfPages(bytes: Uint8Array): Promise<PdfPages> {
  const { openPages } = await import('./formats/pdf/pages.ts')
  return openPages(openInput({ bytes }))
}

async function runReading(options: ReadingOptions, pages?: number[]): Promise<Reading> {
  const { source, name, type, article = false, onProgress, recognise } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const more = { ...(type ? { type } : {}), ...(pages ? { pages } : {}) }
  const job: ReadingJob = { source, name, article, limits, hasRecogniser: recognise !== undefined, ...more }
  const pieces: Piece[] = []
  const collect = (progress: Progress): void => {
    for (const piece of progress.pieces) pieces.push(piece)
    onProgress?.(progress)
  }
  return { ...(await runProcess(job, options.signal, collect, recognise)), pieces }
}

/** Share of the process's memory that its heap may take; the rest is for buffers, pictures and the program itself. */
const HEAP_SHARE = 0.5
/** Time between two checks for a timeout. */
const WATCH_MS = 250

/** The child process may read files and load installed packages, but not write files or start processes; it gets no secret. */
const forkProcess = ({ memory_mb }: ReadingLimits): ChildProcess =>
  fork(new URL('./reading-process.ts', import.meta.url), {
    execArgv: [
      `--max-old-space-size=${Math.floor(memory_mb * HEAP_SHARE)}`,
      '--permission',
      '--allow-fs-read=*',
      '--allow-worker',
      '--allow-addons',
    ],
    env: process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {},
    serialization: 'advanced',
    // Messages that parsers print about broken files belong in no log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })

/** Signals of a process out of memory: V8 aborts the whole process when its heap is full, so a thread would not do. */
const MEMORY_SIGNALS = [MEMORY_SIGNAL, 'SIGABRT', 'SIGTRAP']
const ABORTED = 134

type JobResult<J extends Job> = J extends ModuleJob
  ? unknown
  : J extends PictureJob
    ? Uint8Array
    : Omit<Reading, 'pieces'>

async function runProcess<J extends Job>(
  job: J,
  signal: AbortSignal | undefined,
  onProgress: (progress: Progress) => void,
  recognise: Recognise | undefined,
): Promise<JobResult<J>> {
  signal?.throwIfAborted()
  const { limits } = job
  const child = forkProcess(limits)
  const result = Promise.withResolvers<JobResult<J>>()
  const fail = (error: unknown): void => result.reject(error)
  const startedAt = performance.now()
  let lastMessageAt = startedAt
  /** Aborted when the reading ends, however it does. */
  const endController = new AbortController()
  /** While a picture is with the caller, the process waits. */
  let isWithCaller = false
  let callerMs = 0
  const answer = async (png: Uint8Array, place: Place): Promise<void> => {
    isWithCaller = true
    const text = (await recognise?.(png, place, endController.signal)) ?? ''
    isWithCaller = false
    callerMs += performance.now() - lastMessageAt
    lastMessageAt = performance.now()
    if (child.connected) child.send({ text } satisfies ParentMessage)
  }
  const onMessage = (message: ChildMessage): void => {
    lastMessageAt = performance.now()
    if (message.kind === 'progress') onProgress(message.progress)
    else if (message.kind === 'picture') void answer(message.png, message.place).catch(fail)
    else if (message.kind === 'recognising') lastMessageAt += limits.recognition_ms
    else if (message.kind === 'done') result.resolve(message.result as JobResult<J>)
    else fail(new AppError(message.code, { cause: new Error(message.cause) }))
  }
  child.on('message', (message) => {
    // Messages may still arrive after the reading has ended.
    if (endController.signal.aborted) return
    try {
      onMessage(message as ChildMessage)
    } catch (error) {
      fail(error)
    }
  })
  child.on('error', (cause) => fail(new AppError('document_unreadable', { cause })))
  child.on('exit', (code, killedBy) => {
    const cause = new Error(`the reading's process ended with ${killedBy ?? code}`)
    const isMemory = (killedBy && MEMORY_SIGNALS.includes(killedBy)) || code === ABORTED
    fail(new AppError(isMemory ? 'document_memory' : 'document_unreadable', { cause }))
  })
  child.send({ job } satisfies ParentMessage)
  const maxMs = 'pages' in job && job.pages ? limits.recognition_ms * (job.pages.length + 1) : limits.total_ms
  const watch = setInterval(() => {
    const now = performance.now()
    if (!isWithCaller && (now - lastMessageAt > limits.silent_ms || now - startedAt - callerMs > maxMs)) {
      fail(new AppError('document_timeout'))
    }
  }, WATCH_MS)
  const onAbort = (): void => fail(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await result.promise
  } finally {
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
    endController.abort()
    child.kill('SIGKILL')
  }
}
