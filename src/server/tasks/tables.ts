import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const taskStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** Work outside of requests, with all data needed to do it, even after a crash. */
export const tasks = pgTable(
  'tasks',
  {
    id: uuid().primaryKey(),
    /** The owner, the paying account, and the budgets that apply. */
    user_id: uuid().notNull(),
    account_id: uuid().notNull(),
    budgets: uuid()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** A kind that a feature defined; kinds of other versions are unknown. */
    kind: text().notNull(),
    payload: jsonb().$type<unknown>().notNull(),
    /** Name of the task's subject, such as a file or an agent, for people. */
    name: text().notNull().default(''),
    state: text({ enum: taskStates }).notNull().default('waiting'),
    /** Error code of the contract, for a task that failed, or that waits for another try after it. */
    code: text(),
    /** Finished parts, and all parts if known. */
    done: integer().notNull().default(0),
    total: integer(),
    /** Parts finished before the last start, to compute the speed since then. */
    done_at_start: integer().notNull().default(0),
    /** Micro-coins charged so far. */
    cost: bigint({ mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** Number of starts. */
    starts: integer().notNull().default(0),
    /** Delays in a row without a finished part, and the moment of the next try. */
    delays: integer().notNull().default(0),
    retry_at: timestamp({ withTimezone: true }),
    /** The execution that may write to the task; an execution taken for dead finds another one here. */
    execution_id: uuid(),
    /** The execution's last heartbeat. */
    seen_at: timestamp({ withTimezone: true }),
    /** Somebody has cancelled the task. */
    cancelled_at: timestamp({ withTimezone: true }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    started_at: timestamp({ withTimezone: true }),
    ended_at: timestamp({ withTimezone: true }),
  },
  (t) => [
    index('tasks_open')
      .on(t.user_id, t.created_at)
      .where(sql`${t.state} IN ('waiting', 'running')`),
    index('tasks_user').on(t.user_id, t.started_at),
    index('tasks_recent').on(t.user_id, t.created_at),
    index('tasks_execution')
      .on(t.execution_id)
      .where(sql`${t.execution_id} IS NOT NULL`),
  ],
)
