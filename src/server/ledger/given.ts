import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'

/** Micro-coins that the operator gave on a day (`2026-11-21`). */
export type Given = { day: string; amount: bigint }

/**
 * Counts coins that the operator is about to give: answers that it pays for, first coins. Returns the sum of the day; or null,
 * without counting, when it would exceed `max`. The day's row is locked until the transaction ends.
 */
export async function takeGiven(tx: Db, { day, amount }: Given, max: bigint): Promise<bigint | null> {
  const { rows } = await tx.execute<{ amount: string }>(sql`
    INSERT INTO ledger_given AS given (day, amount)
    SELECT ${day}, ${amount}::bigint WHERE ${amount}::bigint <= ${max}::bigint
    ON CONFLICT (day) DO UPDATE SET amount = given.amount + excluded.amount
    WHERE given.amount + excluded.amount <= ${max}::bigint
    RETURNING amount::text`)
  return rows[0] ? BigInt(rows[0].amount) : null
}

/** Counts less for a day, when fewer coins were given than expected. */
export async function returnGiven(tx: Db, { day, amount }: Given): Promise<void> {
  await tx.execute(sql`
    UPDATE ledger_given SET amount = greatest(amount - ${amount}::bigint, 0) WHERE day = ${day}`)
}
