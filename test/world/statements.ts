import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'

/**
 * Statements of background work, independent of requests: transactions' frames, heartbeats, jobs with their orders, rewards and
 * balances, tasks (except a person's list of them), housekeeping, running answers and their cancellations.
 */
const BACKGROUND =
  /^\s*(BEGIN|COMMIT|ROLLBACK|SET |VACUUM|CHECKPOINT)|run_hosts|pgboss|queried_at" <|NOT u\.invite_rewarded|SET is_low|\btasks\b(?! WHERE user_id = \$1\s*(?:ORDER|$))|INSERT INTO run_chunks|DELETE FROM run_|AND \(?stop_asked|pg_stat_user_tables|pg_control_checkpoint/i

/**
 * Counts the statements that the app sends to its database, at the driver: `pg` for PostgreSQL, the worker's messages for
 * the embedded one.
 */
export function useStatements(): { take(): string[] } {
  let statements: string[] = []
  const note = (text: unknown): void => {
    if (typeof text === 'string' && !BACKGROUND.test(text)) statements.push(text)
  }
  const originals = {
    query: Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown,
    post: Reflect.get(Worker.prototype, 'postMessage') as (...args: unknown[]) => void,
  }
  beforeAll(() => {
    pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
      note(typeof args[0] === 'object' && args[0] ? (args[0] as { text?: string }).text : args[0])
      return Reflect.apply(originals.query, this, args)
    } as typeof pg.Client.prototype.query
    Worker.prototype.postMessage = function postMessage(this: Worker, ...args: unknown[]) {
      const message = args[0] as { op?: string; text?: string } | null
      if (message?.op === 'query') note(message.text)
      Reflect.apply(originals.post, this, args)
    } as typeof Worker.prototype.postMessage
  })
  afterAll(() => {
    Object.assign(pg.Client.prototype, { query: originals.query })
    Object.assign(Worker.prototype, { postMessage: originals.post })
  })
  return {
    /** Returns the statements since the last call. */
    take() {
      const taken = statements
      statements = []
      return taken
    },
  }
}
