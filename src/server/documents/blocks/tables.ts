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
import { users } from '#server/accounts/users/tables.ts'

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
    /** Address of the page or document behind a link; null for an upload. */
    link: text(),
    /** 0 waits, 1 is being read, 2 is read, 3 could not be read (specification section 4). */
    status: integer().$type<0 | 1 | 2 | 3>().notNull().default(0),
    /** Error code of the contract, with status 3. */
    code: text(),
    /** Task of its reading; null for a file that is not read, such as one that is only translated. */
    task_id: uuid(),
    format: text(),
    report: jsonb().$type<ReadingReport>(),
    /** Number of pieces and characters that have been read so far. */
    pieces: integer().notNull().default(0),
    chars: integer().notNull().default(0),
    /** Summary, which is written when it is first asked for, and the time when a run last began to write it. */
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
