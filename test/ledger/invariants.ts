import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Db } from '#server/core/database/database.ts'

/** What must be true of the ledger at any moment: nothing made, nothing lost, nothing charged twice. */
export async function expectLedgerInvariants(db: Db): Promise<void> {
  const { rows } = await db.execute(sql`
    SELECT
      (SELECT coalesce(sum(amount), 0)::text FROM ledger_entries) AS sum,
      (SELECT count(*)::int FROM ledger_accounts a WHERE user_id IS NOT NULL AND balance <>
        (SELECT coalesce(sum(amount), 0) FROM ledger_entries e WHERE e.account_id = a.id)) AS off_balance,
      (SELECT count(*)::int FROM ledger_accounts a WHERE held <>
        (SELECT coalesce(sum(amount), 0) FROM ledger_holds h WHERE h.account_id = a.id AND state = 'held')) AS off_held,
      (SELECT count(*)::int FROM ledger_bills b WHERE amount <>
        (SELECT coalesce(-sum(amount), 0) FROM ledger_entries e
          WHERE e.run_id = b.run_id AND e.account_id = b.account_id)) AS off_bill,
      (SELECT count(*)::int FROM (
        SELECT run_id FROM ledger_entries WHERE run_id IS NOT NULL GROUP BY run_id HAVING count(*) <> 2) twice) AS twice`)
  expect(rows[0]).toEqual({ sum: '0', off_balance: 0, off_held: 0, off_bill: 0, twice: 0 })
}
