import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { AnswerRoute } from '#contract/chat.ts'
import type { StoredPrices } from '#server/core/prices.ts'
import type { BillDetails } from './bill.ts'

/** Micro-coins, see core/coins.ts. */
const micro = () => bigint({ mode: 'bigint' }).notNull()

/** Purposes of runs. A row may also have a kind that only another version of the program knows. */
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

/** The stored part of a route's plan, for explaining it later. */
export type StoredPlan = Pick<AnswerRoute, 'strategy' | 'provider_sort' | 'candidates'>

/** The stored part of a call to a platform. The last call answered, or was cut off, and carries the charge. */
export type StoredAttempt = Omit<AnswerRoute['attempts'][number], 'cost'>

export const runStates = ['running', 'done', 'cancelled', 'failed', 'interrupted'] as const

/**
 * One execution of a model, with its own hold and bill: the data needed to settle it, even after its process died, and its
 * outcome.
 */
export const runs = pgTable(
  'runs',
  {
    id: uuid().primaryKey(),
    /** The user who asked. */
    user_id: uuid().notNull(),
    /** See `RunKind`; `subject_id` is the feature's own id of the run's purpose (a turn, a task). */
    kind: text().notNull(),
    subject_id: uuid().notNull(),
    model: text().notNull(),
    platform: text().notNull(),
    state: text({ enum: runStates }).notNull(),
    /** Error code of the contract, for a failed or interrupted run. */
    code: text(),

    // The hold: the most that the run may cost, until it has ended. It and the bill are written only by the functions of
    // functions.sql, except for another platform's prices.
    /** The account that pays. */
    account_id: uuid().notNull(),
    held: micro(),
    budgets: uuid().array().notNull(),

    // The bill: written once, when the run ends, with the prices used.
    /** Micro-coins charged, and the cost of the usage, which may be more. */
    amount: micro().default(sql`0`),
    computed: micro().default(sql`0`),
    /** Gift coins within the amount. */
    gift: micro().default(sql`0`),
    /** Counted by the platform or by us. Null: nothing is billed. */
    usage_source: text({ enum: ['upstream', 'counted'] }),
    /** The prompt's tokens as counted before the start, charged if the upstream reports none; then those billed. */
    input_tokens: integer().notNull(),
    output_tokens: integer().notNull().default(0),
    cached_tokens: integer().notNull().default(0),
    cache_write_tokens: integer().notNull().default(0),
    reasoning_tokens: integer().notNull().default(0),
    /** Characters or milliseconds of an operation priced by them, and how often `per_call` was paid: pictures. */
    units: integer().notNull().default(0),
    times: integer().notNull().default(1),
    /** The reason why the upstream's reported usage cannot be true. */
    flagged: text(),
    /** Micro-coins per million tokens, as strings (core/prices.ts). */
    prices: jsonb().$type<StoredPrices>().notNull(),
    /** The tier, and quantities that have no column; null for most. */
    details: jsonb().$type<BillDetails>(),

    /** The plan of its route: preference and candidates. */
    plan: jsonb().$type<StoredPlan>().notNull(),
    /** The calls to platforms, in order. */
    attempts: jsonb()
      .$type<StoredAttempt[]>()
      .notNull()
      .default(sql`'[]'`),
    /** The process that executes the run. */
    host_id: uuid().notNull(),
    /** Another process requested a stop. */
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

/** The stream log: text in the order of its production. Kept for some minutes after the run's end, for late readers. */
export const runChunks = pgTable(
  'run_chunks',
  {
    run_id: uuid().notNull(),
    /** Counts the pieces of a run. */
    seq: bigint({ mode: 'number' }).notNull(),
    text: text().notNull(),
    /** The reasoning that came with it. */
    reasoning: text().notNull().default(''),
    /** The text replaces everything before it. */
    replace: boolean().notNull(),
    /** It contains the text of all pieces since the last such one, so that a long log is read in few rows. */
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
 * Idempotency-Keys of requests that cost coins (draft-ietf-httpapi-idempotency-key-header): the same key with the same body means
 * the existing run. Kept for a day.
 */
export const runRequests = pgTable(
  'run_requests',
  {
    user_id: uuid().notNull(),
    key: text().notNull(),
    /** Hash of the request's body. */
    body_hash: text().notNull(),
    subject_id: uuid(),
    /** The answer as JSON, for endpoints that store it nowhere else. Text, since jsonb cannot hold U+0000. */
    answer: text(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.key] })],
)

/** Processes that execute runs, with their last heartbeat. */
export const runHosts = pgTable('run_hosts', {
  id: uuid().primaryKey(),
  seen_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
})
