import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Db } from '#server/core/database/database.ts'

/** Checks the ledger's invariants, which hold at any moment: nothing made, nothing lost, nothing charged twice. */
export async function expectLedgerInvariants(db: Db): Promise<void> {
  const { rows } = await db.execute(sql`
    SELECT
      (SELECT count(*)::int FROM ledger_accounts a WHERE house IS NULL AND balance <>
        (SELECT coalesce(sum(amount), 0) FROM ledger_transfers t WHERE t.credit_account_id = a.id)
        - (SELECT coalesce(sum(amount), 0) FROM ledger_transfers t WHERE t.debit_account_id = a.id)
        - (SELECT coalesce(sum(amount), 0) FROM runs r WHERE r.account_id = a.id)) AS off_balance,
      (SELECT count(*)::int FROM ledger_accounts a WHERE house IS NULL AND gift <>
        (SELECT coalesce(sum(gift), 0) FROM ledger_transfers t WHERE t.credit_account_id = a.id)
        - (SELECT coalesce(sum(gift), 0) FROM ledger_transfers t WHERE t.debit_account_id = a.id)
        - (SELECT coalesce(sum(gift), 0) FROM runs r WHERE r.account_id = a.id)) AS off_gift,
      (SELECT count(*)::int FROM ledger_accounts a WHERE held <>
        (SELECT coalesce(sum(held), 0) FROM runs r WHERE r.account_id = a.id AND r.ended_at IS NULL)) AS off_held,
      (SELECT count(*)::int FROM ledger_budgets b WHERE held <>
        (SELECT coalesce(sum(held), 0) FROM runs r WHERE b.id = ANY (r.budgets) AND r.ended_at IS NULL)) AS off_budget,
      (SELECT count(*)::int FROM runs WHERE amount < 0 OR amount > computed OR (state = 'running') <> (ended_at IS NULL)
        OR (amount > 0 AND (ended_at IS NULL OR usage_source IS NULL))) AS off_run,
      (SELECT sum(balance)::text FROM ledger_accounts WHERE house IS NOT NULL) AS house`)
  expect(rows[0]).toEqual({ off_balance: 0, off_gift: 0, off_held: 0, off_budget: 0, off_run: 0, house: '0' })
}
