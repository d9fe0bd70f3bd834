import { createHash } from 'node:crypto'
import { AppError } from '#server/core/app-error.ts'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import type { TaskExecution } from '#server/tasks/tasks.ts'
import { embedBatch, findModel } from './models.ts'
import type { ModelDeps } from './models.ts'
import { formatTitle } from './passage.ts'
import * as store from './store.ts'
import type { DocumentRow, SegmentRow, StoredChunk } from './store.ts'
import { getVector, packVectors, parseVectors } from './vectors.ts'
import type { Vector } from './vectors.ts'

/** Most texts of one call: Bailian takes no more. */
const BATCH_TEXTS = 10
/** Calls of one document at a time. */
const BATCHES_AT_A_TIME = 4
/** Hexadecimal digits of a hash of 8 bytes. */
const HASH_CHARS = 16

type Deps = ModelDeps & {
  db: Db
  /** Stores a part of the work with the progress. Throws where the document is gone or indexed anew. */
  save: (
    write: (tx: Db) => Promise<void>,
    progress: { done: number; total: number; cost?: bigint },
  ) => Promise<void>
}
type Task = Pick<TaskExecution<unknown>, 'user_id' | 'account_id' | 'budgets' | 'signal'>
type Text = { text: string; hash: string }

/**
 * Makes the vectors of a document whose `chunks` chunks are searched by their words, where there is a model for them; unchanged
 * texts keep theirs.
 */
export async function indexVectors(
  deps: Deps,
  document: DocumentRow,
  chunks: number,
  task: Task,
): Promise<void> {
  const { db, save } = deps
  const model = findModel(deps, 'embedding')
  const total = model ? 2 * chunks : chunks
  if (model) {
    const segments = await store.listBareSegments(db, document, model)
    const vectorsByHash = segments.length ? await readKnownVectors(db, document.id, model) : new Map()
    let doneSteps = total - segments.reduce((sum, segment) => sum + segment.chunks, 0)
    for (const segment of segments) {
      const texts = (await store.listSegmentTexts(db, segment)).map(toText)
      const onEmbedded = (embedded: number, cost: bigint): Promise<void> =>
        save(async () => {}, { done: doneSteps + embedded, total, cost })
      await embedTexts(deps, { document, model, task, vectorsByHash, onEmbedded }, texts)
      doneSteps += segment.chunks
      const row = toVectorsRow(segment, model, texts, vectorsByHash)
      await save((tx) => store.saveVectors(tx, row), { done: doneSteps, total })
    }
  }
  await save((tx) => store.deleteOldVectors(tx, document), { done: total, total })
}

/** Returns the text of a chunk that is embedded, and its hash. */
const toText = ({ title, place, text: content }: StoredChunk): Text => {
  const text = `${formatTitle(title, place)}\n${content}`
  return { text, hash: createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS) }
}

function toVectorsRow(
  { document_id, generation, first }: SegmentRow,
  model: string,
  texts: readonly Text[],
  vectorsByHash: ReadonlyMap<string, Vector>,
) {
  const vectors = texts.map(({ hash }) => vectorsByHash.get(hash)!)
  // The model has changed beneath its name.
  if (vectors.some(({ values }) => values.length !== vectors[0]!.values.length))
    throw new AppError('upstream_malformed')
  return {
    id: createId(),
    document_id,
    generation,
    first,
    model,
    hashes: packHashes(texts),
    vectors: packVectors(vectors),
  }
}

const packHashes = (texts: readonly Text[]): Buffer =>
  Buffer.from(texts.map(({ hash }) => hash).join(''), 'hex')

/** Reads the vectors that were made before, by the hashes of their texts. */
async function readKnownVectors(db: Db, documentId: string, model: string): Promise<Map<string, Vector>> {
  const vectorsByHash = new Map<string, Vector>()
  for (const { hashes, vectors } of await store.listKnownVectors(db, documentId, model)) {
    const vectorSet = parseVectors(vectors)
    const text = Buffer.from(hashes).toString('hex')
    // The answer had another number of vectors, and was refused.
    if (text.length !== vectorSet.count * HASH_CHARS) continue
    for (let at = 0; at < vectorSet.count; at++)
      vectorsByHash.set(text.slice(at * HASH_CHARS, (at + 1) * HASH_CHARS), getVector(vectorSet, at))
  }
  return vectorsByHash
}

type Embedding = {
  document: DocumentRow
  model: string
  task: Task
  vectorsByHash: Map<string, Vector>
  /** Called with the number of texts that have their vectors, and the micro-coins charged since the last call. */
  onEmbedded: (embedded: number, cost: bigint) => Promise<void>
}

/** Has the missing vectors of texts made, some batches at a time, and adds them to `vectorsByHash`. */
async function embedTexts(
  deps: Deps,
  { document, model, task, vectorsByHash, onEmbedded }: Embedding,
  texts: readonly Text[],
): Promise<void> {
  const missingTexts = [...new Map(texts.map((text) => [text.hash, text])).values()].filter(
    ({ hash }) => !vectorsByHash.has(hash),
  )
  let embedded = texts.length - missingTexts.length
  const batches = Array.from({ length: Math.ceil(missingTexts.length / BATCH_TEXTS) }, (_, at) =>
    missingTexts.slice(at * BATCH_TEXTS, (at + 1) * BATCH_TEXTS),
  )
  const failure = new AbortController()
  const signal = AbortSignal.any([task.signal, failure.signal])
  const work = async (): Promise<void> => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      signal.throwIfAborted()
      const request = { document_id: document.id, model, texts: batch.map(({ text }) => text) }
      const { vectors, charged } = await embedBatch(
        deps,
        task,
        { ...request, hashes: packHashes(batch) },
        signal,
      )
      for (const [at, { hash }] of batch.entries()) vectorsByHash.set(hash, vectors[at]!)
      embedded += batch.length
      await onEmbedded(embedded, charged)
    }
  }
  // The first failure ends the others; what they have paid for is stored by then.
  await Promise.all(
    Array.from({ length: BATCHES_AT_A_TIME }, () =>
      work().catch((error: unknown) => {
        if (!signal.aborted) failure.abort(error)
      }),
    ),
  )
  signal.throwIfAborted()
}
