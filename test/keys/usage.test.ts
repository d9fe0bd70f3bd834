import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { FREE_PRICES } from '#server/ledger/ledger.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { findAccountId, holdAll, settleAll } from '../ledger/hold-and-settle.ts'
import { useWorld } from '../world/use-world.ts'

const COIN = 1_000_000n

const world = useWorld()
let owner: Client
let userId: string
beforeAll(async () => {
  owner = await world.user()
  userId = (await owner.call('GET /api/user/info', {})).uuid
})

const createKey = (body: object = {}) => owner.call('POST /api/api_keys', { body: { name: '测试', ...body } })

/** Makes a call of one coin by a key, held and billed as a run is; returns the reason when it is refused. */
async function recordPaidRun(key: string, model = 'flat', daysAgo = 0) {
  const runId = createId()
  const accountId = await findAccountId(world.db(), userId)
  const [hold] = await world
    .db()
    .transaction((tx) =>
      holdAll(tx, [{ id: runId, account_id: accountId, amount: COIN, budgets: [key], model }]),
    )
  if (hold!.refusal) return hold!.refusal
  const tokens = { input: 30, output: 12, cached: 5, cache_write: 2, reasoning: 0 }
  const prices = { ...FREE_PRICES, per_call: COIN }
  const bill = {
    run_id: runId,
    platform: 'scripted',
    tokens,
    usage_source: 'upstream' as const,
    flagged: null,
    prices,
  }
  await world.db().transaction((tx) => settleAll(tx, [bill]))
  await world.db().execute(sql`
    UPDATE runs SET started_at = started_at - make_interval(days => ${daysAgo}),
      ended_at = ended_at - make_interval(days => ${daysAgo}) WHERE id = ${runId}`)
  return runId
}

/** Formats the date in China this many days ago. */
function formatDayInChina(daysAgo: number): string {
  const then = new Date(Date.now() - daysAgo * 86_400_000)
  return then.toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' })
}

test('a limit is coins that the key may use; a change of it counts for the next call', async () => {
  const { uuid } = await createKey({ credit_limit: 2 })
  const params = { id: uuid }
  await recordPaidRun(uuid)
  await recordPaidRun(uuid)
  expect(await recordPaidRun(uuid)).toBe('key_limit_reached')
  const [key] = (await owner.call('GET /api/api_keys', {})).items
  expect(key).toMatchObject({ credit_limit: 2, credit_used: 2 })
  await owner.call('PUT /api/api_keys/{id}', { params, body: { credit_limit: 3 } })
  expect(await recordPaidRun(uuid)).toMatch(/^[0-9a-f-]{36}$/)
  await owner.call('PUT /api/api_keys/{id}', { params, body: { credit_limit: 1 } })
  expect(await recordPaidRun(uuid)).toBe('key_limit_reached')
  await owner.call('PUT /api/api_keys/{id}', { params, body: { credit_limit: 0 } })
  expect(await recordPaidRun(uuid)).toMatch(/^[0-9a-f-]{36}$/)
})

test('usage is told by key, period, model and day, also without a limit', async () => {
  const [mine, other] = [await createKey(), await createKey()]
  await recordPaidRun(mine.uuid, 'flat')
  await recordPaidRun(mine.uuid, 'flat', 6)
  await recordPaidRun(mine.uuid, 'flat', 7)
  await recordPaidRun(mine.uuid, 'twofold', 29)
  await recordPaidRun(mine.uuid, 'twofold', 30)
  await recordPaidRun(other.uuid, 'flat')
  const usage = await owner.call('GET /api/api_keys/{id}/usage', { params: { id: mine.uuid } })
  const of = (requests: number) => ({ requests, tokens: requests * 42, amount: requests })
  const { days, ...periods } = usage
  expect(periods).toEqual({
    today: of(1),
    week: of(2),
    month: of(4),
    models: [
      { model: 'flat', today: of(1), week: of(2), month: of(3) },
      { model: 'twofold', today: of(0), week: of(0), month: of(1) },
    ],
  })
  const used = new Map([0, 6, 7, 29].map((age) => [formatDayInChina(age), 1]))
  const all = Array.from({ length: 30 }, (_, nth) => formatDayInChina(29 - nth))
  expect(days).toEqual(all.map((date) => ({ date, ...of(used.get(date) ?? 0) })))
})

test('a key that nobody used has its days too', async () => {
  const { uuid } = await createKey()
  const usage = await owner.call('GET /api/api_keys/{id}/usage', { params: { id: uuid } })
  const none = { requests: 0, tokens: 0, amount: 0 }
  expect(usage).toMatchObject({ today: none, month: none, models: [] })
  expect(usage.days).toHaveLength(30)
  expect(usage.days.at(-1)).toEqual({ date: formatDayInChina(0), ...none })
})

test('a bill is found by the id of its completion, and stays when the key is deleted', async () => {
  const key = await createKey()
  const called = await fetch(`${world.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key.raw_value}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'flat', messages: [{ role: 'user', content: '你好' }] }),
  })
  const { id, usage } = (await called.json()) as { id: string; usage: Record<string, number> }
  await owner.call('DELETE /api/api_keys/{id}', { params: { id: key.uuid } })
  const { raw_value } = await owner.call('POST /api/provision_keys', { body: { name: '系统' } })
  const response = await fetch(`${world.url}/api/chat/transaction/${id}`, {
    headers: { Authorization: `Bearer ${raw_value}` },
  })
  const runId = id.replace('chatcmpl-', '')
  expect(await response.json()).toEqual({
    request_id: runId,
    amount: 1,
    tokens: usage.total_tokens,
    input_tokens: usage.prompt_tokens,
    output_tokens: usage.completion_tokens,
    cache_hit_tokens: 0,
    cache_write_tokens: 0,
    billed_units: usage.total_tokens,
    times: 1,
    event: 'gateway',
    channel: 'api',
    discount: 1,
    model: 'flat',
    created_at: expect.any(String),
  })
  const stranger = await world.user()
  for (const uuid of [id, runId, createId()]) {
    const answer = await expectCallError(
      stranger.call('GET /api/chat/transaction/{uuid}', { params: { uuid } }),
    )
    expect(answer.body.code).toBe('not_found')
  }
})

test('the balance is told to a provision key', async () => {
  const { raw_value } = await owner.call('POST /api/provision_keys', { body: { name: '系统' } })
  const answer = await fetch(`${world.url}/api/credit/balance`, {
    headers: { Authorization: `Bearer ${raw_value}` },
  })
  const { balance } = await owner.call('GET /api/user/info', {})
  expect(await answer.json()).toEqual({ balance })
})
