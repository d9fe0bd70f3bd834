import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { expectLedgerInvariants } from '../../ledger/invariants.ts'
import { useWorld } from '../../world/use-world.ts'
import { getBill, readError, createCaller, userMessages, getRunId, waitForRuns } from '../caller.ts'

const world = useWorld()

// One coin a call.
const asked = { model: 'flat', messages: userMessages('?') }

test('of 50 calls at once on a key with a limit for 10 exactly 10 run', async () => {
  const caller = await createCaller(world, { credit_limit: 10 })
  world.upstream.script('flat', { text: '一个字一个字地说', chars: 1, every_ms: 5 })
  const before = world.upstream.requests.length
  const responses = await Promise.all(
    Array.from({ length: 50 }, async (_, nth) => {
      const response = await caller.post({ ...asked, stream: nth % 2 === 0 })
      return { status: response.status, body: await response.text(), headers: response.headers }
    }),
  )
  const served = responses.filter(({ status }) => status === 200)
  expect(served).toHaveLength(10)
  expect(world.upstream.requests.length - before).toBe(10)
  for (const { status, body, headers } of responses) {
    if (status === 200) continue
    expect(status).toBe(402)
    expect(headers.get('x-should-retry')).toBe('false')
    expect(JSON.parse(body).error.code).toBe('key_limit_reached')
  }
  const { items } = await caller.user.call('GET /api/api_keys', {})
  expect(items.find(({ uuid }) => uuid === caller.key_id)).toMatchObject({ credit_used: 10 })
  expect(await caller.user.call('GET /api/credit/balance', {})).toEqual({ balance: 40 })
  await expectLedgerInvariants(world.db())
})

test('a limit lowered in the middle counts on the next call', async () => {
  const caller = await createCaller(world, { credit_limit: 30 })
  world.upstream.script('flat', { text: '好' })
  for (let call = 0; call < 4; call++) expect((await caller.post(asked)).status).toBe(200)
  const change = { params: { id: caller.key_id }, body: { credit_limit: 5 } }
  await caller.user.call('PUT /api/api_keys/{id}', change)
  const burst = await Promise.all(Array.from({ length: 6 }, async () => (await caller.post(asked)).status))
  expect(burst.sort((a, b) => a - b)).toEqual([200, 402, 402, 402, 402, 402])
})

test('a key disabled in the middle of a burst is refused on the next call; what runs goes on', async () => {
  const caller = await createCaller(world)
  world.upstream.script('flat', { text: '还在说', chars: 1, stall: 2 })
  const before = world.upstream.requests.length
  const running = Array.from({ length: 5 }, () => caller.stream(asked))
  await expect.poll(() => world.upstream.requests.length - before).toBe(5)
  const change = { params: { id: caller.key_id }, body: { status: false } }
  await caller.user.call('PATCH /api/api_keys/{id}/status', change)
  const error = await readError(await caller.post(asked))
  expect(error).toMatchObject({ status: 401, code: 'key_disabled' })
  world.upstream.release()
  for (const { text, done } of await Promise.all(running))
    expect({ text, done }).toEqual({ text: '还在说', done: true })
  expect(await waitForRuns(world, caller)).toHaveLength(5)
})

test('the hold covers the tools that are sent', async () => {
  const described = { name: 'weather', description: 'a'.repeat(100_000) }
  const tools = [{ type: 'function', function: described }]
  const armed = { model: 'scripted-paid', messages: userMessages('?'), max_tokens: 16, tools }
  // The platform's count: six coins.
  world.upstream.script('scripted-paid', {
    text: '好',
    usage: { prompt_tokens: 30_000, completion_tokens: 1, total_tokens: 30_001 },
  })
  const caller = await createCaller(world)
  const { id } = await caller.complete(armed)
  const { rows } = await world
    .db()
    .execute<{ amount: string }>(sql`SELECT held::text AS amount FROM runs WHERE id = ${getRunId({ id })}`)
  const bill = await getBill(world, getRunId({ id }))
  expect(Number(bill?.amount)).toBe(30_001 * 200)
  expect(Number(rows[0]!.amount)).toBeGreaterThanOrEqual(Number(bill?.amount))

  const before = world.upstream.requests.length
  const poor = await createCaller(world, { credit_limit: 3 })
  expect(await readError(await poor.post(armed))).toMatchObject({ status: 402, code: 'key_limit_reached' })
  expect(world.upstream.requests.length).toBe(before)
})

test('an input one token longer than the border costs the whole call its tier; the calculator says the same', async () => {
  const caller = await createCaller(world)
  const call = async (promptTokens: number, details: object = {}) => {
    const usage = { prompt_tokens: promptTokens, completion_tokens: 10, ...details }
    world.upstream.script('tiered', { text: '好', usage })
    const completion = await caller.complete({ model: 'tiered', messages: userMessages('?') })
    return Number((await getBill(world, getRunId(completion)))!.amount) / 1e6
  }
  expect(await call(1000)).toBe(1 + 0.01)
  expect(await call(1001)).toBe(3.003 + 0.05)
  expect(await call(100, { prompt_tokens_details: { audio_tokens: 40 } })).toBe(0.06 + 0.36 + 0.01)
  expect(await call(100, { server_tool_use: { web_search_requests: 2 } })).toBe(0.1 + 0.01 + 1)
  const ask = async (inputTokens: number) => {
    const body = { model: 'tiered', input_tokens: inputTokens, output_tokens: 10 }
    const { costs } = await caller.user.call('POST /api/token/costs', { body })
    // The separate costs of input and output add up to the whole.
    for (const { input, output, total } of costs) expect(input + output).toBeCloseTo(total, 5)
    return costs.map(({ total, tier }) => [total, tier])
  }
  expect([await ask(1000), await ask(1001)]).toEqual([[[1.01, null]], [[3.053, 1000]]])
  const { models } = await caller.user.call('GET /api/models', {})
  expect(models.find(({ id }) => id === 'tiered')?.offers[0]).toMatchObject({
    input: 1000,
    audio_input: 9000,
    search: 0.5,
    tiering: 'whole',
    tiers: [{ above: 1000, input: 3000, output: 5000, cached_input: 3000, audio_input: 9000 }],
  })
  await expectLedgerInvariants(world.db())
})

test('what is held covers the tier that a prompt can reach', async () => {
  const caller = await createCaller(world, { credit_limit: 10 })
  world.upstream.script('tiered', { text: '好', usage: { prompt_tokens: 1001, completion_tokens: 10 } })
  const body = { model: 'tiered', messages: userMessages('渠'.repeat(1_600)), max_tokens: 100 }
  // 1,600 characters may be 1,250 tokens, at 3 coins a thousand, and 100 of output at 5.
  const completion = await caller.complete(body)
  const { rows } = await world.db().execute<{ amount: string }>(sql`
    SELECT held::text AS amount FROM runs WHERE id = ${getRunId(completion)}`)
  expect(Number(rows[0]!.amount) / 1e6).toBeGreaterThan(3.003 + 0.5)
  expect(Number(rows[0]!.amount) / 1e6).toBeLessThan(5)
})
