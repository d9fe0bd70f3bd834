import { parentPort, workerData } from 'node:worker_threads'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Reading } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import { openInput } from './input.ts'
import type { DocumentSource } from './input.ts'
import type { ReadingLimits } from './limits.ts'
import { Output } from './output.ts'
import type { Progress } from './output.ts'
import { readInto } from './read.ts'

export type Job = {
  source: DocumentSource
  name: string
  type?: string
  article: boolean
  limits: ReadingLimits
}

export type WorkerMessage =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'done'; reading: Omit<Reading, 'pieces'> }
  | { kind: 'failed'; code: ErrorCode; cause: string }

const port = parentPort
if (!port) throw new Error('worker.ts runs in a worker thread only')
const send = (message: WorkerMessage): void => port.postMessage(message)

try {
  send({ kind: 'done', reading: await read(workerData as Job) })
} catch (error) {
  send({
    kind: 'failed',
    code: toCode(error),
    cause: String(error instanceof Error ? error.stack : error).slice(0, 2000),
  })
}

async function read({ source, name, type, article, limits }: Job): Promise<Omit<Reading, 'pieces'>> {
  const input = openInput(source)
  try {
    const output = new Output(limits, (progress) => send({ kind: 'progress', progress }))
    const format = await readInto(output, { input, name, depth: 0, article }, type)
    const end = output.end()
    // A scan has pages and slides, which can be read again from their pictures.
    if (output.isEmpty && !/^(page|slide)$/.test(end.report.unit)) throw new AppError('document_empty')
    return { format, ...end }
  } finally {
    input.close()
  }
}

/** A file may be anything: what a parser trips over is the file's fault. */
function toCode(error: unknown): ErrorCode {
  if (error instanceof AppError && error.code in errors) return error.code
  return error instanceof RangeError ? 'document_bomb' : 'document_damaged'
}
