import type { Piece, Reading } from '#contract/readings.ts'
import type { Extraction, RebuiltDocument, TranslationMode } from '#contract/translate/documents.ts'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import type { DocumentSource } from './reading/input.ts'
import type { ReadingJob, RewritingJob } from './process/job.ts'
import { DEFAULT_LIMITS } from './process/limits.ts'
import type { ReadingLimits } from './process/limits.ts'
import type { Progress } from './reading/output.ts'
import { runProcess } from './process/run-process.ts'
import type { Recognise } from './process/run-process.ts'

export type { DocumentSource } from './reading/input.ts'
export type { ReadingLimits } from './process/limits.ts'
export type { Progress } from './reading/output.ts'
export type { Recognise } from './process/run-process.ts'

export { createRecordingMeter, getMinDuration } from './recordings/duration.ts'
export type { RecordingMeter } from './recordings/duration.ts'

// For imports of glossaries, which are tables as well.
export { findDelimiter, parseCsv } from './csv/read.ts'
// For texts beside documents that a model sees with the same tags.
export { escapeTags, matchTags, stripTags, unescapeTags } from './rewriting/tags.ts'
export { hasPlaceholders, showPlaceholders } from './rewriting/segment.ts'

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
  return runProcess({ source: { bytes }, limits, side })
}

/** Writing an Office file of hundreds of pages holds its tree and its text in memory. */
const REWRITING_LIMITS = { ...DEFAULT_LIMITS, total_ms: 120_000, silent_ms: 120_000, memory_mb: 1024 }

/**
 * Extracts the texts of a document, in its order, and the parts that are not translated, in a process of its own. The same bytes,
 * name and language always give the same numbers. Throws an `AppError` with a `document_…` code, or the signal's reason.
 */
export async function extractSegments(
  source: DocumentSource,
  name: string,
  signal?: AbortSignal,
  targetLang?: TargetLanguage,
): Promise<Extraction> {
  const rewriting = { name, target_lang: targetLang }
  const job: RewritingJob = { source, limits: REWRITING_LIMITS, rewriting }
  return (await runProcess(job, signal)) as Extraction
}

/**
 * Puts translations into a document, by the numbers of its segments; a segment without one, or with the same text, keeps every
 * byte. Throws as `extractSegments` does.
 */
export async function rebuildDocument(
  source: DocumentSource,
  name: string,
  translations: Map<number, string>,
  mode: TranslationMode,
  signal?: AbortSignal,
  targetLang?: TargetLanguage,
): Promise<RebuiltDocument> {
  const rewriting = { name, target_lang: targetLang, rebuild: { translations, mode } }
  return (await runProcess({ source, limits: REWRITING_LIMITS, rewriting }, signal)) as RebuiltDocument
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
