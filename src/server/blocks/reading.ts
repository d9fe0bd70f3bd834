import { z } from 'zod'
import type { Piece, Reading } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Files } from '#server/files/files.ts'
import { readDocument } from '#server/readers/readers.ts'
import type { Progress } from '#server/readers/readers.ts'
import type { TaskExecution, TaskKind } from '#server/tasks/tasks.ts'
import * as store from './store.ts'
import type { BlockRow, StoredBlock } from './store.ts'
import { isRecording, transcribe } from './transcription.ts'
import type { TranscriptionDeps } from './transcription.ts'

export const readingPayload = z.object({ user_id: z.uuid(), block_id: z.uuid() })
export type ReadingPayload = z.output<typeof readingPayload>
type Deps = TranscriptionDeps & { db: Db; files: Files }

/**
 * The kind of task that reads a block. What has been read is stored while the rest is being read; an execution that comes
 * after one that died reads again and stores what is not there yet, since a reading always finds the same pieces.
 */
export const createReading = ({ db, files, ...transcription }: Deps): TaskKind<ReadingPayload> => ({
  kind: 'reading',
  payload: readingPayload,

  async execute(task) {
    const { user_id, block_id } = task.payload
    const block = await store.findBlock(db, user_id, block_id)
    // It was deleted meanwhile.
    if (!block) return
    await store.updateBlock(db, user_id, block_id, { status: 1 })
    const { path, remove } = await files.download(block, task.signal)
    try {
      if (isRecording(block)) {
        const cost = block.pieces ? 0n : await transcribe(transcription, block, path, task)
        await db.transaction(async (tx) => {
          await task.saveProgress(tx, { done: 1, total: 1, cost })
          await store.updateBlock(tx, user_id, block_id, TRANSCRIPT)
        })
        return
      }
      const reading = await readBlock({ db, block, task, path })
      const { format, report, title } = reading
      const name = block.link !== null && title ? title.slice(0, 255) : block.name
      await store.updateBlock(db, user_id, block_id, { format, report, name })
    } finally {
      await remove()
    }
  },

  async onEnd(tx, { user_id, block_id }, { state, code }) {
    const failure = state === 'cancelled' ? 'block_cancelled' : code === 'internal' ? 'block_failed' : code
    const end = state === 'done' ? { status: 2, code: null } : { status: 3, code: failure }
    await store.updateBlock(tx, user_id, block_id, end as { status: 2 | 3; code: string | null })
  },
})

/** How a recording was read: as a whole, or it was not. */
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

type BlockReading = { db: Db; block: StoredBlock; task: TaskExecution<ReadingPayload>; path: string }

async function readBlock({ db, block, task, path }: BlockReading): Promise<Reading> {
  const { name, type, link } = block
  const failed = new AbortController()
  const signal = AbortSignal.any([task.signal, failed.signal])
  let stored = block.pieces
  let seen = 0
  const save = async ({ pieces, done, total }: Progress): Promise<void> => {
    const fresh = takeFresh(pieces, seen, stored)
    seen += pieces.length
    await db.transaction(async (tx) => {
      await store.insertPieces(tx, block, stored + 1, fresh)
      await task.saveProgress(tx, { done, total: total || null })
    })
    stored += fresh.length
  }
  let saving = Promise.resolve()
  const onProgress = (progress: Progress): void => {
    // In their order, one after the other; the first that fails ends the reading.
    saving = saving.then(() => save(progress))
    saving.catch((error: unknown) => failed.abort(error))
  }
  try {
    return await readDocument({ source: { path }, name, type, article: link !== null, signal, onProgress })
  } finally {
    await saving.catch(() => {})
    failed.signal.throwIfAborted()
  }
}

/** Of pieces that follow the first `seen`, those that are not among the first `stored`. */
const takeFresh = (pieces: Piece[], seen: number, stored: number): Piece[] =>
  pieces.slice(Math.max(0, stored - seen))

/** What a block without a preview says. */
export function requireReadBlock(block: StoredBlock): void {
  if (block.status < 2) throw new AppError('block_reading')
  if (block.status === 3) throw new AppError('block_failed')
}
