import { z } from 'zod'
import { ZHIKU } from '#contract/chatbot.ts'
import type { Piece, Reading, ReadingReport } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Files } from '#server/files/files.ts'
import type { Knowledge } from '#server/documents/knowledge/knowledge.ts'
import { readDocument, rereadPages } from '#server/formats/formats.ts'
import type { Progress, ReadingOptions } from '#server/formats/formats.ts'
import type { TaskExecution, TaskKind } from '#server/tasks/tasks.ts'
import { createRecogniser } from './recognition.ts'
import type { Recogniser } from './recognition.ts'
import * as store from './store.ts'
import type { BlockRow, StoredBlock } from './store.ts'
import { isRecording, transcribe } from './transcription.ts'
import type { TranscriptionDeps } from './transcription.ts'

const readingPayload = z.object({
  user_id: z.uuid(),
  block_id: z.uuid(),
  /** Pages of a block that was read, which are read again, and no others. */
  pages: z.array(z.int()).optional(),
  /** Model that reads pictures; without it the OCR of the server does. */
  model: z.string().optional(),
  /** The block is found by its words alone: its owner has no coins. */
  words_only: z.boolean().optional(),
})
export type ReadingPayload = z.output<typeof readingPayload>
type Deps = TranscriptionDeps & { db: Db; files: Files; knowledge: Knowledge }

type BlockReading = {
  db: Db
  block: StoredBlock
  task: TaskExecution<ReadingPayload>
  recogniser: Recogniser | null
  options: ReadingOptions
}

/**
 * The kind of task that reads a block. Pieces are stored while the rest is being read; an execution after one that died reads
 * again and stores only missing pieces, since a reading always finds the same ones.
 */
export const createReading = ({ db, files, knowledge, ...models }: Deps): TaskKind<ReadingPayload> => ({
  kind: 'reading',
  payload: readingPayload,

  async execute(task) {
    const { user_id, block_id, pages, model } = task.payload
    const block = await store.findBlock(db, user_id, block_id)
    // The block was deleted meanwhile.
    if (!block) return
    await db.transaction(async (tx) => {
      // Throws where the task was deleted by now: it has ended for its block.
      await task.saveProgress(tx, { done: task.done, total: null })
      await store.updateBlock(tx, user_id, block_id, { status: 1 })
    })
    const recogniser = model === undefined ? null : createRecogniser(models, task, model)
    const { path, remove } = await files.download(block, task.signal)
    try {
      if (isRecording(block)) {
        const cost = block.pieces ? 0n : await transcribe(models, block, path, task)
        await db.transaction(async (tx) => {
          await task.saveProgress(tx, { done: 1, total: 1, cost })
          await store.updateBlock(tx, user_id, block_id, TRANSCRIPT)
        })
        return
      }
      const options: ReadingOptions = {
        source: { path },
        name: block.name,
        type: block.type,
        article: block.link !== null,
        signal: task.signal,
        ...(recogniser ? { recognise: recogniser.recognise } : {}),
      }
      const reading = { db, block, task, recogniser, options }
      await (pages ? readPagesAgain(reading, pages) : readWhole(reading))
    } finally {
      await remove()
    }
  },

  async onRetry(tx, { user_id, block_id }, { task_id }) {
    const block = await store.findBlock(tx, user_id, block_id)
    const isWaiting = block?.task_id === task_id && (await store.beginReading(tx, block, task_id))
    if (!isWaiting) throw new AppError('task_superseded')
  },

  async readResult({ user_id }, { block_id }) {
    const block = await store.findBlock(db, user_id, block_id)
    return block ? { kind: 'reading', block: block_id } : null
  },

  async onEnd(tx, { user_id, block_id, pages, words_only }, { state, code }, owner) {
    const failure = state === 'cancelled' ? 'block_cancelled' : code === 'internal' ? 'block_failed' : code
    // The text that was read before stays good, whatever became of single pages.
    const status = state === 'done' || pages ? 2 : 3
    await store.updateBlock(tx, user_id, block_id, { status, code: state === 'done' ? null : failure })
    const block = status === 2 ? await store.findBlock(tx, user_id, block_id) : undefined
    if (block?.channel === ZHIKU)
      await knowledge.index(tx, owner, { document_id: block_id, title: block.name, words_only })
  },
})

/** Format and report of a recording, which is read as a whole or not at all. */
const TRANSCRIPT: Pick<BlockRow, 'format' | 'report'> = {
  format: 'recording',
  report: {
    unit: 'file',
    total: 1,
    read: 1,
    blank: [],
    garbled: [],
    recognised: [1],
    garble: 0,
    skipped: [],
  },
}

async function readWhole(reading: BlockReading): Promise<void> {
  const { db, block } = reading
  const { format, report, title } = await readBlock(reading)
  const name = block.link !== null && title ? title.slice(0, 255) : block.name
  await store.updateBlock(db, block.user_id, block.id, { format, report, name })
}

async function readBlock({ db, block, task, recogniser, options }: BlockReading): Promise<Reading> {
  const failure = new AbortController()
  const signal = AbortSignal.any([task.signal, failure.signal])
  let storedCount = block.pieces
  let seenCount = 0
  const save = async ({ pieces, done, total }: Progress): Promise<void> => {
    const fresh = takeFresh(pieces, seenCount, storedCount)
    seenCount += pieces.length
    const cost = recogniser?.takeCost() ?? 0n
    await db.transaction(async (tx) => {
      await task.saveProgress(tx, { done, total: total || null, cost })
      await store.insertPieces(tx, block, storedCount + 1, fresh)
    })
    storedCount += fresh.length
  }
  let saving = Promise.resolve()
  const onProgress = (progress: Progress): void => {
    // Saved in their order, one after the other; the first failure ends the reading.
    saving = saving.then(() => save(progress))
    saving.catch((error: unknown) => failure.abort(error))
  }
  try {
    return await readDocument({ ...options, signal, onProgress })
  } finally {
    await saving.catch(() => {})
    failure.signal.throwIfAborted()
  }
}

/** Returns the pieces behind a document's first `storedCount`, out of some that follow its first `seenCount`. */
const takeFresh = (pieces: Piece[], seenCount: number, storedCount: number): Piece[] =>
  pieces.slice(Math.max(0, storedCount - seenCount))

/** Reads pages again, one after the other: the result of each is stored before the next, so that none is paid for twice. */
async function readPagesAgain(
  { db, block, task, recogniser, options }: BlockReading,
  pages: number[],
): Promise<void> {
  const sortedPages = [...new Set(pages)].sort((a, b) => a - b)
  for (const [at, page] of sortedPages.entries()) {
    if (at < task.done) continue
    const reading = await rereadPages(options, [page])
    const cost = recogniser?.takeCost() ?? 0n
    await db.transaction(async (tx) => {
      await task.saveProgress(tx, { done: at + 1, total: sortedPages.length, cost })
      const current = await store.findBlock(tx, block.user_id, block.id)
      // The block was deleted meanwhile.
      if (!current) return
      const pieces = await store.listPieces(tx, block, { after: 0, size: Number.MAX_SAFE_INTEGER })
      await store.replacePieces(tx, block, replacePage(pieces, page, reading.pieces))
      const report = current.report && mergeReport(current.report, page, reading.report)
      await store.updateBlock(tx, block.user_id, block.id, { report })
    })
  }
}

/** Returns a document's pieces with those of one page replaced. A page that was read without text keeps its former ones. */
export function replacePage(pieces: Piece[], page: number, newPieces: Piece[]): Piece[] {
  if (!newPieces.length) return pieces
  const others = pieces.filter(({ place }) => place.page !== page)
  const before = others.findIndex(({ place }) => (place.page ?? 0) > page)
  return others.toSpliced(before < 0 ? others.length : before, 0, ...newPieces)
}

function mergeReport(report: ReadingReport, page: number, pageReport: ReadingReport): ReadingReport {
  const change = (list: number[], newNumbers: number[]): number[] =>
    [...new Set([...list.filter((number) => number !== page), ...newNumbers])].sort((a, b) => a - b)
  if (pageReport.blank.includes(page)) return report
  return {
    ...report,
    blank: change(report.blank, []),
    garbled: change(report.garbled, pageReport.garbled),
    recognised: change(report.recognised, pageReport.recognised),
  }
}

/** Throws AppError block_reading or block_failed for a block that is not read. */
export function requireReadBlock(block: StoredBlock): void {
  if (block.status < 2) throw new AppError('block_reading')
  if (block.status === 3) throw new AppError('block_failed')
}
