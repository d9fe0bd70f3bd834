import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Place, Reading } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Extraction, RebuiltDocument } from '#contract/translate/documents.ts'
import type { Job, PictureJob, RewritingJob } from './job.ts'
import type { ReadingLimits } from './limits.ts'
import type { Progress } from '../reading/output.ts'
import type { ChildMessage, ParentMessage } from './reading-process.ts'
import { MEMORY_SIGNAL } from './watchdog.ts'

/** Returns the text of a picture, an upright PNG of at most 2,500 pixels a side, e.g. by a vision model. */
export type Recognise = (png: Uint8Array, place: Place, signal: AbortSignal) => Promise<string>

/** Share of the process's memory that its heap may take; the rest is for buffers, pictures and the program itself. */
const HEAP_SHARE = 0.5
/** Time between two checks for a timeout. */
const WATCH_MS = 250

/** Built as `vite.reading.config.ts` says: it starts in a third of the time, since Node need not remove the types of its sources. */
const BUILT = resolve('dist/reading/reading-process.js')
/** Development changes the sources, which it does not build. */
const PROGRAM =
  existsSync(BUILT) && !process.env.VITE_DEV_URL
    ? BUILT
    : fileURLToPath(new URL('./reading-process.ts', import.meta.url))

/** The child process may read files and load installed packages, but not write files or start processes; it gets no secret. */
const forkProcess = ({ memory_mb }: ReadingLimits): ChildProcess =>
  fork(PROGRAM, {
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
/** Signals by which the machine or its operator ends a process, when memory runs out elsewhere or the server is stopped. */
const STOP_SIGNALS = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']

type JobResult<J extends Job> = J extends RewritingJob
  ? Extraction | RebuiltDocument
  : J extends PictureJob
    ? Uint8Array
    : Omit<Reading, 'pieces'>

/**
 * Runs a job in a process of its own with limits of time and memory. Throws an `AppError` with a `document_…` code, or the signal's
 * reason.
 */
export async function runProcess<J extends Job>(
  job: J,
  signal?: AbortSignal,
  onProgress: (progress: Progress) => void = () => {},
  recognise?: Recognise,
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
  // The machine had no room for the process, or lost it.
  child.on('error', (cause) => fail(new AppError('document_interrupted', { cause })))
  child.on('exit', (code, killedBy) => {
    const cause = new Error(`the reading's process ended with ${killedBy ?? code}`)
    const isMemory = (killedBy && MEMORY_SIGNALS.includes(killedBy)) || code === ABORTED
    const isStopped = killedBy && STOP_SIGNALS.includes(killedBy)
    const failure = isStopped ? 'document_interrupted' : 'document_unreadable'
    fail(new AppError(isMemory ? 'document_memory' : failure, { cause }))
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
