import OpenAI from 'openai'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { sweepGateway } from '#server/gateway/gateway.ts'
import { createCaller, getBill, useCaller } from '../caller.ts'
import type { Caller } from '../caller.ts'
import { MODELS, useProviderWorld } from '../provider-world.ts'

// Kept responses: fetched, continued, referred to and deleted by the key that made them.

const world = useProviderWorld()
const caller = useCaller(world)
let client: OpenAI
const createOpenAi = ({ key }: Pick<Caller, 'key'>) =>
  new OpenAI({ apiKey: key, baseURL: `${world.url}/api/v1`, maxRetries: 0 })
beforeAll(() => {
  client = createOpenAi(caller)
})

const model = MODELS.openai
const getRunId = (id: string): string => id.replace('resp_', '')
const getUpstreamMessages = () => (world.upstream.requests.at(-1)!.body as { messages: object[] }).messages
async function getStatus(answer: Promise<unknown>): Promise<number | undefined> {
  const error: unknown = await answer.catch((cause: unknown) => cause)
  return error instanceof OpenAI.APIError ? error.status : undefined
}
async function countRows(id: string): Promise<number> {
  const { rows } = await world
    .db()
    .execute(sql`SELECT 1 FROM gateway_responses WHERE run_id = ${getRunId(id)}`)
  return rows.length
}

const CALL = { id: 'call_1', name: 'weather', arguments: '{"city":"上海"}' }
const TOOL: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'weather',
  description: '天气',
  parameters: { type: 'object', properties: {} },
  strict: false,
}

test('a response is continued by its id, with all that went before', async () => {
  world.upstream.script(
    model,
    { reasoning: '想', text: '查一下', tool_calls: [CALL], chars: 2 },
    { text: '上海晴。' },
    { text: '不用带伞。' },
  )
  const asked = { model, instructions: '简短', input: '上海天气', tools: [TOOL] }
  const first = await client.responses.stream(asked).finalResponse()
  expect(first).toMatchObject({ store: true, previous_response_id: null })
  const output = { type: 'function_call_output' as const, call_id: 'call_1', output: '晴' }
  const second = await client.responses.create({
    model,
    input: [output],
    previous_response_id: first.id,
    tools: [TOOL],
  })
  expect(second.previous_response_id).toBe(first.id)
  const third = await client.responses.create({
    model,
    input: '要带伞吗？',
    previous_response_id: second.id,
  })
  expect(third.output_text).toBe('不用带伞。')
  // Instructions hold for their own call alone.
  expect(getUpstreamMessages()).toEqual([
    { role: 'user', content: '上海天气' },
    {
      role: 'assistant',
      content: '查一下',
      reasoning_content: '想',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: CALL.arguments } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '晴' },
    { role: 'assistant', content: '上海晴。' },
    { role: 'user', content: '要带伞吗？' },
  ])
})

test('a response is fetched as it was answered, with what the call brought', async () => {
  world.upstream.script(model, { reasoning: '想', text: '源头', tool_calls: [CALL], finish: 'length' })
  const items: OpenAI.Responses.ResponseInputItem[] = [
    { role: 'developer', content: '简短' },
    { role: 'user', content: [{ type: 'input_text', text: '哪里？' }] },
  ]
  const asked = { model, input: items, metadata: { a: 'b' }, tools: [TOOL], max_output_tokens: 100 }
  const response = await client.responses.create(asked)
  const { output_text: _, ...fetched } = await client.responses.retrieve(response.id)
  expect(fetched).toEqual(expect.objectContaining({ ...fetched, status: 'incomplete', store: true }))
  expect(response).toMatchObject(fetched)
  const newestFirst = await client.responses.inputItems.list(response.id)
  expect(newestFirst.data).toMatchObject([items[1], items[0]])
  const [one] = (await client.responses.inputItems.list(response.id, { order: 'asc', limit: 1 })).data
  const paged: unknown[] = []
  for await (const item of client.responses.inputItems.list(response.id, { order: 'asc', limit: 1 }))
    paged.push(item)
  expect(paged).toMatchObject(items)
  // Items of the request and of the answer can be referred to by their ids.
  world.upstream.script(model, { text: '好' })
  const input = [one!, ...response.output].map((item) => ({ type: 'item_reference' as const, id: item.id! }))
  await client.responses.create({ model, input })
  expect(getUpstreamMessages()).toMatchObject([
    { role: 'system', content: '简短' },
    { role: 'assistant', content: '源头', reasoning_content: '想', tool_calls: [{ id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_1' },
  ])
})

test('nothing is kept of a call that asks for that', async () => {
  world.upstream.script(model, { text: '好' })
  const response = await client.responses.create({ model, input: '?', store: false })
  expect(response).toMatchObject({ store: false })
  expect(await countRows(response.id)).toBe(0)
  expect(await getStatus(client.responses.retrieve(response.id))).toBe(404)
  const next = { model, input: '?', previous_response_id: response.id }
  expect(await getStatus(client.responses.create(next))).toBe(400)
  const [{ id } = { id: '' }] = response.output
  const referring = { model, input: [{ type: 'item_reference' as const, id: id! }] }
  expect(await getStatus(client.responses.create(referring))).toBe(400)
})

test('a response that failed is not kept', async () => {
  world.upstream.script(model, { status: 500 })
  await getStatus(client.responses.create({ model, input: '?' }))
  const { rows } = await world.db().execute(sql`SELECT 1 FROM gateway_responses WHERE answer IS NULL`)
  expect(rows).toEqual([])
})

test('a response belongs to its key: another key of the same account finds none', async () => {
  world.upstream.script(model, { text: '好' })
  const response = await client.responses.create({ model, input: '秘密' })
  const { id } = response
  for (const account of [caller.user, undefined]) {
    const other = createOpenAi(await createCaller(world, {}, account))
    expect(await getStatus(other.responses.retrieve(id))).toBe(404)
    expect(await getStatus(other.responses.inputItems.list(id))).toBe(404)
    expect(await getStatus(other.responses.delete(id))).toBe(404)
    expect(await getStatus(other.responses.cancel(id))).toBe(404)
    expect(await getStatus(other.responses.create({ model, input: '?', previous_response_id: id }))).toBe(400)
    const input = [{ type: 'item_reference' as const, id: response.output[0]!.id! }]
    expect(await getStatus(other.responses.create({ model, input }))).toBe(400)
  }
  expect((await client.responses.retrieve(id)).output_text).toBe('好')
})

test('a response that was deleted is gone, and what went on from it ends there', async () => {
  world.upstream.script(model, { text: '好' })
  const first = await client.responses.create({ model, input: '?' })
  const second = await client.responses.create({ model, input: '?', previous_response_id: first.id })
  await client.responses.delete(first.id)
  expect(await countRows(first.id)).toBe(0)
  expect(await getStatus(client.responses.delete(first.id))).toBe(404)
  expect((await client.responses.retrieve(second.id)).output_text).toBe('好')
  const next = { model, input: '?', previous_response_id: second.id }
  expect(await getStatus(client.responses.create(next))).toBe(400)
})

test('a response is kept for 30 days', async () => {
  world.upstream.script(model, { text: '好' })
  const [old, young] = [
    await client.responses.create({ model, input: '?' }),
    await client.responses.create({ model, input: '?' }),
  ]
  const age = (id: string, interval: string) =>
    world.db().execute(sql`
      UPDATE gateway_responses SET created_at = now() - ${interval}::interval WHERE run_id = ${getRunId(id)}`)
  await age(old.id, '30 days 1 second')
  await age(young.id, '29 days 23 hours')
  expect(await getStatus(client.responses.retrieve(old.id))).toBe(404)
  expect(await getStatus(client.responses.create({ model, input: '?', previous_response_id: old.id }))).toBe(
    400,
  )
  await sweepGateway(world.db())
  expect([await countRows(old.id), await countRows(young.id)]).toEqual([0, 1])
})

test('what a deleted key kept is swept', async () => {
  const leaving = await createCaller(world)
  world.upstream.script(model, { text: '好' })
  const { id } = await createOpenAi(leaving).responses.create({ model, input: '?' })
  await leaving.user.call('DELETE /api/api_keys/{id}', { params: { id: leaving.key_id } })
  await sweepGateway(world.db())
  expect(await countRows(id)).toBe(0)
})

test('of a key that keeps very much the oldest go', async () => {
  const hoarder = createOpenAi(await createCaller(world))
  world.upstream.script(model, { text: '好' })
  const ids: string[] = []
  for (let nth = 0; nth < 3; nth++) ids.push((await hoarder.responses.create({ model, input: '?' })).id)
  await world.db().execute(sql`
    UPDATE gateway_responses SET chars = 300000000 WHERE run_id IN (${getRunId(ids[0]!)}, ${getRunId(ids[2]!)})`)
  await sweepGateway(world.db())
  expect(await Promise.all(ids.map(countRows))).toEqual([0, 1, 1])
})

describe('in the background', () => {
  const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)
  const asked = { model, input: '慢慢来', background: true }
  const poll = async (id: string): Promise<OpenAI.Responses.Response> => {
    await expect.poll(async () => (await client.responses.retrieve(id)).status).not.toBe('in_progress')
    return client.responses.retrieve(id)
  }

  test('a response is answered at once, fetched later, and continued', async () => {
    world.upstream.script(model, { text: LONG, stall: 3 }, { text: '完' })
    const pending = await client.responses.create(asked)
    expect(pending).toMatchObject({ status: 'in_progress', background: true, store: true, output: [] })
    const next = { model, input: '?', previous_response_id: pending.id }
    expect(await getStatus(client.responses.create(next))).toBe(400)
    world.upstream.release()
    const completed = await poll(pending.id)
    expect(completed).toMatchObject({ status: 'completed', output_text: LONG })
    expect(await getBill(world, getRunId(pending.id))).toMatchObject({
      output_tokens: completed.usage!.output_tokens,
    })
    expect((await client.responses.create(next)).output_text).toBe('完')
  })

  test('a response is cancelled, and only then deleted for good', async () => {
    world.upstream.script(model, { text: LONG, stall: 3 })
    const { id } = await client.responses.create(asked)
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' })
    expect(await poll(id)).toMatchObject({ status: 'cancelled' })
    const running = await client.responses.create(asked)
    await client.responses.delete(running.id)
    expect(await countRows(running.id)).toBe(0)
    world.upstream.script(model, { text: '好' })
    const plain = await client.responses.create({ model, input: '?' })
    expect(await getStatus(client.responses.cancel(plain.id))).toBe(400)
  })

  test('a response that fails says why, and costs nothing', async () => {
    world.upstream.script(model, { status: 500 })
    const { id } = await client.responses.create(asked)
    expect(await poll(id)).toMatchObject({ status: 'failed', error: { code: 'server_error' }, output: [] })
    expect(await getBill(world, getRunId(id))).toBeUndefined()
  })

  test('under an Idempotency-Key it is one response', async () => {
    world.upstream.script(model, { text: '好' })
    const headers = { 'Idempotency-Key': 'kept' }
    const first = await client.responses.create(asked, { headers })
    const done = await poll(first.id)
    expect(await client.responses.create(asked, { headers })).toEqual(done)
  })
})
