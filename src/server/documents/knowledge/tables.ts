import {
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Place } from '#contract/readings.ts'
import { users } from '#server/accounts/users/tables.ts'

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** Documents that can be searched. A caller that names one has checked who may see it. */
export const documents = pgTable('documents', {
  /** Given by the caller. */
  id: uuid().primaryKey(),
  user_id: uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  title: text().notNull(),
  /** 0 waits, 1 is being indexed, 2 is indexed, 3 could not be indexed (its former index is still searched). */
  status: integer().$type<0 | 1 | 2 | 3>().notNull().default(0),
  /** Error code of the contract, with status 3. */
  code: text(),
  /** Task of its latest indexing. */
  task_id: uuid().notNull(),
  /** The generation of segments that is searched, 0 before there is one; and the one that the latest indexing writes. */
  generation: integer().notNull().default(0),
  building: integer().notNull().default(1),
  /** Number of chunks in the generation that is searched. */
  chunks: integer().notNull().default(0),
  created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
})

const documentId = () =>
  uuid()
    .notNull()
    .references(() => documents.id, { onDelete: 'cascade' })

/** The texts of a document's chunks. */
export const documentChunks = pgTable(
  'document_chunks',
  {
    document_id: documentId(),
    generation: integer().notNull(),
    /** From 1, in the order of the document. */
    n: integer().notNull(),
    piece: integer().notNull(),
    place: jsonb().$type<Place>().notNull(),
    text: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.document_id, t.generation, t.n] })],
)

/** The words of neighbouring chunks, see segment.ts. They never change. */
export const documentSegments = pgTable(
  'document_segments',
  {
    id: uuid().notNull().unique(),
    document_id: documentId(),
    generation: integer().notNull(),
    /** Number of its first chunk, and how many there are. */
    first: integer().notNull(),
    chunks: integer().notNull(),
    words: bytea().notNull(),
  },
  (t) => [primaryKey({ columns: [t.document_id, t.generation, t.first] })],
)

/** The vectors of a segment's chunks, see vectors.ts. They never change. */
export const documentVectors = pgTable(
  'document_vectors',
  {
    id: uuid().notNull().unique(),
    document_id: documentId(),
    generation: integer().notNull(),
    /** First chunk of the segment. */
    first: integer().notNull(),
    /** The model that made them. */
    model: text().notNull(),
    /** Hashes of the texts, 8 bytes a chunk: a text that has not changed keeps its vector. */
    hashes: bytea().notNull(),
    vectors: bytea().notNull(),
  },
  (t) => [primaryKey({ columns: [t.document_id, t.generation, t.first] })],
)

/** Vectors that were paid for and do not belong to a segment yet; `vectors` is null while their run lasts. */
export const embeddingBatches = pgTable(
  'embedding_batches',
  {
    /** The subject of their run. */
    id: uuid().primaryKey(),
    document_id: documentId(),
    model: text().notNull(),
    hashes: bytea().notNull(),
    vectors: bytea(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index('embedding_batches_document').on(t.document_id)],
)
