import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import type { Db } from '#server/core/database/database.ts'
import { AppError } from '#server/core/app-error.ts'
import { creditAccount, getFunds } from '#server/ledger/ledger.ts'
import {
  calculateAffordableOutput,
  calculateCost,
  calculateMaxCost,
  FREE_PRICES,
  toOperationTokens,
} from '#server/ledger/ledger.ts'
import type { Picture, Tokens } from '#server/ledger/ledger.ts'
import type { BillDetails } from '#server/runs/bill.ts'
import { parsePrices } from '#server/core/prices.ts'
import type { Prices, StoredPrices } from '#server/core/prices.ts'
import { expectLedgerInvariants } from './invariants.ts'
import {
  createBill,
  createFundedUser,
  findAccountId,
  holdAll,
  settleAll,
  UNIT_PRICES,
} from './hold-and-settle.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld()
let db: Db
beforeAll(async () => {
  db = world.db()
})

async function hold(
  tx: Db,
  runId: string,
  userId: string,
  amount: bigint,
  budgets: string[] = [],
): Promise<void> {
  const accountId = await findAccountId(tx, userId)
  const [decision] = await holdAll(tx, [{ id: runId, account_id: accountId, amount, budgets }])
  if (decision?.refusal) throw new AppError(decision.refusal)
}
const settle = async (tx: Db, ending: ReturnType<typeof createBill>): Promise<bigint> =>
  (await settleAll(tx, [ending]))[0]!
const release = (tx: Db, runId: string) => settleAll(tx, [{ run_id: runId, void: true }])

describe('the ledger', () => {
  test('lets exactly as many spends through as the balance pays for, however many come at once', async () => {
    const userId = await createFundedUser(db, 10n)
    const spends = await Promise.allSettled(
      Array.from({ length: 200 }, () => db.transaction((tx) => hold(tx, createId(), userId, 1n))),
    )
    expect(spends.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    for (const spend of spends) {
      if (spend.status === 'rejected') expect((spend.reason as AppError).code).toBe('insufficient_balance')
    }
    expect(await getFunds(db, userId)).toEqual({ balance: 10n, free: 0n, gift: 0n })
    await expectLedgerInvariants(db)
  })

  test('checks balance, key and member together, and lowering a limit counts for the very next hold', async () => {
    const [rich, poor] = [await createFundedUser(db, 1_000n), await createFundedUser(db, 3n)]
    const [key, member] = [createId(), createId()]
    await db.execute(sql`INSERT INTO ledger_budgets (id, kind, spend_limit) VALUES
      (${key}, 'key', 10), (${member}, 'member', 15)`)
    const spend = (userId: string, budgets: string[]) =>
      db
        .transaction((tx) => hold(tx, createId(), userId, 1n, budgets))
        .then(() => 'held')
        .catch((error: AppError) => error.code)
    const spends = [
      ...Array.from({ length: 50 }, () => spend(rich, [key, member])),
      ...Array.from({ length: 5 }, () => spend(poor, [member])),
    ]
    const counts = Object.entries(Object.groupBy(await Promise.all(spends), (code) => code))
    expect(Object.fromEntries(counts.map(([code, all]) => [code, all!.length]))).toEqual({
      held: 13,
      key_limit_reached: 40,
      insufficient_balance: 2,
    })
    await Promise.all(Array.from({ length: 5 }, () => spend(rich, [member])))
    expect(await spend(rich, [member])).toBe('organization_limit_reached')
    await db.execute(sql`UPDATE ledger_budgets SET spend_limit = null WHERE id = ${member}`)
    expect(await spend(rich, [member])).toBe('held')
    await db.execute(sql`UPDATE ledger_budgets SET spend_limit = 4 WHERE id = ${member}`)
    expect(await spend(rich, [member])).toBe('organization_limit_reached')
    const held = await db.execute<{ run_id: string }>(
      sql`SELECT id AS run_id FROM runs WHERE ended_at IS NULL AND budgets <> '{}'`,
    )
    const charged = await db.transaction((tx) =>
      settleAll(
        tx,
        held.rows.map(({ run_id }) => createBill(run_id, 1)),
      ),
    )
    const { rows } = await db.execute(sql`SELECT used::int, held::int FROM ledger_budgets ORDER BY kind`)
    expect(rows).toEqual([
      { used: 10, held: 0 },
      { used: charged.length, held: 0 },
    ])
    await expectLedgerInvariants(db)
  })

  test('settles a hold once, however often and from however many sides it is asked to', async () => {
    const userId = await createFundedUser(db, 1_000n)
    const runId = createId()
    await db.transaction((tx) => hold(tx, runId, userId, 100n))
    const charges = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        db.transaction(async (tx) =>
          nth % 3 === 2 ? (await release(tx, runId), 0n) : settle(tx, createBill(runId, 30)),
        ),
      ),
    )
    const charged = charges.reduce((sum, charge) => sum + charge, 0n)
    expect([0n, 30n]).toContain(charged)
    expect(await getFunds(db, userId)).toEqual({
      balance: 1_000n - charged,
      free: 1_000n - charged,
      gift: 0n,
    })
    await expectLedgerInvariants(db)
  })

  test('charges beyond the hold only what is free, never below zero, and keeps what it came to', async () => {
    const userId = await createFundedUser(db, 100n)
    const [other, runId] = [createId(), createId()]
    await db.transaction((tx) => hold(tx, other, userId, 60n))
    await db.transaction((tx) => hold(tx, runId, userId, 10n))
    expect(await db.transaction((tx) => settle(tx, createBill(runId, 1_000)))).toBe(40n)
    expect(await getFunds(db, userId)).toEqual({ balance: 60n, free: 0n, gift: 0n })
    const { rows } = await db.execute(sql`SELECT amount::text, computed::text FROM runs WHERE id = ${runId}`)
    expect(rows).toEqual([{ amount: '40', computed: '1000' }])
    expect(await db.transaction((tx) => settle(tx, createBill(other, 60)))).toBe(60n)
    await expectLedgerInvariants(db)
  })

  test('a model of it and itself agree after any steps', { timeout: 3_600_000 }, async () => {
    type Step = { kind: 'credit' | 'hold' | 'settle' | 'release'; amount: number; which: number }
    const step: fc.Arbitrary<Step> = fc.record({
      kind: fc.constantFrom('credit', 'hold', 'hold', 'settle', 'release'),
      amount: fc.integer({ min: 1, max: 50 }),
      which: fc.nat({ max: 9 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const userId = await createFundedUser(db, 20n)
        let [balance, held] = [20n, 0n]
        const holds: { run_id: string; amount: bigint }[] = []
        for (const { kind, amount: size, which } of steps) {
          const amount = BigInt(size)
          const [open] = kind === 'settle' || kind === 'release' ? holds.splice(which, 1) : []
          if (kind === 'credit') {
            await creditAccount(db, { user_id: userId, amount, kind: 'grant' })
            balance += amount
          } else if (kind === 'hold') {
            const runId = createId()
            const refused = await db
              .transaction((tx) => hold(tx, runId, userId, amount))
              .catch((error: AppError) => error.code)
            expect(refused).toBe(balance - held >= amount ? undefined : 'insufficient_balance')
            if (!refused) {
              held += amount
              holds.push({ run_id: runId, amount })
            }
          } else if (open) {
            const free = balance - held + open.amount
            const charged = kind === 'release' ? 0n : amount < free ? amount : free
            await db.transaction<unknown>((tx) =>
              kind === 'release' ? release(tx, open.run_id) : settle(tx, createBill(open.run_id, size)),
            )
            balance -= charged
            held -= open.amount
          }
          expect(await getFunds(db, userId)).toEqual({ balance, free: balance - held, gift: 0n })
        }
      }),
      { numRuns: process.env.FAULTS_FULL ? 5_000 : 30 },
    )
    await expectLedgerInvariants(db)
  })
})

/** The exact text of a bill, from which a stored one is recomputed. */
type StoredBill = { computed: string; prices: StoredPrices; details: BillDetails | null } & Record<
  | 'input_tokens'
  | 'output_tokens'
  | 'cached_tokens'
  | 'cache_write_tokens'
  | 'reasoning_tokens'
  | 'units'
  | 'times',
  number
>

function recompute({ prices, details, units, times, ...columns }: StoredBill): bigint {
  const { size, quality, searches = 0, tier: _, ...media } = details ?? {}
  const tokens = {
    input: columns.input_tokens,
    output: columns.output_tokens,
    cached: columns.cached_tokens,
    cache_write: columns.cache_write_tokens,
    reasoning: columns.reasoning_tokens,
    ...media,
  }
  const picture = { ...(size ? { size } : {}), ...(quality ? { quality } : {}) }
  return calculateCost(tokens, parsePrices(prices), { units, times, searches, picture })
}

describe('prices', () => {
  const price = fc.bigInt({ min: 0n, max: 10_000_000_000n })
  const rates = {
    input: price,
    output: price,
    cached_input: price,
    cache_write: price,
    cache_write_1h: price,
    reasoning: price,
    audio_input: price,
    audio_output: price,
    image_input: price,
    image_output: price,
  }
  const requiredRates = ['input', 'output', 'cached_input', 'cache_write', 'reasoning'] as const
  const tier = fc.record(
    { above: fc.integer({ min: 1, max: 2_000_000 }), ...rates },
    { requiredKeys: ['above', ...requiredRates] },
  )
  const tiers = fc
    .uniqueArray(tier, { selector: ({ above }) => above, maxLength: 3 })
    .map((all) => all.toSorted((a, b) => a.above - b.above))
  const prices = fc.record(
    {
      ...rates,
      per_call: fc.bigInt({ min: 0n, max: 1_000_000n }),
      search: fc.bigInt({ min: 0n, max: 1_000_000n }),
      tiers,
      tiering: fc.constant('parts' as const),
      discount: fc.bigInt({ min: 0n, max: 10_000n }),
    },
    { requiredKeys: [...requiredRates, 'per_call', 'discount'] },
  )
  const count = fc.nat({ max: 2_000_000 })
  const share = fc.float({ min: 0, max: 1, noNaN: true })

  /** Makes any usage of this many tokens. */
  const tokensOf = (input: number, output: number, [a, b, c, d]: number[]): Tokens => ({
    input,
    output,
    cached: Math.floor((input * a!) / 2),
    cache_write: Math.floor((input * b!) / 2),
    cache_write_1h: Math.floor((input * b! * c!) / 2),
    audio_input: Math.floor(input * c!),
    image_input: Math.floor(input * d!),
    reasoning: Math.floor(output * a!),
    audio_output: Math.floor(output * b!),
    image_output: Math.floor(output * c!),
  })

  test('a bill is never above its bound, in whichever tier and of whatever kinds of tokens', () => {
    fc.assert(
      fc.property(prices, count, count, fc.tuple(share, share, share, share), (p, input, output, shares) => {
        const usage = { input, output, has_audio: true, has_images: true, has_hour_cache: true }
        const cost = calculateCost(tokensOf(input, output, shares), p, { searches: 1 })
        expect(cost).toBeLessThanOrEqual(calculateMaxCost(usage, p))
        const longer = { ...usage, input: input + 1_000_000 }
        expect(cost).toBeLessThanOrEqual(calculateMaxCost(longer, p))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a bill rounds up by less than one micro-coin', () => {
    fc.assert(
      fc.property(prices, count, count, (priced, input, output) => {
        const p = { ...priced, tiers: [] }
        const exact = { ...p, input: p.input * 10n ** 12n, output: p.output * 10n ** 12n }
        const plain = { input, output, cached: 0, cache_write: 0, reasoning: 0 }
        const fine = calculateCost(plain, { ...exact, per_call: p.per_call * 10n ** 12n })
        expect(calculateCost(plain, p) * 10n ** 12n - fine).toBeGreaterThanOrEqual(-1n)
        expect(calculateCost(plain, p) * 10n ** 12n - fine).toBeLessThan(10n ** 12n)
      }),
    )
  })

  test('what a budget affords fits the budget, and two tokens more do not', () => {
    fc.assert(
      fc.property(
        prices,
        count,
        count,
        fc.bigInt({ min: 0n, max: 10n ** 13n }),
        (p, input, wanted, budget) => {
          const output = calculateAffordableOutput(budget, { input, output: wanted }, p)
          expect(output).toBeLessThanOrEqual(wanted)
          if (output > 0) expect(calculateMaxCost({ input, output }, p)).toBeLessThanOrEqual(budget)
          if (output > 0 && output < wanted)
            expect(calculateMaxCost({ input, output: output + 2 }, p)).toBeGreaterThan(budget)
        },
      ),
    )
  })

  test('a tier begins one token after its border, for the whole call or for what lies above', () => {
    const tier = {
      above: 1_000,
      ...UNIT_PRICES,
      input: 3_000_000n,
      cached_input: 2_000_000n,
      output: 5_000_000n,
    }
    const tiered = { ...UNIT_PRICES, tiers: [tier] }
    const cost = (p: Prices, input: number, cached = 0) =>
      calculateCost({ input, output: 10, cached, cache_write: 0, reasoning: 0 }, p)
    expect(cost(tiered, 1_000)).toBe(1_000n + 10n)
    expect(cost(tiered, 1_001)).toBe(3_003n + 50n)
    expect(cost(tiered, 1_001, 1_000)).toBe(2_000n + 3n + 50n)
    const parts = { ...tiered, tiering: 'parts' as const }
    expect(cost(parts, 1_000)).toBe(1_000n + 10n)
    expect(cost(parts, 1_001)).toBe(1_000n + 3n + 50n)
    // The cached tokens are the first of the prompt: 200 of them lie above the border.
    expect(cost(parts, 1_500, 1_200)).toBe(1_000n + 400n + 900n + 50n)
  })

  test('a picture costs what its size and quality cost, and the dearest of what it may be', () => {
    const pictures = [
      { size: '1024x1024', quality: 'low', price: 10n },
      { size: '1024x1024', quality: 'high', price: 70n },
      { size: '1536x1024', price: 90n },
    ]
    const cost = (picture: Picture) =>
      calculateCost(toOperationTokens(0), { ...FREE_PRICES, per_call: 5n, pictures }, { times: 2, picture })
    expect(cost({ size: '1024x1024', quality: 'low' })).toBe(20n)
    expect(cost({ size: '1024x1024' })).toBe(140n)
    expect(cost({ size: '1536x1024', quality: 'low' })).toBe(180n)
    expect(cost({ size: '4096x4096', quality: 'high' })).toBe(180n)
    expect(cost({})).toBe(180n)
  })

  test('a bill keeps its tier and what else it was made from, and recomputes to what it came to', async () => {
    const userId = await createFundedUser(db, 10n ** 16n)
    await fc.assert(
      fc.asyncProperty(prices, count, fc.tuple(share, share, share, share), async (p, input, shares) => {
        const runId = createId()
        await db.transaction((tx) => hold(tx, runId, userId, 0n))
        const tokens = tokensOf(input, 1_000, shares)
        await settleAll(db, [{ ...createBill(runId, 0), tokens, prices: p, searches: 2 }])
        const { rows } =
          await db.execute<StoredBill>(sql`SELECT computed::text, prices, details, units, times, input_tokens,
          output_tokens, cached_tokens, cache_write_tokens, reasoning_tokens FROM runs WHERE id = ${runId}`)
        expect(recompute(rows[0]!)).toBe(BigInt(rows[0]!.computed))
        const tier = p.tiers?.findLast(({ above }) => input > above)
        expect(rows[0]!.details?.tier).toBe(tier?.above)
      }),
      { numRuns: 50 },
    )
  })
})
