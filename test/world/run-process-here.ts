import { afterAll, beforeAll } from 'vitest'
import { executeJob } from '#server/formats/process/job.ts'
import type { JobContext } from '#server/formats/process/job.ts'
import { runProcess as runProcessApart } from '#server/formats/process/run-process.ts'
import { recognisePng } from '#server/formats/recognition/ocr.ts'

// Stands for the product's module of this name in the server's tests (see vitest.config.ts): a process for each document takes
// 0.45 s of CPU, most of what a test with files costs. The tests of readers, the faults, the journeys, and files that say so
// have the real one.

let isApart = false
let holding = Promise.resolve()

/** Gives a file or `describe` the real processes. */
export function useReadingProcesses(): void {
  beforeAll(() => void (isApart = true))
  afterAll(() => void (isApart = false))
}

/** Lets no document be read, rewritten or drawn until the function that it returns is called. */
export function holdDocuments(): () => void {
  const held = Promise.withResolvers<void>()
  holding = held.promise
  return held.resolve
}

export const runProcess: typeof runProcessApart = async (...args) => {
  if (isApart) return runProcessApart(...args)
  const [job, signal, onProgress, recognise] = args
  signal?.throwIfAborted()
  const ending = new AbortController()
  const failed = Promise.withResolvers<never>()
  const onAbort = (): void => failed.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const context: JobContext = {
    onProgress(progress) {
      if (!ending.signal.aborted) onProgress?.(structuredClone(progress))
    },
    recognise: (png, place) => recognise?.(png, place, ending.signal) ?? recognisePng(png),
  }
  const execute = async () => {
    await holding
    // Drawing a picture turns the machine's fonts off, which other tests write with.
    if ('side' in job) await import('@napi-rs/canvas')
    return structuredClone(await executeJob(structuredClone(job), context)) as never
  }
  try {
    return await Promise.race([execute(), failed.promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
    ending.abort()
  }
}
