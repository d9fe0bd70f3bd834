import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const taskStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** Work outside of a request: what is needed to do it, also after the process died in the middle. */
export const tasks = pgTable(
  'tasks',
  {
    id: uuid().primaryKey(),
    /** Whose work it is, the account that pays for what it costs, and within which budgets. */
    user_id: uuid().notNull(),
    account_id: uuid().notNull(),
    budgets: uuid()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** A kind that some part of the server defined; of another version's kind nothing is known. */
    kind: text().notNull(),
    payload: jsonb().$type<unknown>().notNull(),
    /** Of what, for people: the name of a file, an agent. */
    name: text().notNull().default(''),
    state: text({ enum: taskStates }).notNull().default('waiting'),
    /** Error code of the contract, of a task that failed. */
    code: text(),
    /** Parts that are finished, and how many there are as far as that is known. */
    done: integer().notNull().default(0),
    total: integer(),
    /** Parts that were finished when it was started last: what came since tells its speed. */
    done_at_start: integer().notNull().default(0),
    /** Micro-coins charged for it so far. */
    cost: bigint({ mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    /** How often it was started. */
    starts: integer().notNull().default(0),
    /** The execution that may write to it: one that was taken for dead finds another one here. */
    execution_id: uuid(),
    /** The execution's last sign of life. */
    seen_at: timestamp({ withTimezone: true }),
    /** Somebody wants it to stop. */
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
