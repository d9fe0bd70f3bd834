import {
  integer,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { BlockSummary } from '#contract/blocks.ts'
import type { Place, ReadingReport } from '#contract/readings.ts'
import { files } from '#server/files/tables.ts'
import { users } from '#server/users/tables.ts'

/** Documents that can be asked about: uploaded files, and web pages, whose content is a file too. */
export const blocks = pgTable(
  'blocks',
  {
    id: uuid().primaryKey(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    file_id: uuid()
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    channel: text().notNull(),
    name: text().notNull(),
    /** Of a web page: its address. */
    link: text(),
    /** 0 waits, 1 is being read, 2 is read, 3 could not be read (specification section 4). */
    status: integer().$type<0 | 1 | 2 | 3>().notNull().default(0),
    /** Error code of the contract, with status 3. */
    code: text(),
    /** Its reading; null of a file that is not read, as those that are only translated. */
    task_id: uuid(),
    format: text(),
    report: jsonb().$type<ReadingReport>(),
    /** Of what has been read so far. */
    pieces: integer().notNull().default(0),
    chars: integer().notNull().default(0),
    /** Written once it is asked for; when a run was last begun to write it. */
    summary: jsonb().$type<BlockSummary>(),
    summary_claimed_at: timestamp({ withTimezone: true }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [uniqueIndex('blocks_file').on(t.file_id), index('blocks_recent').on(t.user_id, t.created_at)],
)

/** The text of a block in its order, each piece with its place. */
export const blockPieces = pgTable(
  'block_pieces',
  {
    block_id: uuid()
      .notNull()
      .references(() => blocks.id, { onDelete: 'cascade' }),
    /** From 1. */
    n: integer().notNull(),
    text: text().notNull(),
    place: jsonb().$type<Place>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.block_id, t.n] })],
)
