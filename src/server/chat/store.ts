import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'

/**
 * Counts one turn of a guest under each key, and returns the turns of the day with it in the same order. The rows stay
 * locked until the transaction ends: who finds a limit passed rolls it back, and nothing was counted.
 */
export async function countGuestTurn(tx: Db, day: string, keys: string[]): Promise<number[]> {
  const { rows } = await tx.execute<{ key: string; turns: number }>(sql`
    INSERT INTO guest_turns (day, key, turns)
    SELECT ${day}, key, 1 FROM json_array_elements_text(${JSON.stringify(keys)}::json) AS key
    ON CONFLICT (day, key) DO UPDATE SET turns = guest_turns.turns + 1
    RETURNING key, turns`)
  return keys.map((key) => rows.find((row) => row.key === key)!.turns)
}

/** Removes what only counted for days gone by. */
export async function sweepGuestTurns(db: Db, today: string): Promise<void> {
  await db.execute(sql`DELETE FROM guest_turns WHERE day < ${today}`)
}
