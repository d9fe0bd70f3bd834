import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { getFunds } from '#server/ledger/ledger.ts'
import { useOwnWorld } from '../world/use-world.ts'
import {
  createBill,
  createFundedUser,
  findAccountId,
  findPaidByGift,
  holdAll,
  settleAll,
} from './hold-and-settle.ts'
import { expectLedgerInvariants } from './invariants.ts'

const world = useOwnWorld()
let db: Db
beforeAll(async () => {
  db = world.db()
})

type Account = { balance: bigint; gift: bigint; limits: (bigint | null)[] }
type Request = { payer: number; budgets: number[]; amount: number; least: number; computed: number }
const account: fc.Arbitrary<Account> = fc.record({
  balance: fc.bigInt({ min: 1n, max: 150n }),
  gift: fc.bigInt({ min: 0n, max: 150n }),
  limits: fc.array(fc.option(fc.bigInt({ min: 0n, max: 120n })), { minLength: 2, maxLength: 2 }),
})
const request: fc.Arbitrary<Request> = fc.record({
  payer: fc.nat({ max: 1 }),
  budgets: fc.subarray([0, 1, 2]),
  amount: fc.integer({ min: 0, max: 60 }),
  least: fc.integer({ min: 0, max: 60 }),
  computed: fc.integer({ min: 0, max: 90 }),
})

/** Holds and settles for two accounts, each with two budgets (a third is unknown), and returns the outcome of all of it. */
async function play(accounts: Account[], requests: Request[], isBatch: boolean) {
  const payers = await Promise.all(
    accounts.map(async ({ balance, gift, limits }) => {
      const userId = await createFundedUser(db, balance, gift < balance ? gift : balance)
      const budgets = [createId(), createId()]
      for (const [nth, limit] of limits.entries()) {
        await db.execute(sql`INSERT INTO ledger_budgets (id, kind, spend_limit)
          VALUES (${budgets[nth]}, ${nth ? 'member' : 'key'}, ${limit})`)
      }
      return {
        user_id: userId,
        account_id: await findAccountId(db, userId),
        budgets: [...budgets, createId()],
      }
    }),
  )
  const holds = requests.map(({ payer, budgets, amount, least }) => ({
    id: createId(),
    account_id: payers[payer]!.account_id,
    amount: BigInt(amount),
    min_amount: BigInt(Math.min(amount, least)),
    budgets: budgets.map((nth) => payers[payer]!.budgets[nth]!),
  }))
  const bills = holds.map(({ id }, nth) =>
    nth % 5 === 4 ? { run_id: id, void: true as const } : createBill(id, requests[nth]!.computed),
  )
  const decisions = isBatch ? await holdAll(db, holds) : []
  const read = () =>
    Promise.all(
      payers.map(async ({ user_id, budgets }) => {
        const { rows } = await db.execute(sql`
          SELECT used, held FROM ledger_budgets WHERE id IN (${budgets[0]}, ${budgets[1]}) ORDER BY kind`)
        return { ...(await getFunds(db, user_id)), budgets: rows }
      }),
    )
  if (!isBatch) for (const one of holds) decisions.push(...(await holdAll(db, [one])))
  const afterHolds = await read()
  const charged = isBatch ? await settleAll(db, bills) : []
  if (!isBatch) for (const one of bills) charged.push(...(await settleAll(db, [one])))
  const gifts = await Promise.all(holds.map(({ id }) => findPaidByGift(db, id)))
  return { decisions, after_holds: afterHolds, charged, gifts, after: await read() }
}

test(
  'a batch comes to what its runs come to one by one, whatever is short',
  { timeout: 3_600_000 },
  async () => {
    const accounts = fc.array(account, { minLength: 2, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(
        accounts,
        fc.array(request, { minLength: 1, maxLength: 10 }),
        async (some, requests) => {
          expect(await play(some, requests, true)).toEqual(await play(some, requests, false))
        },
      ),
      { numRuns: process.env.FAULTS_FULL ? 2_000 : 30 },
    )
    await expectLedgerInvariants(db)
  },
)

test('a batch that names a run twice fails, and what it named can be settled afterwards', async () => {
  const userId = await createFundedUser(db, 100n)
  const [id, other] = [createId(), createId()]
  const accountId = await findAccountId(db, userId)
  await holdAll(
    db,
    [id, other].map((one) => ({ id: one, account_id: accountId, amount: 20n })),
  )
  const bills = [createBill(id, 10), createBill(other, 10), createBill(id, 15)]
  await expect(settleAll(db, bills)).rejects.toThrow()
  expect(await getFunds(db, userId)).toEqual({ balance: 100n, free: 60n, gift: 0n })
  expect(await settleAll(db, bills.slice(0, 2))).toEqual([10n, 10n])
  expect(await getFunds(db, userId)).toEqual({ balance: 80n, free: 80n, gift: 0n })
  await expectLedgerInvariants(db)
})
