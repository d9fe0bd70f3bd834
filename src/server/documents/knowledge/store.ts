import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import type { Chunk } from './chunks.ts'
import type { PassageRef } from './passage.ts'
import { documents, documentSegments, documentVectors, embeddingBatches } from './tables.ts'

export type DocumentRow = typeof documents.$inferSelect
/** A part of the index: the words of the chunks `first` … `first + chunks - 1`. */
export type SegmentRow = Pick<
  typeof documentSegments.$inferSelect,
  'id' | 'document_id' | 'generation' | 'first' | 'chunks'
>
/** The same with the vectors of these chunks, if they exist, and the model that made them. */
export type SearchedSegment = SegmentRow & { vectors_id: string | null; model: string | null }
export type StoredChunk = Chunk & { document_id: string; n: number; title: string }
/** Key of a chunk in a generation of a document's index. */
export type ChunkKey = { document_id: string; generation: number; n: number }

const inList = (ids: readonly string[]) =>
  sql`(SELECT value::uuid FROM json_array_elements_text(${JSON.stringify(ids)}::json))`

/** Lets a document wait for its indexing; its former index is searched until then. */
export async function saveDocument(
  tx: Db,
  document: { id: string; user_id: string; title: string; task_id: string },
): Promise<void> {
  const { user_id, title, task_id } = document
  const building = sql`${documents.building} + 1`
  await tx
    .insert(documents)
    .values(document)
    .onConflictDoUpdate({
      target: documents.id,
      set: { user_id, title, task_id, building, status: 0, code: null },
    })
}

/** Locks the document of an indexing until the transaction ends; undefined where it was deleted or is indexed anew. */
export async function lockDocument(tx: Db, id: string, taskId: string): Promise<DocumentRow | undefined> {
  const [row] = await tx
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), eq(documents.task_id, taskId)))
    .for('update')
  return row
}

export async function updateDocument(
  tx: Db,
  { id, task_id }: { id: string; task_id: string },
  changes: Partial<Pick<DocumentRow, 'status' | 'code'>>,
): Promise<boolean> {
  const rows = await tx
    .update(documents)
    .set(changes)
    .where(and(eq(documents.id, id), eq(documents.task_id, task_id)))
    .returning({ id: documents.id })
  return rows.length > 0
}

/** Takes a document away from its indexing, which then stores nothing more. */
export async function supersedeIndexing(tx: Db, id: string): Promise<void> {
  await tx.update(documents).set({ task_id: createId() }).where(eq(documents.id, id))
}

export async function listDocuments(db: Db, ids: readonly string[]): Promise<DocumentRow[]> {
  return db
    .select()
    .from(documents)
    .where(sql`${documents.id} IN ${inList(ids)}`)
}

export async function deleteDocument(tx: Db, id: string): Promise<void> {
  await tx.delete(documents).where(eq(documents.id, id))
}

/** Counts the chunks of a generation that are stored already. */
export async function countStoredChunks(db: Db, documentId: string, generation: number): Promise<number> {
  const { rows } = await db.execute<{ chunks: number }>(sql`
    SELECT coalesce(sum(chunks), 0)::int AS chunks FROM document_segments
    WHERE document_id = ${documentId} AND generation = ${generation}`)
  return rows[0]!.chunks
}

export async function insertSegment(
  tx: Db,
  segment: SegmentRow & { words: Uint8Array },
  chunks: readonly Chunk[],
): Promise<void> {
  const { document_id, generation, first } = segment
  const rows = chunks.map((chunk, at) => ({ n: first + at, ...chunk }))
  await tx.execute(sql`
    INSERT INTO document_chunks (document_id, generation, n, piece, place, text)
    SELECT ${document_id}::uuid, ${generation}::int, n, piece, place, text
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS chunk(n int, piece int, place jsonb, text text)`)
  await tx.insert(documentSegments).values(segment)
}

/**
 * Has the generation that was written searched from now on, and forgets the words of the others. Texts of a former index that the
 * document has lost stay: answers may have cited them.
 */
export async function publishGeneration(
  tx: Db,
  { id, building: generation, generation: searched }: DocumentRow,
  chunks: number,
): Promise<void> {
  await tx.update(documents).set({ generation, chunks }).where(eq(documents.id, id))
  await tx
    .delete(documentSegments)
    .where(and(eq(documentSegments.document_id, id), ne(documentSegments.generation, generation)))
  await tx.execute(sql`
    DELETE FROM document_chunks WHERE document_id = ${id} AND generation <> ${generation} AND (generation > ${searched}
      OR text IN (SELECT text FROM document_chunks WHERE document_id = ${id} AND generation = ${generation}))`)
}

/** Forgets the vectors of a document's other generations, and those without a segment. */
export async function deleteOldVectors(tx: Db, { id, building }: DocumentRow): Promise<void> {
  await tx
    .delete(documentVectors)
    .where(and(eq(documentVectors.document_id, id), ne(documentVectors.generation, building)))
  await tx.delete(embeddingBatches).where(eq(embeddingBatches.document_id, id))
}

/** Lists vectors that a model made of a document's texts, for any generation, with the hashes of the texts. */
export async function listKnownVectors(
  db: Db,
  documentId: string,
  model: string,
): Promise<{ hashes: Uint8Array; vectors: Uint8Array }[]> {
  const { rows } = await db.execute<{ hashes: Uint8Array; vectors: Uint8Array }>(sql`
    SELECT hashes, vectors FROM document_vectors WHERE document_id = ${documentId} AND model = ${model}
    UNION ALL
    SELECT hashes, vectors FROM embedding_batches
    WHERE document_id = ${documentId} AND model = ${model} AND vectors IS NOT NULL`)
  return rows
}

/** Lists the segments of a generation that lack a model's vectors, in their order. */
export async function listBareSegments(db: Db, document: DocumentRow, model: string): Promise<SegmentRow[]> {
  const { rows } = await db.execute<SegmentRow>(sql`
    SELECT s.id, s.document_id, s.generation, s.first, s.chunks FROM document_segments s
    WHERE s.document_id = ${document.id} AND s.generation = ${document.building} AND NOT EXISTS (
      SELECT FROM document_vectors v WHERE v.document_id = s.document_id AND v.generation = s.generation
        AND v.first = s.first AND v.model = ${model})
    ORDER BY s.first`)
  return rows
}

export async function insertBatch(
  tx: Db,
  batch: Pick<typeof embeddingBatches.$inferSelect, 'id' | 'document_id' | 'model' | 'hashes'>,
): Promise<void> {
  await tx.insert(embeddingBatches).values(batch)
}

/** Keeps the vectors of a batch that the server itself names; does nothing where its document is gone. */
export async function saveBatch(tx: Db, id: string, vectors: Uint8Array): Promise<void> {
  await tx.update(embeddingBatches).set({ vectors }).where(eq(embeddingBatches.id, id))
}

/** Keeps the vectors of a segment, and replaces another model's. */
export async function saveVectors(tx: Db, row: typeof documentVectors.$inferInsert): Promise<void> {
  const { id, model, hashes, vectors } = row
  const target = [documentVectors.document_id, documentVectors.generation, documentVectors.first]
  await tx
    .insert(documentVectors)
    .values(row)
    .onConflictDoUpdate({ target, set: { id, model, hashes, vectors } })
}

/** Lists the texts of a segment's chunks in their order, each with its title. */
export async function listSegmentTexts(db: Db, segment: SegmentRow): Promise<StoredChunk[]> {
  const { document_id, generation, first, chunks } = segment
  return readChunks(
    db,
    Array.from({ length: chunks }, (_, at) => ({ document_id, generation, n: first + at })),
  )
}

/** Lists the segments of documents that are searched, always in the same order. */
export async function listSegments(db: Db, documentIds: readonly string[]): Promise<SearchedSegment[]> {
  const { rows } = await db.execute<SearchedSegment>(sql`
    SELECT s.id, s.document_id, s.generation, s.first, s.chunks, v.id AS vectors_id, v.model
    FROM documents d JOIN document_segments s ON s.document_id = d.id AND s.generation = d.generation
    LEFT JOIN document_vectors v
      ON v.document_id = s.document_id AND v.generation = s.generation AND v.first = s.first
    WHERE d.id IN ${inList(documentIds)} ORDER BY s.document_id, s.first`)
  return rows
}

/** Reads words or vectors as they were packed, by their ids; parts that are gone meanwhile are missing. */
export async function readPacked(
  db: Db,
  part: 'words' | 'vectors',
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const table = sql.identifier(part === 'words' ? 'document_segments' : 'document_vectors')
  const { rows } = await db.execute<{ id: string; packed: Uint8Array }>(sql`
    SELECT id, ${sql.identifier(part)} AS packed FROM ${table} WHERE id IN ${inList(ids)}`)
  return new Map(rows.map(({ id, packed }) => [id, packed]))
}

/** Reads chunks in the order of their keys; one that is gone meanwhile is missing. */
export async function readChunks(db: Db, keys: readonly ChunkKey[]): Promise<StoredChunk[]> {
  const { rows } = await db.execute<StoredChunk>(sql`
    SELECT c.document_id, c.n, c.piece, c.place, c.text, d.title
    FROM ROWS FROM (json_to_recordset(${JSON.stringify(keys)}::json) AS (document_id uuid, generation int, n int))
      WITH ORDINALITY AS key(document_id, generation, n, nth)
    JOIN document_chunks c USING (document_id, generation, n) JOIN documents d ON d.id = c.document_id
    ORDER BY nth`)
  return rows
}

/**
 * Lists chunks of the generations that are searched, in the order of `refs`; one that is not there is missing. A hash leads to
 * the nearest chunk that has the text, or, where the document has lost it, to the former one as `outdated`.
 */
export async function listChunks(
  db: Db,
  refs: readonly PassageRef[],
): Promise<(StoredChunk & { outdated: boolean })[]> {
  const hash = sql`left(md5(c.text), 16)`
  const { rows } = await db.execute<StoredChunk & { outdated: boolean }>(sql`
    SELECT c.document_id, c.n, c.piece, c.place, c.text, d.title, c.generation <> d.generation AS outdated
    FROM ROWS FROM (json_to_recordset(${JSON.stringify(refs)}::json) AS (document_id uuid, chunk int, hash text))
      WITH ORDINALITY AS ref(document_id, chunk, hash, nth)
    JOIN documents d ON d.id = ref.document_id
    CROSS JOIN LATERAL (
      SELECT * FROM (
        SELECT c.* FROM document_chunks c WHERE c.document_id = d.id AND c.generation = d.generation
          AND c.n = ref.chunk AND (ref.hash IS NULL OR ${hash} = ref.hash)) AS same
      UNION ALL SELECT * FROM (
        SELECT c.* FROM document_chunks c WHERE c.document_id = d.id AND c.generation <= d.generation
          AND ${hash} = ref.hash
        ORDER BY c.generation DESC, abs(c.n - ref.chunk) LIMIT 1) AS moved
      LIMIT 1) c
    ORDER BY nth`)
  return rows
}
