import type { PassageSpan } from '#contract/documents/passages.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Log } from '#server/core/log.ts'
import type { Payer } from '#server/runs/runs.ts'
import { describeDelay } from '#server/tasks/tasks.ts'
import type { Task, Tasks } from '#server/tasks/tasks.ts'
import { createIndexing } from './indexing.ts'
import type { ReadDocument } from './indexing.ts'
import type { ModelDeps } from './models.ts'
import { countMaxPieces, formatTitle, locateChunk } from './passage.ts'
import type { Passage, PassageRef } from './passage.ts'
import { search } from './search.ts'
import type { SearchRequest } from './search.ts'
import { createSegmentCache } from './segment-cache.ts'
import * as store from './store.ts'
import type { DocumentRow } from './store.ts'

export { extractQueryTerms, scoreChunks } from './bm25.ts'
export { readChunks, splitIntoChunks } from './chunks.ts'
export type { Chunk, NumberedPiece } from './chunks.ts'
export { countClaims, reviewAnswer } from './citations.ts'
export { saveEmbeddings } from './models.ts'
export { formatCard, formatPlace, hashPassage, locateChunk } from './passage.ts'
export type { Card, Passage, PassageRef } from './passage.ts'
export type { SearchRequest } from './search.ts'

export type Knowledge = ReturnType<typeof createKnowledge>

/** `words_only`: no vectors are made, whatever models there are, so that it costs nothing. */
type IndexedDocument = { document_id: string; title: string; words_only?: boolean | undefined }

/** State of a document's index. */
export type DocumentState = Pick<DocumentRow, 'status' | 'code' | 'chunks'> & {
  /** Parts, micro-coins so far, and why another try waits, while it waits or is being indexed; null otherwise. */
  progress: (Pick<Task, 'done' | 'total' | 'cost'> & { delay: string | null }) | null
}

type Options = ModelDeps & { db: Db; tasks: Tasks; log: Log }

/** Keeps documents that can be searched. Ids are the caller's, who has checked who may name them. */
export function createKnowledge({ db, tasks, log, ...models }: Options) {
  let source: { readPieces: ReadDocument } | undefined
  const readPieces: ReadDocument = (...args) => {
    if (!source) throw new Error('knowledge is not connected to what has the pieces')
    return source.readPieces(...args)
  }
  const queue = tasks.define(createIndexing({ ...models, db, readPieces }))
  const cache = createSegmentCache(db)

  return {
    /** Sets the source of documents' pieces, before tasks are started. */
    connect(pieces: { readPieces: ReadDocument }): void {
      source = pieces
    },

    /**
     * Has a document indexed, or indexed anew, by a task that is created in the caller's transaction. Its former index is
     * searched until then. Call `start` after the commit.
     */
    async index(tx: Db, owner: Payer, { document_id, title, words_only }: IndexedDocument): Promise<void> {
      const taskId = await queue.create(tx, owner, { document_id, words_only }, title)
      await store.saveDocument(tx, { id: document_id, user_id: owner.user_id, title, task_id: taskId })
    },

    /**
     * Keeps an indexing from storing anything of a document whose pieces are about to change, since it would take their momentary
     * end for the end of the document. The former index is still searched. Call `index` once they have changed.
     */
    supersede: (tx: Db, documentId: string): Promise<void> => store.supersedeIndexing(tx, documentId),

    start: () => queue.start(),

    /** Forgets a document. */
    remove: (tx: Db, documentId: string): Promise<void> => store.deleteDocument(tx, documentId),

    /** Returns the states of documents by their ids; one that was never to be indexed is missing. */
    async listDocuments(ids: readonly string[]): Promise<Map<string, DocumentState>> {
      const rows = ids.length ? await store.listDocuments(db, ids) : []
      const open = rows.filter(({ status }) => status < 2)
      const running = new Map<string, Task>()
      for (const [userId, group] of Map.groupBy(open, (row) => row.user_id)) {
        const taskIds = group.map(({ task_id }) => task_id)
        for (const [id, task] of await tasks.list(userId, taskIds)) running.set(id, task)
      }
      return new Map(rows.map((row) => [row.id, toState(row, running.get(row.task_id))]))
    },

    /** Stops the indexing of a user's documents; their former index is still searched. */
    async cancel(userId: string, documentIds: readonly string[]): Promise<void> {
      const rows = documentIds.length ? await store.listDocuments(db, documentIds) : []
      for (const row of rows)
        if (row.user_id === userId && row.status < 2) await tasks.cancel(userId, row.task_id)
    },

    /**
     * Finds the passages of documents that are relevant to a question, the best ones first, at most `max_chars` characters; none
     * where nothing is. Throws the reason of the signal.
     */
    search: (request: SearchRequest): Promise<Passage[]> => search({ db, cache, log, ...models }, request),

    /** Reads passages in this order, without missing ones. `outdated`: the text is from an earlier reading of its document. */
    async readPassages(refs: readonly PassageRef[]): Promise<(Passage & { outdated: boolean })[]> {
      const chunks = refs.length ? await store.listChunks(db, refs) : []
      return chunks.map(({ document_id, n: chunk, piece, place, text, title, outdated }) => ({
        document_id,
        chunk,
        piece,
        place,
        title: formatTitle(title, place),
        text,
        confidence: 1,
        outdated,
      }))
    },

    /** Locates a passage in its document; names the whole piece where the document has been read again since. */
    async locate(passage: Pick<Passage, 'document_id' | 'piece' | 'text'>): Promise<PassageSpan> {
      const { document_id, piece, text } = passage
      return locateChunk(passage, await readPieces(document_id, piece - 1, countMaxPieces(text)))
    },
  }
}

const toState = ({ status, code, chunks }: DocumentRow, task: Task | undefined): DocumentState => ({
  status,
  code,
  chunks,
  progress:
    status < 2
      ? {
          done: task?.done ?? 0,
          total: task?.total ?? null,
          cost: task?.cost ?? 0n,
          delay: task ? describeDelay(task) : null,
        }
      : null,
})
