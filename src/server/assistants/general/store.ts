import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'

/**
 * Counts turns of a visitor without an account under each key, and returns the day's sums in the same order. The rows stay locked
 * until the transaction ends: a caller that finds a limit exceeded rolls it back, and nothing is counted.
 */
export async function countTurns(tx: Db, day: string, keys: string[], turns: number): Promise<number[]> {
  const { rows } = await tx.execute<{ key: string; turns: number }>(sql`
    INSERT INTO guest_turns (day, key, turns)
    SELECT ${day}, key, ${turns}::int FROM json_array_elements_text(${JSON.stringify(keys)}::json) AS key
    ON CONFLICT (day, key) DO UPDATE SET turns = guest_turns.turns + excluded.turns
    RETURNING key, turns`)
  return keys.map((key) => rows.find((row) => row.key === key)!.turns)
}

/** Deletes the counts of past days. */
export async function sweepGuestTurns(db: Db, today: string): Promise<void> {
  await db.execute(sql`DELETE FROM guest_turns WHERE day < ${today}`)
}
