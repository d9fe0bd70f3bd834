import { sql } from 'drizzle-orm'
import type { StoredPrices } from '#server/core/prices.ts'
import type { Db } from '#server/core/database/database.ts'

const DAY = sql`(b.created_at AT TIME ZONE 'Asia/Shanghai')::date`
const TODAY = sql`(now() AT TIME ZONE 'Asia/Shanghai')::date`

/** Micro-coins. */
export type UsageFigures = { requests: number; tokens: number; amount: bigint }
/** `age` in days: today is 0. */
export type ModelDay = { model: string; age: number } & UsageFigures
/** Today's date in China, as in 2026-11-21, and the last 30 days with it by model; days without use are left out. */
export type Usage = { today: string; rows: ModelDay[] }

/**
 * What was billed within a key's budget by model and day. Only of the owner's account: its bills are found by their
 * time, and of those the ones that the budget paid for.
 */
export async function loadUsage(db: Db, user_id: string, budget: string): Promise<Usage> {
  const { rows } = await db.execute<{
    today: string
    model: string | null
    age: number
    requests: number
    tokens: string
    amount: string
  }>(sql`
    WITH billed AS (
      SELECT b.model, ${TODAY} - ${DAY} AS age, b.input_tokens::bigint + b.output_tokens AS tokens, b.amount
      FROM ledger_bills b
      JOIN ledger_accounts a ON a.id = b.account_id
      JOIN ledger_holds h ON h.run_id = b.run_id
      WHERE a.user_id = ${user_id} AND b.created_at > now() - interval '31 days' AND ${TODAY} - ${DAY} < 30
        AND h.budgets @> ${JSON.stringify([budget])}::jsonb
    )
    SELECT ${TODAY}::text AS today, model, age, count(model)::int AS requests, sum(tokens)::text AS tokens,
      sum(amount)::text AS amount
    FROM (SELECT) AS always LEFT JOIN billed ON true
    GROUP BY model, age`)
  return {
    today: rows[0]!.today,
    rows: rows.flatMap(({ model, age, requests, tokens, amount }) =>
      model === null ? [] : [{ model, age, requests, tokens: Number(tokens), amount: BigInt(amount) }],
    ),
  }
}

export type BillRow = {
  amount: string
  model: string
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  units: number
  times: number
  prices: StoredPrices
  created_at: string
  kind: string | null
  /** Of a budget that it was paid within. */
  budget: 'key' | 'widget' | null
}

/** The bill of a run of the user's; undefined when there is none. `created_at` in milliseconds since 1970. */
export async function findBill(db: Db, user_id: string, run_id: string): Promise<BillRow | undefined> {
  const { rows } = await db.execute<BillRow>(sql`
    SELECT b.amount::text, b.model, b.input_tokens, b.output_tokens, b.cached_tokens, b.cache_write_tokens, b.units,
      b.times, b.prices, round(extract(epoch FROM b.created_at) * 1000)::text AS created_at, r.kind,
      (SELECT min(l.kind) FROM ledger_holds h, jsonb_array_elements_text(h.budgets) AS budget(id)
        JOIN ledger_budgets l ON l.id = budget.id::uuid AND l.kind IN ('key', 'widget') WHERE h.run_id = b.run_id) AS budget
    FROM ledger_bills b JOIN ledger_accounts a ON a.id = b.account_id LEFT JOIN runs r ON r.id = b.run_id
    WHERE a.user_id = ${user_id} AND b.run_id = ${run_id}`)
  return rows[0]
}
