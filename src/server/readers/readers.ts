import { Worker } from 'node:worker_threads'
import type { Piece, Place, Reading } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import type { DocumentSource } from './input.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { ReadingLimits } from './limits.ts'
import type { Progress } from './output.ts'
import type { Job, ParentMessage, WorkerMessage } from './worker.ts'

export type { DocumentSource } from './input.ts'
export type { ReadingLimits } from './limits.ts'
export type { Progress } from './output.ts'

export type ReadingOptions = {
  /** Bytes in memory are copied once; what is large is better read from its path. */
  source: DocumentSource
  /** The file's name, whose extension tells formats of plain text apart. */
  name: string
  /** The media type that its sender gave it. */
  type?: string
  /** Of web pages: the article alone. */
  article?: boolean
  signal?: AbortSignal
  /** Called with each new part of the document, in order; on failure these parts are what there is. */
  onProgress?: (progress: Progress) => void
  /** Reads pictures instead of the OCR that is built in. What it throws ends the reading. */
  recognise?: Recognise
  limits?: Partial<ReadingLimits>
}

/** The text of a picture, an upright PNG of at most 2,500 points a side, e.g. by a vision model. */
export type Recognise = (png: Uint8Array, place: Place, signal: AbortSignal) => Promise<string>

/**
 * Reads a document in a thread of its own, which ends with it. Throws an `AppError` with a `document_…` code where there
 * is nothing to read or a limit ends it, and the signal's reason when it is aborted.
 */
export function readDocument(options: ReadingOptions): Promise<Reading> {
  return runReading(options)
}

/**
 * Reads pages of a PDF again, each from its picture: those that a reading reported as blank or garbled. The reading that it
 * comes to has these pages alone. Throws `document_unsupported` for what has no pages that could be drawn.
 */
export function rereadPages(options: ReadingOptions, pages: number[]): Promise<Reading> {
  return runReading(options, pages)
}

async function runReading(options: ReadingOptions, pages?: number[]): Promise<Reading> {
  const { source, name, type, article = false, onProgress, recognise } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const more = { ...(type ? { type } : {}), ...(pages ? { pages } : {}) }
  const job: Job = { source, name, article, limits, hasRecogniser: recognise !== undefined, ...more }
  const pieces: Piece[] = []
  const collect = (progress: Progress): void => {
    for (const piece of progress.pieces) pieces.push(piece)
    onProgress?.(progress)
  }
  return { ...(await runWorker(job, options.signal, collect, recognise)), pieces }
}

/** Of the thread's memory, what its heap may be; the rest is for buffers, which the engine does not count. */
const HEAP_SHARE = 0.6
const YOUNG_HEAP_MB = 32
/** How often the thread's heap and buffers are measured, and its silence. */
const WATCH_MS = 250

async function runWorker(
  job: Job,
  signal: AbortSignal | undefined,
  onProgress: (progress: Progress) => void,
  recognise: Recognise | undefined,
): Promise<Omit<Reading, 'pieces'>> {
  signal?.throwIfAborted()
  const { limits } = job
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: job,
    // What a parser prints about a broken file is nobody's log.
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.floor(limits.memory_mb * HEAP_SHARE),
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
    },
  })
  const result = Promise.withResolvers<Omit<Reading, 'pieces'>>()
  const fail = (error: unknown): void => result.reject(error)
  const started_at = performance.now()
  let heard_at = started_at
  /** Aborted when the reading ends, however it does. */
  const ended = new AbortController()
  /** While a picture is with the caller, the thread waits. */
  let isAsked = false
  let asked_ms = 0
  const answer = async (png: Uint8Array, place: Place): Promise<void> => {
    isAsked = true
    const text = (await recognise?.(png, place, ended.signal)) ?? ''
    isAsked = false
    asked_ms += performance.now() - heard_at
    heard_at = performance.now()
    worker.postMessage({ text } satisfies ParentMessage)
  }
  worker.on('message', (message: WorkerMessage) => {
    heard_at = performance.now()
    if (message.kind === 'progress') {
      try {
        onProgress(message.progress)
      } catch (error) {
        fail(error)
      }
    } else if (message.kind === 'picture') void answer(message.png, message.place).catch(fail)
    else if (message.kind === 'recognising') heard_at += limits.recognition_ms
    else if (message.kind === 'done') result.resolve(message.reading)
    else fail(new AppError(message.code, { cause: new Error(message.cause) }))
  })
  worker.on('error', (cause: Error & { code?: string }) =>
    fail(
      new AppError(cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'document_memory' : 'document_damaged', {
        cause,
      }),
    ),
  )
  worker.on('exit', () => fail(new AppError('document_unreadable')))
  const watch = setInterval(() => {
    const now = performance.now()
    const max_ms = job.pages ? limits.recognition_ms * (job.pages.length + 1) : limits.total_ms
    if (!isAsked && (now - heard_at > limits.silent_ms || now - started_at - asked_ms > max_ms)) {
      fail(new AppError('document_timeout'))
    }
    void worker.getHeapStatistics().then(
      ({ used_heap_size, external_memory }) => {
        if (used_heap_size + external_memory > limits.memory_mb * 2 ** 20)
          fail(new AppError('document_memory'))
      },
      // It has ended.
      () => {},
    )
  }, WATCH_MS)
  const onAbort = (): void => fail(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await result.promise
  } finally {
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
    ended.abort()
    await worker.terminate()
  }
}
