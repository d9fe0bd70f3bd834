import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database.ts'
import { decisionOf, holding } from '#server/ledger/holds.ts'
import type { Decision, HoldRequest, HoldRow } from '#server/ledger/holds.ts'
import { endingRow, settling } from '#server/ledger/settle.ts'
import type { Ending } from '#server/ledger/settle.ts'

// Steps of the ledger without the runs that they are for.

/** Reserves micro-coins; returns what became of each hold, in order. */
export async function holdAll(db: Db, requests: HoldRequest[]): Promise<Decision[]> {
  const { rows } = await db.execute<HoldRow>(sql`SELECT * FROM ${holding(requests)}`)
  return rows.map(decisionOf)
}

/** Ends holds; returns the micro-coins charged for each, in order. */
export async function settleAll(db: Db, endings: Ending[]): Promise<bigint[]> {
  const ended = sql`${JSON.stringify(endings.map(endingRow))}::json`
  const { rows } = await db.execute<{ run_id: string; charged: string }>(
    sql`SELECT run_id, charged::text FROM ${settling(ended)}`,
  )
  const charged = new Map(rows.map((row) => [row.run_id, BigInt(row.charged)]))
  return endings.map(({ run_id }) => charged.get(run_id) ?? 0n)
}
