import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { holdSql, settleSql, toHoldDecision, toSettlementRow } from '#server/ledger/ledger.ts'
import type { HoldDecision, HoldRequest, HoldRow, Settlement } from '#server/ledger/ledger.ts'

// Steps of the ledger without the runs that they are for.

export async function findAccountId(db: Db, user_id: string): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id FROM ledger_accounts WHERE user_id = ${user_id}`,
  )
  return rows[0]!.id
}

/** Reserves micro-coins; returns what became of each hold, in order. */
export async function holdAll(db: Db, requests: HoldRequest[]): Promise<HoldDecision[]> {
  const { rows } = await db.execute<HoldRow>(sql`SELECT * FROM ${holdSql(requests)}`)
  return rows.map(toHoldDecision)
}

/** Ends holds; returns the micro-coins charged for each, in order. */
export async function settleAll(db: Db, endings: Settlement[]): Promise<bigint[]> {
  const ended = sql`${JSON.stringify(endings.map(toSettlementRow))}::json`
  const { rows } = await db.execute<{ run_id: string; charged: string }>(
    sql`SELECT run_id, charged::text FROM ${settleSql(ended)}`,
  )
  const charged = new Map(rows.map((row) => [row.run_id, BigInt(row.charged)]))
  return endings.map(({ run_id }) => charged.get(run_id) ?? 0n)
}
