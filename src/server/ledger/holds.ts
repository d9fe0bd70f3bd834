import { sql } from 'drizzle-orm'
import { AppError } from '../core/app-error.ts'
import { newId } from '../core/clock.ts'
import type { Db } from '../core/database.ts'
import { INCOME } from './accounts.ts'
import { cost } from './prices.ts'
import type { Prices, Tokens } from './prices.ts'

/**
 * Reserves micro-coins for a run. One guarded statement checks and reserves, so that no two runs can spend the same
 * coin. Throws AppError `insufficient_balance`.
 */
export async function hold(tx: Db, run_id: string, user_id: string, amount: bigint): Promise<void> {
  const { rows } = await tx.execute(sql`
    WITH account AS (
      UPDATE ledger_accounts SET held = held + ${amount}
      WHERE user_id = ${user_id} AND balance - held >= ${amount} RETURNING id
    )
    INSERT INTO ledger_holds (run_id, account_id, amount, state)
    SELECT ${run_id}::uuid, account.id, ${amount}::bigint, 'held' FROM account RETURNING run_id`)
  if (rows.length === 0) throw new AppError('insufficient_balance')
}

export type Bill = {
  run_id: string
  model: string
  platform: string
  tokens: Tokens
  usage_source: 'upstream' | 'counted'
  flagged: string | null
  prices: Prices
}

/**
 * Ends a run's hold with a charge for its tokens, once: a run that has no open hold is left alone. Charges what the
 * usage costs; where that is more than was held, what the free balance still covers, and keeps the computed amount
 * beside it. Returns the micro-coins charged.
 */
export async function settle(tx: Db, bill: Bill): Promise<bigint> {
  const computed = cost(bill.tokens, bill.prices)
  const closed = await closeHold(tx, bill.run_id, 'settled', computed)
  if (!closed) return 0n
  const { account_id, charged } = closed
  await tx.execute(sql`
    INSERT INTO ledger_bills (run_id, account_id, amount, computed, model, platform, input_tokens, output_tokens,
      cached_tokens, reasoning_tokens, usage_source, flagged, prices)
    VALUES (${bill.run_id}, ${account_id}, ${charged}, ${computed}, ${bill.model}, ${bill.platform},
      ${bill.tokens.input}, ${bill.tokens.output}, ${bill.tokens.cached}, ${bill.tokens.reasoning},
      ${bill.usage_source}, ${bill.flagged}, ${JSON.stringify(snapshot(bill.prices))}::jsonb)`)
  if (charged > 0n) await enterCharge(tx, bill.run_id, account_id, charged)
  return charged
}

/** Ends a run's hold without a charge. */
export async function release(tx: Db, run_id: string): Promise<void> {
  await closeHold(tx, run_id, 'void', 0n)
}

async function closeHold(tx: Db, run_id: string, state: 'settled' | 'void', amount: bigint) {
  const { rows } = await tx.execute<{ account_id: string; before: string; after: string }>(sql`
    WITH hold AS (
      UPDATE ledger_holds SET state = ${state}, ended_at = now()
      WHERE run_id = ${run_id} AND state = 'held' RETURNING account_id, amount
    ), before AS (
      SELECT a.id, a.balance, hold.amount FROM ledger_accounts a JOIN hold ON hold.account_id = a.id FOR UPDATE OF a
    )
    UPDATE ledger_accounts a
    SET held = a.held - before.amount,
      balance = a.balance - least(${amount}::bigint, a.balance - a.held + before.amount)
    FROM before WHERE a.id = before.id
    RETURNING a.id AS account_id, before.balance::text AS before, a.balance::text AS after`)
  const row = rows[0]
  return row && { account_id: row.account_id, charged: BigInt(row.before) - BigInt(row.after) }
}

async function enterCharge(tx: Db, run_id: string, account_id: string, amount: bigint): Promise<void> {
  const transfer = newId()
  await tx.execute(sql`
    INSERT INTO ledger_entries (id, transfer_id, account_id, amount, kind, run_id) VALUES
      (${newId()}, ${transfer}, ${account_id}, -(${amount}::bigint), 'charge', ${run_id}),
      (${newId()}, ${transfer}, ${INCOME}, ${amount}, 'charge', ${run_id})`)
}

const snapshot = (prices: Prices): Record<string, string> =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, price.toString()]))
