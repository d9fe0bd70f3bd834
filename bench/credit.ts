import { sql } from 'drizzle-orm'
import type { Db } from '#server/core/database/database.ts'
import { createId } from '#server/core/ids.ts'
import { findAccountId } from '#test/ledger/hold-and-settle.ts'
import { startWorld } from '#test/world/world.ts'

// Measures transactions and figures of one person with a million of them in a year, over HTTP. On PostgreSQL:
// `DATABASE_URL=postgres://… node bench/credit.ts [transactions] [times]`.

const TRANSACTIONS = Number(process.argv[2] ?? 1_000_000)
const TIMES = Number(process.argv[3] ?? 60)
const BAR_MS = 200
/** Number of other people, who together have a fifth as many. */
const OTHERS = 50

const world = await startWorld({ env: { LOG_LEVEL: 'error' } })
const db = world.db()
const client = await world.user()
const { uuid: userId } = await client.call('GET /api/user/info', {})
const accountId = await findAccountId(db, userId)
const keys: string[] = []
for (const name of ['网站', '脚本', '客服'])
  keys.push((await client.call('POST /api/api_keys', { body: { name } })).uuid)

/** Inserts runs as the ledger leaves them, evenly over the last year: nine models (one of them rare), five kinds, three keys. */
async function insertRuns(into: Db, account: string, count: number): Promise<void> {
  await into.execute(sql`
    INSERT INTO runs (id, user_id, account_id, kind, subject_id, model, platform, state, held, budgets, amount, computed,
      usage_source, input_tokens, output_tokens, cached_tokens, reasoning_tokens, prices, plan, attempts, host_id, started_at,
      first_text_at, ended_at)
    SELECT gen_random_uuid(), ${userId}, ${account},
      CASE WHEN keyed THEN 'gateway' ELSE (ARRAY['chat', 'chat', 'chat', 'title', 'translation', 'voice'])[1 + n % 6] END,
      gen_random_uuid(),
      CASE n % 50000 WHEN 7 THEN 'rare' ELSE (ARRAY['deepseek-v4', 'deepseek-v4', 'qwen-max', 'qwen-max', 'glm-5', 'kimi-k2', 'gpt-5.4', 'claude-opus-5'])[1 + n % 8] END,
      (ARRAY['deepseek', 'siliconflow', 'scripted'])[1 + n % 3], 'done', 100000,
      CASE WHEN keyed THEN ARRAY[(${sql.param(keys)}::uuid[])[1 + n % 3]] ELSE '{}' END, n % 50000, n % 50000,
      'upstream', 200 + n % 3000, 100 + n % 900, n % 200, n % 90,
      '{"input": "2000000", "output": "8000000", "cached_input": "400000", "cache_write": "2000000", "reasoning": "8000000",
        "per_call": "0", "discount": "10000"}',
      '{"strategy": "balance", "provider_sort": "", "candidates": [{"platform": "deepseek", "price": 1}, {"platform": "siliconflow", "price": 2}]}',
      '[{"platform": "deepseek", "state": "done", "started_at": "2026-01-01T00:00:00.000Z", "first_content_ms": 320, "ms": 4100}]',
      gen_random_uuid(), at, at + interval '1 second', at + interval '5 seconds'
    FROM (SELECT n, n % 10 < 6 AS keyed, now() - interval '365 days' * (1 - n::float8 / ${count}) AS at
      FROM generate_series(1, ${count}::int) n) AS numbers`)
}

/** Inserts enough recharges for all charges, and a refund for every tenth. */
async function insertTransfers(): Promise<void> {
  await db.execute(sql`
    INSERT INTO ledger_transfers (id, debit_account_id, credit_account_id, amount, kind, created_at)
    SELECT gen_random_uuid(), CASE WHEN back THEN ${accountId}::uuid ELSE house END,
      CASE WHEN back THEN house ELSE ${accountId}::uuid END, CASE WHEN back THEN 5000000 ELSE 50000000 END,
      CASE WHEN back THEN 'refund' ELSE 'recharge' END, now() - interval '365 days' * n / 2000
    FROM (SELECT n, n % 10 = 0 AS back, (SELECT id FROM ledger_accounts WHERE house = 'income') AS house
      FROM generate_series(1, 2000) n) AS numbers`)
  await db.execute(sql`
    UPDATE ledger_accounts a SET balance = (SELECT sum(CASE WHEN credit_account_id = a.id THEN amount ELSE -amount END)
      FROM ledger_transfers t WHERE a.id IN (t.credit_account_id, t.debit_account_id))
      - (SELECT sum(amount) FROM runs r WHERE r.account_id = a.id) WHERE a.id = ${accountId}`)
}

const quantile = (values: number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))]!

async function fetchTimed(path: string): Promise<number> {
  const before = performance.now()
  const response = await client.fetch(path)
  await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return performance.now() - before
}

try {
  for (let nth = 0; nth < OTHERS; nth++)
    await insertRuns(db, createId(), Math.round(TRANSACTIONS / 5 / OTHERS))
  await insertRuns(db, accountId, TRANSACTIONS)
  await insertTransfers()
  await db.execute(sql`VACUUM ANALYZE`)
  const list = (query: string) => `/api/user/transactions?${query}`
  const last = Math.floor(TRANSACTIONS / 10)
  const calls = {
    'list, first page': list(''),
    'list, page in the middle': list(`page=${Math.floor(last / 2)}`),
    'list, last page': list(`page=${last}`),
    'list, 100 a page, deep': list(`page=${Math.floor(last / 15)}&page_size=100`),
    'list, action=charge': list('action=charge'),
    'list, action=recharge': list('action=recharge'),
    'list, source=voice': list('source=voice'),
    'list, channel=api': list('channel=api'),
    'list, channel=web, deep': list(`channel=web&page=${Math.floor(last / 4)}`),
    'list, channel=widget (none)': list('channel=widget'),
    'list, model=gpt-5.4': list('model=gpt-5.4'),
    'list, model of 20 in the year': list('model=rare'),
    'list, model without any': list('model=none'),
    'list, keyId': list(`keyId=${keys[1]}`),
    'list, keyId and model, deep': list(`keyId=${keys[1]}&model=qwen-max&page=${Math.floor(last / 20)}`),
    'list, timeRange=today': list('timeRange=today'),
    'list, timeRange=month': list('timeRange=month'),
    'list, timeRange=year, deep': list(`timeRange=year&page=${Math.floor(last / 2)}`),
    chat_stats: '/api/user/chat_stats',
    amount_stats: '/api/user/amount_stats',
    model_amounts: '/api/user/model_amounts',
    charge_amounts: '/api/user/charge_amounts',
    chat_tokens: '/api/user/chat_tokens',
    'balance/all': '/api/user/balance/all',
    'balance/scripted': '/api/user/balance/scripted',
  }
  console.log(
    `${TRANSACTIONS} transactions of one person, ${TIMES} times each call, one after the other; bar: p95 < ${BAR_MS} ms`,
  )
  console.log(`the very first call, which rolls up the year: ${(await fetchTimed(list(''))).toFixed(0)} ms`)
  const results: Record<string, object> = {}
  const times = new Map<string, number[]>(Object.keys(calls).map((name) => [name, []]))
  for (let nth = 0; nth < TIMES; nth++)
    for (const [name, path] of Object.entries(calls)) times.get(name)!.push(await fetchTimed(path))
  for (const [name, taken] of times)
    results[name] = {
      'p50 ms': quantile(taken, 0.5).toFixed(1),
      'p95 ms': quantile(taken, 0.95).toFixed(1),
      bar: quantile(taken, 0.95) < BAR_MS ? 'reached' : 'NOT REACHED',
    }
  console.table(results)
  const dashboard = Object.values(calls).slice(-7, -2)
  const together = []
  for (let nth = 0; nth < TIMES; nth++) {
    const before = performance.now()
    await Promise.all(dashboard.map(fetchTimed))
    together.push(performance.now() - before)
  }
  console.log(
    `the dashboard's five at once: p50 ${quantile(together, 0.5).toFixed(1)} ms, p95 ${quantile(together, 0.95).toFixed(1)} ms`,
  )
  const { rows } =
    await db.execute(sql`SELECT count(*)::int AS sums, pg_size_pretty(pg_total_relation_size('charge_rollups')) AS size
    FROM charge_rollups WHERE account_id = ${accountId}`)
  console.log(rows[0])
} finally {
  await world.close()
}
