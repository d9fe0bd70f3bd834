import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { AnswerRoute } from '#contract/chat.ts'
import { billColumns, holdColumns } from '#server/ledger/tables.ts'

/** What runs are created for. A row may also be of a kind that only another version of the program knows. */
export type RunKind =
  | 'chat'
  | 'related'
  | 'title'
  | 'voice'
  | 'transcript'
  | 'reading'
  | 'summary'
  | 'agent_prompts'
  | 'rewrite'
  | 'indexing'
  | 'retrieval'
  | 'translation'
  | 'gateway'

/** What is kept of a route's plan, so that it can be explained later. */
export type StoredPlan = Pick<AnswerRoute, 'strategy' | 'provider_sort' | 'candidates'>

/** What is kept of a call of a platform. The last one answered, or was cut, and carries the charge. */
export type StoredAttempt = Omit<AnswerRoute['attempts'][number], 'cost'>

export const runStates = ['running', 'done', 'cancelled', 'failed', 'interrupted'] as const

/**
 * One execution of a model, which is its own hold and its own bill: what is needed to settle it, also after the process died in
 * the middle, and what it came to.
 */
export const runs = pgTable(
  'runs',
  {
    id: uuid().primaryKey(),
    /** Who asked. */
    user_id: uuid().notNull(),
    /** See `RunKind`, and the feature's own name for what the run is for (a turn, a task). */
    kind: text().notNull(),
    subject_id: uuid().notNull(),
    model: text().notNull(),
    platform: text().notNull(),
    state: text({ enum: runStates }).notNull(),
    /** Error code of the contract, of a run that failed or was interrupted. */
    code: text(),
    /** Written by the ledger's functions (src/server/ledger/functions.sql) alone, but for another platform's prices. */
    ...holdColumns(),
    ...billColumns(),
    /** How its route was planned: preference and candidates. */
    plan: jsonb().$type<StoredPlan>().notNull(),
    /** Every time a platform was asked for it, in order. */
    attempts: jsonb()
      .$type<StoredAttempt[]>()
      .notNull()
      .default(sql`'[]'`),
    /** The process that executes it. */
    host_id: uuid().notNull(),
    /** Another process asked for it to be stopped. */
    stop_asked: boolean().notNull().default(false),
    started_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    first_text_at: timestamp({ withTimezone: true }),
    ended_at: timestamp({ withTimezone: true }),
  },
  (t) => [
    index('runs_running')
      .on(t.host_id)
      .where(sql`${t.state} = 'running'`),
    index('runs_account').on(t.account_id, t.started_at),
    check('runs_gift', sql`${t.gift} >= 0 AND ${t.gift} <= ${t.amount}`),
  ],
)

/** The stream log: text in the order it was produced. Kept for some minutes after the run's end, for late readers. */
export const runChunks = pgTable(
  'run_chunks',
  {
    run_id: uuid().notNull(),
    /** Counts the pieces of a run. */
    seq: bigint({ mode: 'number' }).notNull(),
    text: text().notNull(),
    /** The reasoning beside it. */
    reasoning: text().notNull().default(''),
    /** The text replaces everything before it. */
    replace: boolean().notNull(),
    /** It says again what all said since the last such: the log of a long run is read in few rows. */
    repeats: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.run_id, t.seq] }),
    index('run_chunks_repeats')
      .on(t.run_id, t.seq)
      .where(sql`${t.repeats}`),
  ],
)

/**
 * Idempotency-Keys of requests that cost (draft-ietf-httpapi-idempotency-key-header): the same key with the same body
 * means the run that is there. Kept for a day.
 */
export const runRequests = pgTable(
  'run_requests',
  {
    user_id: uuid().notNull(),
    key: text().notNull(),
    /** Hash of what was asked. */
    body_hash: text().notNull(),
    subject_id: uuid(),
    /** What was answered, as JSON, of endpoints that keep answers nowhere else. Text, since jsonb holds no U+0000. */
    answer: text(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.key] })],
)

/** Processes that execute runs, with their last sign of life. */
export const runHosts = pgTable('run_hosts', {
  id: uuid().primaryKey(),
  seen_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
})
