import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { toMicroCoins } from '#server/core/coins.ts'
import { debitAccount, getFunds } from '#server/ledger/ledger.ts'
import { grant } from '../organizations/organization.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { step, takeSteps } from './gift-steps.ts'
import { createBill, findAccountId, holdAll, settleAll } from './hold-and-settle.ts'
import { expectLedgerInvariants } from './invariants.ts'

const world = useOwnWorld()

/** Steps of a search, and number of searches. */
const STEPS = 50
const SEARCHES = process.env.FAULTS_FULL ? 2_000 : 3

/** Checks that the micro-coins besides gift coins equal all that came in less all that went out. */
async function expectNoGiftBecameReal(): Promise<void> {
  const { rows } = await world.db().execute(sql`
    SELECT (SELECT sum(balance - gift) FROM ledger_accounts)
      + (SELECT coalesce(sum(amount - gift), 0) FROM runs)
      + (SELECT coalesce(sum(amount - gift), 0) FROM ledger_transfers WHERE kind IN ('refund', 'forfeit'))
      - (SELECT coalesce(sum(amount), 0) FROM ledger_transfers WHERE kind IN ('grant', 'recharge')) AS made,
      (SELECT count(*)::int FROM ledger_transfers WHERE kind IN ('signup', 'reward') AND gift <> amount) AS off`)
  expect(rows).toEqual([{ made: '0', off: 0 }])
}

test(
  `no ${STEPS * SEARCHES} steps bring gift coins to another account, and all others are where they should be`,
  { timeout: 7_200_000 },
  async () => {
    const search = fc.array(step, { minLength: STEPS, maxLength: STEPS })
    const isRight = fc.asyncProperty(search, (steps) => takeSteps(world, steps))
    await fc.assert(isRight, { numRuns: SEARCHES })
    await expectNoGiftBecameReal()
    await expectLedgerInvariants(world.db())
  },
)

test('deposits, refunds and runs at the same moment take no gift coin along', async () => {
  const client = await world.user()
  const { uuid: userId } = await client.call('GET /api/user/info', {})
  const { uuid: id } = await client.call('POST /api/organization', { body: { name: '同时' } })
  await grant(world, client, 60)
  const db = world.db()
  const accountId = await findAccountId(db, userId)
  const ask = async (): Promise<bigint> => {
    const runId = createId()
    const [held] = await holdAll(db, [{ id: runId, account_id: accountId, amount: toMicroCoins(8) }])
    return held!.refusal === null ? (await settleAll(db, [createBill(runId, 4_000_000)]))[0]! : 0n
  }
  const deposit = () =>
    client.call('POST /api/organization/{id}/deposit', { params: { id }, body: { coins: 5 } }).then(
      () => toMicroCoins(5),
      () => 0n,
    )
  const refund = async () => {
    const amount = toMicroCoins(5)
    return (await debitAccount(db, { user_id: userId, amount, kind: 'refund' })) ? amount : 0n
  }
  const doOften = async (act: () => Promise<bigint>): Promise<bigint> =>
    (await Promise.all(Array.from({ length: 10 }, act))).reduce((sum, amount) => sum + amount, 0n)
  const [charged, deposited, refunded] = await Promise.all([ask, deposit, refund].map(doOften))
  const gift = toMicroCoins(50) - charged!
  const rest = toMicroCoins(60) - deposited! - refunded!
  expect(await getFunds(db, userId)).toEqual({ balance: gift + rest, free: gift + rest, gift })
  await expectNoGiftBecameReal()
})
