import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { toChinaDay } from '#contract/dates/dates.ts'
import { createId } from '#server/core/ids.ts'
import { creditAccount, debitAccount, FREE_PRICES } from '#server/ledger/ledger.ts'
import { findAccountId, holdAll, settleAll } from '../ledger/hold-and-settle.ts'
import { useOwnWorld } from '../world/use-world.ts'

const COIN = 1_000_000n
const STEPS = 60
const DAY_MS = 86_400_000

const world = useOwnWorld({ env: { SIGNUP_COINS: '100000' } })
const random = (below: number): number => Math.floor(Math.random() * below)
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!

/** Everything that the sums may be made of, row by row. */
type Row = {
  action: string
  model: string | null
  keyed: boolean
  amount: bigint
  tokens: number
  day: string
}

async function listRows(accountId: string): Promise<Row[]> {
  const { rows } = await world
    .db()
    .execute<Omit<Row, 'amount' | 'day'> & { amount: string; at: Date | string }>(
      sql`
    SELECT 'charge' AS action, model, budgets <> '{}' AS keyed, (-amount)::text AS amount,
      input_tokens + output_tokens AS tokens, started_at AS at
    FROM runs WHERE account_id = ${accountId} AND usage_source IS NOT NULL
    UNION ALL SELECT kind, NULL, false, (CASE WHEN credit_account_id = ${accountId} THEN amount ELSE -amount END)::text, 0, created_at
    FROM ledger_transfers WHERE ${accountId} IN (credit_account_id::text, debit_account_id::text)`,
    )
  return rows.map(({ amount, at, ...row }) => ({
    ...row,
    amount: BigInt(amount),
    day: toChinaDay(new Date(at)),
  }))
}

/** Lets days pass for an account: all its dates move back. */
const letDaysPass = (accountId: string, days: number): Promise<void> =>
  world.db().transaction(async (tx) => {
    const back = sql`make_interval(days => ${days})`
    await tx.execute(sql`UPDATE runs SET started_at = started_at - ${back}, ended_at = ended_at - ${back}
      WHERE account_id = ${accountId}`)
    await tx.execute(sql`UPDATE ledger_transfers SET created_at = created_at - ${back}
      WHERE ${accountId} IN (credit_account_id::text, debit_account_id::text)`)
    await tx.execute(
      sql`UPDATE charge_watermarks SET until = until - ${back} WHERE account_id = ${accountId}`,
    )
    // The days pass through unused ones, so that no two rows are equal in between.
    await tx.execute(sql`UPDATE charge_rollups SET day = day + 1000000 WHERE account_id = ${accountId}`)
    await tx.execute(
      sql`UPDATE charge_rollups SET day = day - 1000000 - ${days}::int WHERE account_id = ${accountId}`,
    )
  })

test('whatever ends when, totals and pages are those of the rows', async () => {
  const client = await world.user()
  const { uuid: userId } = await client.call('GET /api/user/info', {})
  const { uuid: key } = await client.call('POST /api/api_keys', { body: { name: '测试' } })
  const db = world.db()
  const accountId = await findAccountId(db, userId)
  const running: string[] = []

  const hold = async () => {
    const runs = Array.from({ length: 1 + random(8) }, () => createId())
    await db.transaction((tx) =>
      holdAll(
        tx,
        runs.map((id) => ({
          id,
          account_id: accountId,
          amount: COIN,
          budgets: random(3) ? [] : [key],
          model: pick(['flat', 'dear']),
        })),
      ),
    )
    running.push(...runs)
  }
  const settle = async (first = random(running.length + 1)) => {
    const ended = running.splice(first)
    if (!ended.length) return
    await db.transaction((tx) =>
      settleAll(
        tx,
        ended.map((runId) => ({
          run_id: runId,
          platform: 'scripted',
          tokens: { input: random(50), output: random(50), cached: 0, cache_write: 0, reasoning: 0 },
          usage_source: 'upstream' as const,
          flagged: null,
          prices: { ...FREE_PRICES, per_call: BigInt(random(1_000_000)) },
        })),
      ),
    )
  }
  const move = () =>
    db.transaction(async (tx) => {
      const amount = BigInt(1 + random(1000))
      if (random(2)) await creditAccount(tx, { user_id: userId, amount, kind: 'recharge' })
      else await debitAccount(tx, { user_id: userId, amount, kind: 'refund' })
    })

  type Filter = {
    action?: 'charge' | 'recharge'
    model?: string
    channel?: 'api' | 'web'
    timeRange?: 'today' | 'week'
  }
  const FILTERS: Filter[] = [
    {},
    { action: 'charge' },
    { action: 'recharge' },
    { model: 'dear' },
    { channel: 'api' },
    { timeRange: 'week' },
    { timeRange: 'today', channel: 'web' },
  ]
  const matches =
    ({ action, model, channel, timeRange }: Filter) =>
    (row: Row): boolean =>
      (!action || row.action === action) &&
      (!model || row.model === model) &&
      (!channel || (row.action === 'charge' && row.keyed === (channel === 'api'))) &&
      (!timeRange || row.day > toChinaDay(new Date(Date.now() - (timeRange === 'week' ? 7 : 1) * DAY_MS)))

  const compare = async (filter: Filter, pageSize: number) => {
    const rows = (await listRows(accountId)).filter(matches(filter))
    const sumOf = (amounts: bigint[]) => Number(amounts.reduce((sum, amount) => sum + amount, 0n)) / 1e6
    const page = 1 + random(Math.ceil(rows.length / pageSize))
    const found = await client.call('GET /api/user/transactions', {
      query: { ...filter, page, page_size: pageSize },
    })
    expect({ total: found.total, ...found.stats }).toEqual({
      total: rows.length,
      total_in: sumOf(rows.map(({ amount }) => amount).filter((amount) => amount > 0n)),
      total_out: sumOf(rows.map(({ amount }) => -amount).filter((amount) => amount > 0n)),
      total_tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
    })
    const left = rows
      .map(({ day }) => day)
      .toSorted()
      .reverse()
    const days = found.items.map(({ created_at }) => toChinaDay(new Date(created_at)))
    expect(days).toEqual(left.slice((page - 1) * pageSize, page * pageSize))
  }

  for (let step = 0; step < STEPS; step++) {
    await pick([
      hold,
      hold,
      () => settle(),
      () => settle(),
      move,
      () => letDaysPass(accountId, 1 + random(3)),
    ])()
    await compare(pick(FILTERS), pick([3, 10]))
  }
  // All runs end: nothing is rolled up before the oldest one under way.
  await settle(0)
  await letDaysPass(accountId, 1)
  // Readers at the same time find the same.
  await Promise.all(FILTERS.map((filter) => compare(filter, 10)))
  const { rows } = await db.execute<{ requests: string; runs: string }>(sql`
    SELECT (SELECT sum(requests) FROM charge_rollups WHERE account_id = ${accountId})::text AS requests,
      count(*)::text AS runs
    FROM runs WHERE account_id = ${accountId} AND usage_source IS NOT NULL
      AND started_at < (SELECT until FROM charge_watermarks WHERE account_id = ${accountId})`)
  expect(rows[0]!.requests).toBe(rows[0]!.runs)
})
