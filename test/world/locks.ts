import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Db } from '#server/core/database/database.ts'

/** Locks the rows that a statement selects, until the release. For PostgreSQL: the embedded database has one connection. */
export async function lockRows(db: Db, rows: SQL): Promise<{ release: () => Promise<void> }> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.transaction(async (tx) => {
    await tx.execute(rows)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return {
    async release() {
      released.resolve()
      await holding
    },
  }
}

/** Waits until this many statements wait for a lock, or another condition holds. */
export async function waitForWaiting(
  db: Db,
  count: number,
  isDone: () => boolean | Promise<boolean> = () => false,
): Promise<void> {
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await db.execute(sql`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
    return rows.length >= count || isDone()
  }
  await expect.poll(isWaiting, { interval: 20 }).toBe(true)
}
