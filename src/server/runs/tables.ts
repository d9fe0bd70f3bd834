import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Prices } from '../ledger/prices.ts'

export const runStates = ['running', 'done', 'cancelled', 'failed', 'interrupted'] as const

/** One answer being made or made: what the pipe needs to finish it, also after the process died in the middle. */
export const runs = pgTable(
  'runs',
  {
    id: uuid().primaryKey(),
    user_id: uuid().notNull(),
    /** The feature that asked, and its own name for the thing (a turn, a task). */
    kind: text().notNull(),
    subject_id: uuid().notNull(),
    model: text().notNull(),
    platform: text().notNull(),
    state: text({ enum: runStates }).notNull(),
    /** Error code of the contract, of a run that failed or was interrupted. */
    code: text(),
    /** Tokens of the prompt as counted before the start: what is charged when the upstream reports none. */
    input_tokens: integer().notNull(),
    prices: jsonb().$type<Record<keyof Prices, string>>().notNull(),
    /** The process that drives it. */
    host_id: uuid().notNull(),
    started_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    first_text_at: timestamp({ withTimezone: true }),
    ended_at: timestamp({ withTimezone: true }),
  },
  (t) => [
    index('runs_subject').on(t.subject_id, t.id),
    index('runs_running')
      .on(t.host_id)
      .where(sql`${t.state} = 'running'`),
  ],
)

/** The stream log of running runs: text in the order it was produced. Deleted when the run ends. */
export const runChunks = pgTable(
  'run_chunks',
  {
    run_id: uuid().notNull(),
    /** Characters (UTF-16 units) of the text before this chunk; of a replacing chunk, a counter. */
    seq: bigint({ mode: 'number' }).notNull(),
    text: text().notNull(),
    /** The text replaces everything before it. */
    replace: boolean().notNull(),
  },
  (t) => [primaryKey({ columns: [t.run_id, t.seq] })],
)

/** Processes that drive runs, with their last sign of life. */
export const runHosts = pgTable('run_hosts', {
  id: uuid().primaryKey(),
  seen_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
})
