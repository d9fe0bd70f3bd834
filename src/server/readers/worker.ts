import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { errors } from '#contract/errors.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Place, Reading } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import { openInput } from './input.ts'
import type { DocumentSource } from './input.ts'
import type { ReadingLimits } from './limits.ts'
import { Output } from './output.ts'
import type { Progress } from './output.ts'
import { readInto, rereadInto } from './read.ts'

export type Job = {
  source: DocumentSource
  name: string
  type?: string
  article: boolean
  limits: ReadingLimits
  /** Pages to be read again from their pictures, instead of the document. */
  pages?: number[]
  /** Pictures are read by the parent, not by OCR in this thread. */
  hasRecogniser: boolean
}

export type WorkerMessage =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'picture'; png: Uint8Array; place: Place }
  /** One picture takes longer than a page of text. */
  | { kind: 'recognising' }
  | { kind: 'done'; reading: Omit<Reading, 'pieces'> }
  | { kind: 'failed'; code: ErrorCode; cause: string }

/** What the parent answers to a picture: its text. */
export type ParentMessage = { text: string }

const port = parentPort
if (!port) throw new Error('worker.ts runs in a worker thread only')
const send = (message: WorkerMessage): void => port.postMessage(message)

// Of a broken file pdf.js leaves promises behind that nobody waits for; what is waited for says itself that it failed.
process.on('unhandledRejection', () => {})

try {
  send({ kind: 'done', reading: await read(workerData as Job) })
} catch (error) {
  send({
    kind: 'failed',
    code: toCode(error),
    cause: String(error instanceof Error ? error.stack : error).slice(0, 2000),
  })
}

async function read({
  source,
  name,
  type,
  article,
  limits,
  pages,
  hasRecogniser,
}: Job): Promise<Omit<Reading, 'pieces'>> {
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

async function recogniseHere(png: Uint8Array): Promise<string> {
  send({ kind: 'recognising' })
  const { recognisePng } = await import('./recognition/ocr.ts')
  return recognisePng(png)
}

/** One picture at a time: the reader waits for its text. */
async function askParent(png: Uint8Array, place: Place): Promise<string> {
  send({ kind: 'picture', png, place })
  const [{ text }] = (await once(port as NonNullable<typeof port>, 'message')) as [ParentMessage]
  return text
}

/** A file may be anything: what a parser trips over is the file's fault. */
function toCode(error: unknown): ErrorCode {
  if (error instanceof AppError && error.code in errors) return error.code
  return error instanceof RangeError ? 'document_bomb' : 'document_damaged'
}
