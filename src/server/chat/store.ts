import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'

/** Counts one turn of a guest against every key at once; false, and nothing counted, when one has used up its limit. */
export async function countGuestTurn(
  tx: Db,
  day: string,
  limits: { key: string; max: number }[],
): Promise<boolean> {
  for (const { key, max } of limits) {
    const { rows } = await tx.execute(sql`
      INSERT INTO guest_turns (day, key, turns) SELECT ${day}, ${key}, 1 WHERE ${max}::int > 0
      ON CONFLICT (day, key) DO UPDATE SET turns = guest_turns.turns + 1 WHERE guest_turns.turns < ${max}
      RETURNING turns`)
    if (rows.length === 0) return false
  }
  return true
}

/** Removes what only counted for days gone by. */
export async function sweepGuestTurns(db: Db, today: string): Promise<void> {
  await db.execute(sql`DELETE FROM guest_turns WHERE day < ${today}`)
}
