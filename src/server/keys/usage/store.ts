import { sql } from 'drizzle-orm'
import type { Prices } from '../../core/coins.ts'
import type { Db } from '../../core/database.ts'

const DAY = sql`(b.created_at AT TIME ZONE 'Asia/Shanghai')::date`
const TODAY = sql`(now() AT TIME ZONE 'Asia/Shanghai')::date`

/** Micro-coins. */
export type Figures = { requests: number; tokens: number; amount: bigint }
/** `days`: today alone, or the last 7 or 30 with it. */
export type ModelUsage = { model: string; days: 1 | 7 | 30 } & Figures

/**
 * What was billed within a key's budget by model and period. Only of the owner's account: its bills are found by their
 * time, and of those the ones that the budget paid for.
 */
export async function usageOf(db: Db, user_id: string, budget: string): Promise<ModelUsage[]> {
  const { rows } = await db.execute<{
    model: string
    days: 1 | 7 | 30
    requests: number
    tokens: string
    amount: string
  }>(sql`
    SELECT b.model, period.days, count(*)::int AS requests, sum(b.amount)::text AS amount,
      sum(b.input_tokens::bigint + b.output_tokens)::text AS tokens
    FROM ledger_bills b
    JOIN ledger_accounts a ON a.id = b.account_id
    JOIN ledger_holds h ON h.run_id = b.run_id
    JOIN (VALUES (1), (7), (30)) AS period(days) ON ${DAY} > ${TODAY} - period.days
    WHERE a.user_id = ${user_id} AND b.created_at > now() - interval '31 days'
      AND h.budgets @> ${JSON.stringify([budget])}::jsonb
    GROUP BY 1, 2`)
  return rows.map(({ tokens, amount, ...row }) => ({
    ...row,
    tokens: Number(tokens),
    amount: BigInt(amount),
  }))
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
  prices: Record<keyof Prices, string>
  created_at: string
  kind: string | null
  budgeted: boolean
}

/** The bill of a run of the user's; undefined when there is none. `created_at` in milliseconds since 1970. */
export async function billOf(db: Db, user_id: string, run_id: string): Promise<BillRow | undefined> {
  const { rows } = await db.execute<BillRow>(sql`
    SELECT b.amount::text, b.model, b.input_tokens, b.output_tokens, b.cached_tokens, b.cache_write_tokens, b.units,
      b.times, b.prices, round(extract(epoch FROM b.created_at) * 1000)::text AS created_at, r.kind,
      EXISTS (SELECT FROM ledger_holds h, jsonb_array_elements_text(h.budgets) AS budget(id)
        JOIN api_keys k ON k.id = budget.id::uuid WHERE h.run_id = b.run_id) AS budgeted
    FROM ledger_bills b JOIN ledger_accounts a ON a.id = b.account_id LEFT JOIN runs r ON r.id = b.run_id
    WHERE a.user_id = ${user_id} AND b.run_id = ${run_id}`)
  return rows[0]
}
