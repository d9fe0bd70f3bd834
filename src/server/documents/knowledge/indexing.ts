import { z } from 'zod'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import type { TaskExecution, TaskKind } from '#server/tasks/tasks.ts'
import { readChunks } from './chunks.ts'
import type { Chunk, NumberedPiece, ReadPieces } from './chunks.ts'
import type { ModelDeps } from './models.ts'
import { formatTitle } from './passage.ts'
import { createBreath, SegmentBuilder } from './segment.ts'
import * as store from './store.ts'
import type { DocumentRow } from './store.ts'
import { countTerms } from './terms.ts'
import { indexVectors } from './vector-indexing.ts'

/** Reads pieces of any document. */
export type ReadDocument = (
  documentId: string,
  ...range: Parameters<ReadPieces>
) => Promise<readonly NumberedPiece[]>

const indexingPayload = z.object({ document_id: z.uuid(), words_only: z.boolean().optional() })
export type IndexingPayload = z.output<typeof indexingPayload>
type Task = TaskExecution<IndexingPayload>
/** Stores a part of the work, and the progress, while this is the document's indexing. Throws Superseded otherwise. */
type Save = (
  write: (tx: Db) => Promise<void>,
  progress: { done: number; total: number | null; cost?: bigint },
) => Promise<void>
type Deps = ModelDeps & { db: Db; readPieces: ReadDocument }

/** Chunks of a segment: this part of the work is not done again after the process died. */
const SEGMENT_CHUNKS = 1_000

/**
 * The kind of task that indexes a document. Chunks and words are stored segment by segment, in a generation that is searched once
 * it is complete; an execution after one that died goes on behind the stored segments, since a document is always cut into the
 * same chunks.
 */
export const createIndexing = (deps: Deps): TaskKind<IndexingPayload> => ({
  kind: 'indexing',
  payload: indexingPayload,

  async execute(task) {
    const { db } = deps
    const { document_id: id, words_only } = task.payload
    const document = await db.transaction(async (tx) => {
      // Throws where the task was deleted by now: it has ended for its document.
      await task.saveProgress(tx, { done: task.done, total: null })
      await store.updateDocument(tx, { id, task_id: task.task_id }, { status: 1 })
      return store.lockDocument(tx, id, task.task_id)
    })
    if (!document) return
    const save: Save = (write, progress) =>
      db.transaction(async (tx) => {
        await task.saveProgress(tx, progress)
        if (!(await store.lockDocument(tx, id, task.task_id))) throw new Superseded()
        await write(tx)
      })
    try {
      const isSearched = document.generation === document.building
      const chunks = isSearched ? document.chunks : await indexWords({ ...deps, save }, document, task)
      if (!words_only) await indexVectors({ ...deps, save }, document, chunks, task)
    } catch (error) {
      if (!(error instanceof Superseded)) throw error
    }
  },

  async onRetry(tx, { document_id: id }, { task_id }) {
    if (!(await store.updateDocument(tx, { id, task_id }, { status: 0, code: null })))
      throw new AppError('task_superseded')
  },

  async readResult({ user_id }, { document_id }) {
    const [document] = await store.listDocuments(deps.db, [document_id])
    return document?.user_id === user_id ? { kind: 'indexing', block: document_id } : null
  },

  async onEnd(tx, { document_id: id }, { state, code }, { task_id }) {
    const failure = state === 'cancelled' ? 'index_cancelled' : code === 'internal' ? 'index_failed' : code
    await store.updateDocument(
      tx,
      { id, task_id },
      state === 'done' ? { status: 2, code: null } : { status: 3, code: failure },
    )
  },
})

/** Stores chunks and their words, and has them searched. Returns the number of chunks. */
async function indexWords(
  { db, readPieces, save }: Deps & { save: Save },
  document: DocumentRow,
  task: Task,
): Promise<number> {
  const { id: documentId, building: generation } = document
  const storedCount = await store.countStoredChunks(db, documentId, generation)
  let seenCount = 0
  let chunks: Chunk[] = []
  let builder = new SegmentBuilder()
  const breathe = createBreath()

  const endSegment = async (): Promise<void> => {
    if (!chunks.length) return
    const words = await builder.pack()
    const first = seenCount - chunks.length + 1
    const segment = {
      id: createId(),
      document_id: documentId,
      generation,
      first,
      chunks: chunks.length,
      words,
    }
    await save((tx) => store.insertSegment(tx, segment, chunks), { done: seenCount, total: null })
    chunks = []
    builder = new SegmentBuilder()
  }
  const add = async (chunk: Chunk): Promise<void> => {
    seenCount++
    if (seenCount <= storedCount) return
    builder.add(countTerms(`${formatTitle(document.title, chunk.place)}\n${chunk.text}`))
    chunks.push(chunk)
    if (chunks.length === SEGMENT_CHUNKS) await endSegment()
    await breathe()
  }

  const readBatch: ReadPieces = (after, size) => {
    task.signal.throwIfAborted()
    return readPieces(documentId, after, size)
  }
  for await (const chunk of readChunks(readBatch)) await add(chunk)
  if (!seenCount) throw new AppError('document_empty')
  await endSegment()
  await save((tx) => store.publishGeneration(tx, document, seenCount), { done: seenCount, total: null })
  return seenCount
}

/** The document is gone, or another task indexes it. */
class Superseded extends Error {}
