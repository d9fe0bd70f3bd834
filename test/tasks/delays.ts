import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'

/** Lets the time pass for which tasks wait for another try. */
export const passDelays = (db: Db): Promise<unknown> =>
  db.execute(sql`UPDATE tasks SET retry_at = now() WHERE state = 'waiting' AND retry_at > now()`)

/** Does the same up to the last try, after which their failure is final. Returns the number of tasks. */
export async function exhaustDelays(db: Db): Promise<number> {
  const { rows } = await db.execute(sql`
    UPDATE tasks SET retry_at = now(), delays = 1000 WHERE state = 'waiting' AND retry_at IS NOT NULL RETURNING id`)
  return rows.length
}
