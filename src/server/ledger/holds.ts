import { sql } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import type { Db } from '../core/database.ts'
import { decide } from './decide.ts'
import type { Funds, Granted, HoldRequest, Refused } from './decide.ts'

const REFUSALS: Record<'key' | 'organization', ErrorCode> = {
  key: 'key_limit_reached',
  organization: 'organization_limit_reached',
}

/**
 * Reserves micro-coins for runs, many in one go; returns what was granted or why not for each, in order. The rows of
 * accounts and budgets are locked (in the order of their ids, so that two batches cannot block each other) before
 * anything is decided, so that no two runs can spend the same coin; the tables' own checks stand behind that.
 */
export async function holdAll(tx: Db, requests: HoldRequest[]): Promise<(Granted | Refused)[]> {
  const decisions = decide(requests, await lockFunds(tx, requests))
  const granted = decisions.filter((decision) => decision.refusal === null)
  if (granted.length) await reserve(tx, granted)
  return decisions
}

async function lockFunds(tx: Db, requests: HoldRequest[]): Promise<Funds> {
  const users = [...new Set(requests.map(({ user_id }) => user_id))]
  const accounts = await tx.execute<{ id: string; user_id: string; free: string }>(sql`
    SELECT id, user_id, (balance - held)::text AS free FROM ledger_accounts
    WHERE user_id IN (SELECT value::uuid FROM json_array_elements_text(${JSON.stringify(users)}::json))
    ORDER BY id FOR UPDATE`)
  const named = [...new Set(requests.flatMap(({ budgets }) => budgets ?? []))]
  return {
    accounts: new Map(accounts.rows.map(({ id, user_id, free }) => [user_id, { id, free: BigInt(free) }])),
    budgets: named.length ? await lockBudgets(tx, named) : new Map(),
  }
}

async function lockBudgets(tx: Db, ids: string[]): Promise<Funds['budgets']> {
  const { rows } = await tx.execute<{ id: string; kind: 'key' | 'organization'; left: string | null }>(sql`
    SELECT id, kind, (spend_limit - used - held)::text AS left FROM ledger_budgets
    WHERE id IN (SELECT value::uuid FROM json_array_elements_text(${JSON.stringify(ids)}::json))
    ORDER BY id FOR UPDATE`)
  return new Map(
    rows.map(({ id, kind, left }) => [
      id,
      { left: left === null ? null : BigInt(left), refusal: REFUSALS[kind] },
    ]),
  )
}

async function reserve(tx: Db, holds: Granted[]): Promise<void> {
  const rows = holds.map(({ request: { run_id, budgets = [] }, account_id, granted }) => ({
    run_id,
    account_id,
    amount: granted.toString(),
    budgets,
  }))
  await tx.execute(sql`
    WITH hold AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS hold(run_id uuid, account_id uuid, amount bigint, budgets jsonb)
    ), account AS (
      UPDATE ledger_accounts a SET held = a.held + sums.amount
      FROM (SELECT account_id, sum(amount)::bigint AS amount FROM hold GROUP BY account_id) sums
      WHERE a.id = sums.account_id
    ), budget AS (
      UPDATE ledger_budgets b SET held = b.held + sums.amount
      FROM (SELECT id::uuid, sum(amount)::bigint AS amount FROM hold, jsonb_array_elements_text(budgets) AS id
        GROUP BY id) sums
      WHERE b.id = sums.id
    )
    INSERT INTO ledger_holds (run_id, account_id, amount, budgets, state)
    SELECT run_id, account_id, amount, budgets, 'held' FROM hold`)
}
