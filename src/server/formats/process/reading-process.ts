import { once } from 'node:events'
import { setPriority } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ErrorCode } from '#contract/errors.ts'
import type { Place } from '#contract/readings.ts'
import type { AppError } from '#server/core/app-error.ts'
import { executeJob } from './job.ts'
import type { Job } from './job.ts'
import type { Progress } from '../reading/output.ts'

export type ChildMessage =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'picture'; png: Uint8Array; place: Place }
  /** One picture takes longer than a page of text. */
  | { kind: 'recognising' }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; code: ErrorCode; cause: string }

/** The parent's first message, the job, and its answer to a picture: the text. */
export type ParentMessage = { job: Job } | { text: string }

/** Niceness of the process: readings yield the processor to requests that people wait for. */
const PRIORITY = 10

const send = (message: ChildMessage): void => void process.send?.(message)
const nextMessage = async (): Promise<ParentMessage> =>
  ((await once(process, 'message')) as [ParentMessage])[0]

// For a broken file pdf.js leaves rejected promises that nobody awaits; an awaited one reports its failure itself.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
setPriority(PRIORITY)

const first = await nextMessage()
if ('job' in first) await run(first.job)

async function run(job: Job): Promise<void> {
  const maxBytes = ('pages' in job ? job.limits.drawing_mb : job.limits.memory_mb) * 2 ** 20
  // The source, or beside the built file the built one.
  const watchdog = new Worker(new URL(`./watchdog${extname(import.meta.url)}`, import.meta.url), {
    workerData: { max_bytes: maxBytes, parent: process.ppid },
  })
  watchdog.unref()
  const onProgress = (progress: Progress): void => send({ kind: 'progress', progress })
  const recognise = 'hasRecogniser' in job && job.hasRecogniser ? askParent : recogniseHere
  try {
    send({ kind: 'done', result: await executeJob(job, { onProgress, recognise }) })
  } catch (error) {
    send({ kind: 'failed', ...describe(error) })
  }
}

function describe(error: unknown): { code: ErrorCode; cause: string } {
  const { code, cause = error } = error as AppError
  return { code, cause: String(cause instanceof Error ? cause.stack : cause).slice(0, 2000) }
}

async function recogniseHere(png: Uint8Array): Promise<string> {
  send({ kind: 'recognising' })
  const { recognisePng } = await import('../recognition/ocr.ts')
  return recognisePng(png)
}

/** One picture at a time: the reader waits for its text. */
async function askParent(png: Uint8Array, place: Place): Promise<string> {
  send({ kind: 'picture', png, place })
  const answer = await nextMessage()
  return 'text' in answer ? answer.text : ''
}
