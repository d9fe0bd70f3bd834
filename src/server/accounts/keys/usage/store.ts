import { sql } from 'drizzle-orm'
import type { StoredPrices } from '#server/core/prices.ts'
import type { Db } from '#server/core/database/database.ts'

const DAY = sql`(r.ended_at AT TIME ZONE 'Asia/Shanghai')::date`
const TODAY = sql`(now() AT TIME ZONE 'Asia/Shanghai')::date`

/** Micro-coins. */
export type UsageFigures = { requests: number; tokens: number; amount: bigint }
/** `age` in days: today is 0. */
export type ModelDay = { model: string; age: number } & UsageFigures
/** Today's date in China, as in 2026-11-21, and the figures of 30 days up to it by model; days without use are left out. */
export type Usage = { today: string; rows: ModelDay[] }

/** The longest time between a run's start, by which runs are found, and its end, by whose day they are counted. */
const MAX_RUN_DAYS = 1

/**
 * Loads the bills within a key's budget by model and day. Runs of the owner's account are found by their time; of these the ones
 * that the budget paid for count.
 */
export async function loadUsage(db: Db, userId: string, budget: string): Promise<Usage> {
  const { rows } = await db.execute<{
    today: string
    model: string | null
    age: number
    requests: number
    tokens: string
    amount: string
  }>(sql`
    WITH billed AS (
      SELECT r.model, ${TODAY} - ${DAY} AS age, r.input_tokens::bigint + r.output_tokens AS tokens, r.amount
      FROM runs r JOIN ledger_accounts a ON a.id = r.account_id
      WHERE a.user_id = ${userId} AND r.started_at > now() - make_interval(days => ${31 + MAX_RUN_DAYS})
        AND r.usage_source IS NOT NULL AND ${TODAY} - ${DAY} < 30 AND ${budget}::uuid = ANY (r.budgets)
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
  kind: string
  /** Kind of the budget that it was paid within. */
  budget: 'key' | 'widget' | null
}

/** The bill of one of the user's runs; undefined when there is none. `created_at` in milliseconds since 1970. */
export async function findBill(db: Db, userId: string, runId: string): Promise<BillRow | undefined> {
  const { rows } = await db.execute<BillRow>(sql`
    SELECT r.amount::text, r.model, r.input_tokens, r.output_tokens, r.cached_tokens, r.cache_write_tokens, r.units,
      r.times, r.prices, round(extract(epoch FROM r.ended_at) * 1000)::text AS created_at, r.kind,
      (SELECT min(b.kind) FROM ledger_budgets b WHERE b.id = ANY (r.budgets) AND b.kind IN ('key', 'widget')) AS budget
    FROM runs r JOIN ledger_accounts a ON a.id = r.account_id
    WHERE a.user_id = ${userId} AND r.id = ${runId} AND r.usage_source IS NOT NULL`)
  return rows[0]
}
