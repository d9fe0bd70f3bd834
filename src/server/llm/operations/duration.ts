import { Worker } from 'node:worker_threads'

/** A file of 25 MB that has to be read whole takes a third of a second. */
const TIMEOUT_MS = 10_000
/** A day: more than the largest file can hold. */
const MAX_RECORDING_MS = 86_400_000
const MEMORY_MB = 256
/** No recording has more bits a millisecond: with more, it claims to be shorter than it is. */
const MAX_BITS_PER_MS = 25_000

/**
 * The length of a recording, whole ms from 1; null when it cannot be read. In a thread of its own with bounded time and
 * memory, since the sender of the file decides how hard it is to read.
 */
export async function measureDuration(file: File): Promise<number | null> {
  const bytes = await file.arrayBuffer()
  const min_ms = (file.size * 8) / MAX_BITS_PER_MS
  const worker = new Worker(new URL('./duration-worker.ts', import.meta.url), {
    workerData: bytes,
    transferList: [bytes],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const read = Promise.withResolvers<number | null>()
  const timer = setTimeout(() => read.resolve(null), TIMEOUT_MS)
  worker.once('message', (seconds: unknown) => {
    const ms = typeof seconds === 'number' ? Math.ceil(seconds * 1000) : 0
    read.resolve(ms > 0 && ms >= min_ms && ms <= MAX_RECORDING_MS ? ms : null)
  })
  worker.once('error', () => read.resolve(null))
  worker.once('exit', () => read.resolve(null))
  try {
    return await read.promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
