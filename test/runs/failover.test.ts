import { createId } from '#server/core/ids.ts'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { impatientModels } from '../world/world.ts'

const world = useOwnWorld({ models: impatientModels, env: { SIGNUP_COINS: '10' } })
let client: Client
beforeEach(async () => {
  client = await world.user()
})

const getBalance = async () => (await client.call('GET /api/user/info', {})).balance
const getRoute = async (chatId: string) =>
  (await client.call('GET /api/chat/explain', { query: { chat_id: chatId } })).route
const USAGE = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 }

describe('failing over', () => {
  test.each([
    ['answers 429', { status: 429 }, 'upstream_rate_limited'],
    ['answers 500', { status: 500 }, 'upstream_failed'],
    ['hangs', { stall: 'headers' as const }, 'upstream_timeout'],
    ['cuts after an empty role event', { text: '没', cut: 1 }, 'upstream_cut'],
  ])(
    'the cheapest %s: the next one answers, for one charge, and both are on record',
    async (_, script, code) => {
      // Each case meets a platform that has not failed before.
      await world.restart()
      world.upstream.script('twofold-cheap', script)
      world.upstream.script('twofold-dear', { text: '来了', usage: USAGE })
      await client.call('PUT /api/user/provider_sort', { body: { sort: 'price' } })
      const { text, end, chat_id } = await client.ask('在吗', { model: 'twofold' })
      world.upstream.release()
      expect([text, end]).toEqual(['来了', '[DONE]'])
      const route = await getRoute(chat_id)
      expect(route).toMatchObject({ model: 'twofold', platform: 'second', provider_sort: 'price' })
      expect(route.candidates.map(({ platform }) => platform).sort()).toEqual(['scripted', 'second'])
      expect(route.attempts).toMatchObject([
        { platform: 'scripted', state: 'failed', code, cost: 0 },
        { platform: 'second', state: 'answered', code: null, cost: 0.3 },
      ])
      // 150 tokens at the dear platform's 2,000 coins per million.
      expect(route.bill).toMatchObject({
        amount: 0.3,
        input_tokens: 100,
        output_tokens: 50,
        usage_source: 'upstream',
      })
      expect(await getBalance()).toBe(9.7)
      const { items } = await client.call('GET /api/user/transactions', { query: {} })
      expect(items[0]).toMatchObject({ action: 'charge', platform: 'second' })
    },
  )

  test('a platform that falls silent after its first content is an error, never a clean end', async () => {
    await world.restart()
    world.upstream.script('twofold-cheap', { text: '甲乙丙丁', chars: 1, cut: 3, every_ms: 5 })
    world.upstream.script('twofold-dear', { text: '不该问到' })
    await client.call('PUT /api/user/provider_sort', { body: { sort: 'price' } })
    const { text, end, chat_id } = await client.ask('在吗', { model: 'twofold' })
    expect(JSON.parse(end)).toMatchObject({ error: { code: 'upstream_cut' } })
    expect('甲乙丙丁'.startsWith(text) && text).toBeTruthy()
    const { attempts, bill } = await getRoute(chat_id)
    expect(attempts).toHaveLength(1)
    expect(bill).toMatchObject({ usage_source: 'counted' })
  })

  test('when all fail nothing is charged and the reason is told', async () => {
    await world.restart()
    world.upstream.script('twofold-cheap', { status: 500 })
    world.upstream.script('twofold-dear', { status: 429 })
    const { end, chat_id } = await client.ask('在吗', { model: 'twofold' })
    expect(JSON.parse(end)).toMatchObject({ error: { message: expect.stringMatching(/[\u4e00-\u9fff]/) } })
    const { attempts, bill } = await getRoute(chat_id)
    expect(attempts.map(({ cost }) => cost)).toEqual([0, 0])
    expect([bill, await getBalance()]).toEqual([null, 10])
  })

  test("somebody else's route is not to be seen", async () => {
    world.upstream.script('scripted', { text: '好' })
    const { chat_id } = await client.ask('x', { model: 'scripted' })
    const other = await world.user()
    await expect(other.call('GET /api/chat/explain', { query: { chat_id } })).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('charging', () => {
  test.each([
    ['negative', { prompt_tokens: -5, completion_tokens: 10 }],
    ['fractional', { prompt_tokens: 1.5, completion_tokens: 2.5 }],
    ['absurd', { prompt_tokens: 1e12, completion_tokens: 1e12 }],
    [
      'cached beyond the prompt',
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 99 } },
    ],
    ['text', { prompt_tokens: 'many', completion_tokens: null }],
  ])('%s usage is not believed: counted, flagged, neither credit nor plunder', async (_, usage) => {
    world.upstream.script('scripted-paid', { text: '问渠', usage })
    const { chat_id } = await client.ask('x', { model: 'scripted-paid' })
    const { bill } = await getRoute(chat_id)
    expect(bill).toMatchObject({ usage_source: 'counted', flagged: true })
    expect(bill!.amount).toBeGreaterThan(0)
    expect(bill!.amount).toBeLessThan(0.05)
  })

  test('cached and reasoning tokens are on the bill', async () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 200,
      prompt_tokens_details: { cached_tokens: 600 },
      completion_tokens_details: { reasoning_tokens: 150 },
    }
    world.upstream.script('scripted-paid', { text: '好', reasoning: '想', usage })
    const { chat_id } = await client.ask('x', { model: 'scripted-paid' })
    expect((await getRoute(chat_id)).bill).toMatchObject({
      input_tokens: 1000,
      output_tokens: 200,
      cached_tokens: 600,
      reasoning_tokens: 150,
      amount: 0.24,
    })
  })

  test('of many runs at once as many go as the balance pays for, and it is never below zero', async () => {
    world.upstream.script('flat', { text: '一', every_ms: 20 })
    const sessions = await Promise.all(
      Array.from({ length: 40 }, () => client.call('POST /api/chat/session/new', { body: {} })),
    )
    let lowest = Infinity
    const watch = setInterval(() => {
      void world
        .db()
        .execute<{ least: string }>(
          sql`SELECT least(min(balance), min(balance - held))::text AS least FROM ledger_accounts WHERE house IS NULL`,
        )
        .then(({ rows }) => (lowest = Math.min(lowest, Number(rows[0]!.least))))
    }, 10)
    const runs = await Promise.allSettled(
      sessions.map(({ session }) => client.ask('x', { model: 'flat', sess_id: session.id })),
    )
    clearInterval(watch)
    expect(runs.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    for (const run of runs) {
      if (run.status === 'rejected')
        expect(run.reason).toMatchObject({
          status: 402,
          body: { code: 'insufficient_balance', shortage: { needed: 1, available: 0 } },
        })
    }
    expect([await getBalance(), lowest]).toEqual([0, 0])
  })

  test('an answer is no longer than the balance affords', async () => {
    world.upstream.script('scripted-paid', { text: '好' })
    await setBalance((await client.call('GET /api/user/info', {})).uuid, 200_000)
    await client.ask('x', { model: 'scripted-paid' })
    const { max_tokens } = world.upstream.requests.at(-1)!.body as { max_tokens: number }
    // 0.2 coins at 200 coins per million are 1,000 tokens, less the prompt.
    expect(max_tokens).toBeLessThan(1000)
    expect(max_tokens).toBeGreaterThan(900)
  })
})

test('the public figures count today', async () => {
  const before = await world.visitor().call('GET /api/stats', {})
  expect(before.weekly_tokens).toHaveLength(7)
  expect(before.requests.value).toBeGreaterThan(0)
  expect(before.weekly_models.map(({ model }) => model)).toContain('scripted-paid')
})

/** Sets a user's balance, micro-coins, by a transfer to or from the grants. */
async function setBalance(userId: string, balance: number): Promise<void> {
  await world.db().execute(sql`
    WITH account AS (
      SELECT id, ${balance}::bigint - balance AS amount, greatest(gift - ${balance}::bigint, 0) AS gift
      FROM ledger_accounts WHERE user_id = ${userId}
    ), transfer AS (
      INSERT INTO ledger_transfers (id, debit_account_id, credit_account_id, amount, kind, gift)
      SELECT ${createId()}::uuid, CASE WHEN amount > 0 THEN grants.id ELSE account.id END,
        CASE WHEN amount > 0 THEN account.id ELSE grants.id END, abs(amount),
        CASE WHEN amount > 0 THEN 'grant' ELSE 'forfeit' END, account.gift
      FROM account, ledger_accounts grants WHERE grants.house = 'grants' AND amount <> 0
    )
    UPDATE ledger_accounts SET balance = ${balance}::bigint, gift = least(gift, ${balance}::bigint) WHERE user_id = ${userId}`)
}
