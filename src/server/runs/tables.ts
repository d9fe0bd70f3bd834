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
import type { Prices } from '../core/coins.ts'
import type { StoredPlan } from './stored-plan.ts'

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
    /** How its route was planned: preference and candidates. */
    plan: jsonb().$type<StoredPlan>().notNull(),
    /** The process that drives it. */
    host_id: uuid().notNull(),
    started_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    first_text_at: timestamp({ withTimezone: true }),
    ended_at: timestamp({ withTimezone: true }),
  },
  (t) => [
    index('runs_running')
      .on(t.host_id)
      .where(sql`${t.state} = 'running'`),
  ],
)

/** Every time a platform was asked for a run, in order. */
export const runAttempts = pgTable(
  'run_attempts',
  {
    run_id: uuid().notNull(),
    nth: integer().notNull(),
    platform: text().notNull(),
    state: text({ enum: ['answered', 'failed', 'cut', 'aborted'] }).notNull(),
    /** Error code of the contract, and the operator's reason. */
    code: text(),
    reason: text().notNull(),
    started_at: timestamp({ withTimezone: true }).notNull(),
    first_content_ms: integer(),
    ms: integer().notNull(),
    /** Micro-coins charged for it. */
    cost: bigint({ mode: 'bigint' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.run_id, t.nth] })],
)

/** The stream log: text in the order it was produced. Kept for some minutes after the run's end, for late readers. */
export const runChunks = pgTable(
  'run_chunks',
  {
    run_id: uuid().notNull(),
    /** Counts the pieces of a run. */
    seq: bigint({ mode: 'number' }).notNull(),
    text: text().notNull(),
    /** What was thought beside it. */
    reasoning: text().notNull().default(''),
    /** The text replaces everything before it. */
    replace: boolean().notNull(),
  },
  (t) => [primaryKey({ columns: [t.run_id, t.seq] })],
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
    /** What was answered, as JSON, of doors that keep answers nowhere else. Text, since jsonb holds no U+0000. */
    answer: text(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.key] })],
)

/** Processes that drive runs, with their last sign of life. */
export const runHosts = pgTable('run_hosts', {
  id: uuid().primaryKey(),
  seen_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
})
