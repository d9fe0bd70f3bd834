import { Worker } from 'node:worker_threads'
import { AppError } from '#server/core/app-error.ts'

/** Longest time for one file, ms. The largest file takes a tenth of a second. */
const TIMEOUT_MS = 10_000
const MEMORY_MB = 64
/** Recordings that wait for their turn; beyond it a new one gets `overloaded`. */
const MAX_WAITING = 32
/** No recording has more bits a millisecond. */
const MAX_BITS_PER_MS = 25_000

/** The shortest that a recording of this size can be, known before it is read; whole ms from 1. */
export const getMinDuration = (bytes: number): number => Math.ceil((bytes * 8) / MAX_BITS_PER_MS)

export type RecordingMeter = ReturnType<typeof createRecordingMeter>

/**
 * Measures recordings, one after the other in one thread with bounded time and memory, since the sender of a file decides how
 * hard it is to read. The thread is started for the first of them, and again if it breaks down.
 */
export function createRecordingMeter() {
  let thread: Worker | null = null
  let pendingCount = 0
  let last: Promise<unknown> = Promise.resolve()

  const measureInThread = async (file: File): Promise<number | null> => {
    const bytes = await file.arrayBuffer()
    const worker = (thread ??= startThread())
    const measured = Promise.withResolvers<number | null>()
    const giveUp = (): void => {
      thread = null
      void worker.terminate()
      measured.resolve(null)
    }
    const timer = setTimeout(giveUp, TIMEOUT_MS)
    worker.once('message', measured.resolve).once('exit', giveUp)
    worker.postMessage(bytes, [bytes])
    const ms = await measured.promise
    clearTimeout(timer)
    worker.off('message', measured.resolve).off('exit', giveUp)
    return ms
  }

  return {
    /** The length of a recording, whole ms from 1; null when it cannot be read. Throws AppError overloaded. */
    async measure(file: File): Promise<number | null> {
      if (pendingCount >= MAX_WAITING) throw new AppError('overloaded', { retry_after: 1 })
      pendingCount += 1
      const measured = last.then(() => measureInThread(file))
      last = measured.catch(() => {})
      return measured.finally(() => (pendingCount -= 1))
    },
    async close(): Promise<void> {
      await thread?.terminate()
    },
  }
}

function startThread(): Worker {
  const worker = new Worker(new URL('./recording-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  // The connection of a waiting request keeps the process alive, so the thread need not.
  worker.unref()
  // An error is followed by the exit, which ends the wait.
  worker.on('error', () => {})
  return worker
}
