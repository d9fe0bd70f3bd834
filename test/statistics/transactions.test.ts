import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { parsePrices, serializePrices } from '#server/core/prices.ts'
import type { Prices, StoredPrices } from '#server/core/prices.ts'
import { toExactCoins } from '#server/core/coins.ts'
import { calculateCost, creditAccount, debitAccount, FREE_PRICES } from '#server/ledger/ledger.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { findAccountId, holdAll, settleAll } from '../ledger/hold-and-settle.ts'
import { useOwnWorld } from '../world/use-world.ts'

const COIN = 1_000_000n

const world = useOwnWorld({ env: { SIGNUP_COINS: '100' } })

type Spend = { model?: string; amount?: bigint; budgets?: string[]; days_ago?: number; prices?: Prices }

/** Records runs that were held and billed some days ago; returns their ids. */
async function spend(userId: string, spends: Spend[]): Promise<string[]> {
  const db = world.db()
  const accountId = await findAccountId(db, userId)
  const runs = spends.map((one) => ({ ...one, run_id: createId() }))
  const held = await db.transaction((tx) =>
    holdAll(
      tx,
      runs.map(({ run_id: id, model = 'flat', amount = COIN, budgets = [] }) => ({
        id,
        account_id: accountId,
        amount,
        budgets,
        model,
      })),
    ),
  )
  const billed = runs.filter((_, nth) => held[nth]!.refusal === null)
  const tokens = { input: 30, output: 12, cached: 5, cache_write: 2, reasoning: 3 }
  const bills = billed.map(({ run_id, prices = { ...FREE_PRICES, per_call: COIN } }) => ({
    run_id,
    platform: 'scripted',
    tokens,
    usage_source: 'upstream' as const,
    flagged: null,
    prices,
  }))
  if (bills.length) await db.transaction((tx) => settleAll(tx, bills))
  for (const { run_id, days_ago } of billed) {
    if (!days_ago) continue
    await db.execute(sql`UPDATE runs SET started_at = started_at - make_interval(days => ${days_ago}),
      ended_at = ended_at - make_interval(days => ${days_ago}) WHERE id = ${run_id}`)
  }
  return billed.map(({ run_id }) => run_id)
}

const list = (client: Client, query: object = {}) => client.call('GET /api/user/transactions', { query })
async function createUser(): Promise<{ client: Client; user_id: string }> {
  const client = await world.user()
  return { client, user_id: (await client.call('GET /api/user/info', {})).uuid }
}

describe('transactions', () => {
  let client: Client
  let userId: string
  let key: string
  let runs: string[]
  beforeAll(async () => {
    ;({ client, user_id: userId } = await createUser())
    key = (await client.call('POST /api/api_keys', { body: { name: '测试' } })).uuid
    runs = await spend(userId, [
      ...Array.from({ length: 12 }, () => ({})),
      { model: 'dear', amount: 3n * COIN, prices: { ...FREE_PRICES, per_call: 3n * COIN } },
      { budgets: [key] },
      { days_ago: 3 },
      { days_ago: 40 },
    ])
    await world
      .db()
      .transaction((tx) => creditAccount(tx, { user_id: userId, amount: 5n * COIN, kind: 'grant' }))
  })

  test('come by pages of ten, newest first, with the sums of all', async () => {
    const first = await list(client)
    expect(first).toMatchObject({ total: 18, cur_page: 1, from: 1, to: 10, prev_url: null })
    expect(first.stats).toEqual({ total_in: 105, total_out: 18, total_tokens: 16 * 42 })
    expect(first.items[0]).toMatchObject({ action: 'grant', amount: 5, source: null })
    const second = await client.fetch(first.next_url!)
    const { items, to, next_url } = (await second.json()) as Awaited<ReturnType<typeof list>>
    expect([items.length, to, next_url]).toEqual([8, 18, null])
    expect(new Set([...first.items, ...items].map(({ id }) => id)).size).toBe(18)
    expect(items.at(-1)!.id).toBe(runs.at(-1))
    const times = [...first.items, ...items].map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect((await list(client, { page: 99 })).items).toEqual([])
  })

  test.each<[object | (() => object), number, number, number]>([
    [{ action: 'charge' }, 16, 0, 18],
    [{ action: 'grant' }, 1, 5, 0],
    [{ model: 'dear' }, 1, 0, 3],
    [{ channel: 'api' }, 1, 0, 1],
    [{ channel: 'web' }, 15, 0, 17],
    [() => ({ keyId: key }), 1, 0, 1],
    [{ source: 'none' }, 0, 0, 0],
    [{ timeRange: 'today' }, 16, 105, 16],
    [{ timeRange: 'week' }, 17, 105, 17],
    [{ timeRange: 'year' }, 18, 105, 18],
    [{ timeRange: '2020-01-01~2020-12-31' }, 0, 0, 0],
    [{ action: 'signup', model: 'dear' }, 0, 0, 0],
  ])('are filtered by %j, sums included', async (filter, total, totalIn, totalOut) => {
    const found = await list(client, typeof filter === 'function' ? filter() : filter)
    expect([found.total, found.stats.total_in, found.stats.total_out]).toEqual([total, totalIn, totalOut])
  })

  test('open into their bills, which come to the same amount when they are computed again', async () => {
    const prices = {
      ...FREE_PRICES,
      input: 123_456_789n,
      output: 987_654_321n,
      cached_input: 12_345n,
      cache_write: 200_000_000n,
      reasoning: 1_000_000_007n,
      discount: 3_300n,
    }
    const [id] = await spend(userId, [{ prices }])
    const { bill, ...line } = await client.call('GET /api/user/transactions/{id}', { params: { id: id! } })
    expect(line).toMatchObject({
      action: 'charge',
      platform: 'scripted',
      input_tokens: 30,
      output_tokens: 12,
    })
    expect(bill).toMatchObject({
      discount: 0.33,
      cached_tokens: 5,
      cache_write_tokens: 2,
      reasoning_tokens: 3,
      usage_source: 'upstream',
      prices: { input: 123.456789, output: 987.654321 },
    })
    const { rows } = await world
      .db()
      .execute<{ prices: StoredPrices }>(sql`SELECT prices FROM runs WHERE id = ${id}`)
    const stored = parsePrices(rows[0]!.prices)
    expect(serializePrices(stored)).toEqual(rows[0]!.prices)
    const { cached_tokens, cache_write_tokens, reasoning_tokens } = bill!
    const tokens = {
      input: line.input_tokens,
      output: line.output_tokens,
      cached: cached_tokens,
      cache_write: cache_write_tokens,
      reasoning: reasoning_tokens,
    }
    expect(-line.amount).toBe(toExactCoins(calculateCost(tokens, stored)))
    expect(bill!.computed).toBe(-line.amount)
    const other = await world.user()
    const foreign = other.call('GET /api/user/transactions/{id}', { params: { id: id! } })
    expect((await expectCallError(foreign)).body.code).toBe('not_found')
  })

  test('are exported as CSV whose cells no spreadsheet computes', async () => {
    await spend(userId, [{ model: '=HYPERLINK("http://evil")' }])
    const response = await client.fetch('/api/user/transactions/export?action=charge')
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines = bytes.toString('utf8').trimEnd().split('\r\n')
    expect(lines).toHaveLength(1 + (await list(client, { action: 'charge' })).total)
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil"")"`)
  })
})

test('figures of the day and the week are those of the bills', async () => {
  const { client, user_id } = await createUser()
  await spend(user_id, [{}, {}, { model: 'dear', prices: { ...FREE_PRICES, per_call: COIN / 2n } }])
  await spend(user_id, [{ days_ago: 1 }, { days_ago: 3 }, { days_ago: 9 }])
  const chat = await client.call('GET /api/user/chat_stats', {})
  expect(chat).toMatchObject({ value: 3, old_value: 1, grow_rate: 200 })
  expect(chat.tokens).toEqual({ value: 126, old_value: 42, grow_rate: 200 })
  expect(await client.call('GET /api/user/amount_stats', {})).toEqual({
    value: 2.5,
    old_value: 1,
    grow_rate: 150,
  })
  expect((await client.call('GET /api/user/model_amounts', {})).items).toEqual([
    { model: 'flat', amount: 4, requests: 4, tokens: 168 },
    { model: 'dear', amount: 0.5, requests: 1, tokens: 42 },
  ])
  const charges = (await client.call('GET /api/user/charge_amounts', {})).items
  expect(charges.map(({ amount }) => amount)).toEqual([0, 0, 0, 1, 0, 1, 2.5])
  const tokens = (await client.call('GET /api/user/chat_tokens', {})).items
  expect(tokens.at(-1)).toMatchObject({ day: charges.at(-1)!.day, input_tokens: 90, output_tokens: 36 })
  const balance = (platform: string) =>
    client.call('GET /api/user/balance/{platform}', { params: { platform } })
  expect(await balance('all')).toEqual({
    platform: 'all',
    gift_balance: 94.5,
    balance: 94.5,
    week: 4.5,
    total: 5.5,
  })
  expect(await balance('scripted')).toMatchObject({ week: 4.5, total: 5.5 })
  expect(await balance('second')).toMatchObject({ week: 0, total: 0 })
  expect((await expectCallError(balance('none'))).body.code).toBe('not_found')
})

test('after 10,000 random steps what came in less what went out is the balance, to the micro-coin', async () => {
  const { client, user_id } = await createUser()
  const db = world.db()
  const random = (below: number): number => Math.floor(Math.random() * below)
  const discounts = [0n, 1_000n, 3_300n, 10_000n]
  const credited: { id: string; amount: bigint }[] = []
  const [BATCHES, SPENDS, MOVES] = [100, 85, 15]
  for (let batch = 0; batch < BATCHES; batch++) {
    await spend(
      user_id,
      Array.from({ length: SPENDS }, () => ({
        amount: BigInt(random(3_000_000)),
        model: ['flat', 'dear'][random(2)]!,
        prices: {
          ...FREE_PRICES,
          input: BigInt(random(1_000_000_000)),
          output: BigInt(random(1_000_000_000)),
          per_call: BigInt(random(2_000_000)),
          discount: discounts[random(4)]!,
        },
      })),
    )
    await db.transaction(async (tx) => {
      for (let move = 0; move < MOVES; move++) {
        const again = credited[random(credited.length * 3 + 1)]
        if (again && random(2)) {
          // A refund; the account may have spent the coins.
          await debitAccount(tx, { user_id, amount: again.amount, kind: 'refund' })
        } else if (again) {
          // The same payment once more.
          const retry = tx.transaction((inner) =>
            creditAccount(inner, { ...again, user_id, kind: 'recharge' }),
          )
          await expect(retry).rejects.toThrow()
        } else {
          const recharge = { id: createId(), amount: BigInt(1 + random(8_000_000)) }
          await creditAccount(tx, { ...recharge, user_id, kind: 'recharge' })
          credited.push(recharge)
        }
      }
    })
  }
  const { rows } = await db.execute<{ balance: string; charged: string; moved: string }>(sql`
    SELECT a.balance::text, (SELECT sum(amount)::text FROM runs WHERE account_id = a.id) AS charged,
      (SELECT sum(CASE WHEN credit_account_id = a.id THEN amount ELSE -amount END)::text FROM ledger_transfers
        WHERE a.id IN (credit_account_id, debit_account_id)) AS moved
    FROM ledger_accounts a WHERE user_id = ${user_id}`)
  const { balance, charged, moved } = rows[0]!
  expect(BigInt(moved) - BigInt(charged)).toBe(BigInt(balance))
  const { total, stats } = await list(client)
  expect(Math.round((stats.total_in - stats.total_out) * 1e6)).toBe(Number(balance))
  let sum = 0n
  for (let page = 1; (page - 1) * 100 < total; page++) {
    const { items } = await list(client, { page, page_size: 100 })
    for (const { amount } of items) sum += BigInt(Math.round(amount * 1e6))
  }
  expect(sum).toBe(BigInt(balance))
})
