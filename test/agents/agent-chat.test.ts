import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AgentChatResponse } from '#contract/gateway/agent-chat.ts'
import { createId } from '#server/core/ids.ts'
import { createCaller, getBill, readError, readStream, waitForRuns } from '../gateway/caller.ts'
import type { Caller } from '../gateway/caller.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { createAgent } from './agent.ts'

// POST /api/v1/agent/chat, as another company's program calls it.

const world = useOwnWorld({
  env: { EMBEDDING_MODEL: 'scripted-embedding', RERANK_MODEL: 'scripted-rerank' },
})
const TEXT = '# 租金\n\n小船每小时租金 30 元，押金 200 元。\n\n# 水位\n\n正常水位是 3.2 米。'
let owner: Client
let caller: Caller
let agent: Awaited<ReturnType<typeof createAgent>>

beforeAll(async () => {
  owner = await world.user()
  caller = await createCaller(world)
  const form = { visible: 2, refer_source: true, model: 'scripted-paid' } as const
  agent = await createAgent(world, owner, { '手册.md': TEXT }, form)
})

const script = (text: string): void => world.upstream.script('scripted-paid', { text })
const post = (body: object, headers: Record<string, string> = {}, by = caller) =>
  by.post({ uuid: agent.uuid, ...body }, { path: '/api/v1/agent/chat', headers })
async function ask(body: object, headers = {}): Promise<AgentChatResponse> {
  const response = await post(body, headers)
  expect(response.status).toBe(200)
  return (await response.json()) as AgentChatResponse
}
type Sent = { role: string; content: string }
const getPrompt = () => (world.upstream.requests.at(-1)!.body as { messages: Sent[] }).messages

describe('a program', () => {
  test('asks an agent, and gets its answer with what it was made from', async () => {
    script('每小时 30 元 [1]。')
    const { message_id, content, reference, usage } = await ask({ question: '小船每小时租金多少元？' })
    expect(content).toBe('每小时 30 元 [1]。')
    expect(reference[0]).toMatchObject({ n: 1, source: expect.stringMatching(/^手册\.md › 租金/) })
    expect(reference[0]!.content).toContain('租金 30 元')
    expect(reference[0]!.confidence).toBeGreaterThan(0)
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens)
    expect(getPrompt().map(({ role }) => role)).toEqual(['system', 'user'])
    expect(Number((await getBill(world, message_id))!.amount)).toBeGreaterThan(0)
    expect(await waitForRuns(world, caller)).toEqual([
      expect.objectContaining({ id: message_id, kind: 'gateway' }),
    ])
  })

  test('reads a stream of chunks, the last one with the references', async () => {
    script('每小时 30 元 [1]。')
    const response = await post({ question: '小船每小时租金多少元？', stream: true })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const { text, chunks, done } = await readStream(response)
    expect([text, done]).toEqual(['每小时 30 元 [1]。', true])
    const last = chunks.at(-1) as unknown as AgentChatResponse & { choices: [] }
    expect(last.choices).toEqual([])
    expect(last.reference[0]!.content).toContain('租金 30 元')
    expect(last.usage.total_tokens).toBeGreaterThan(0)
    expect((chunks[0] as { id: string }).id).toContain(last.message_id)
  })

  test('may bring the conversation along, or have it remembered with this agent', async () => {
    script('200 元 [1]。')
    const messages = [
      { role: 'human', text: '小船怎么租？' },
      { role: 'ai', text: '每小时 30 元。' },
    ]
    world.upstream.script('scripted-paid', { text: '小船的押金是多少元？' }, { text: '200 元 [1]。' })
    expect((await ask({ question: '那它的押金呢？', messages })).content).toBe('200 元 [1]。')
    expect(getPrompt().map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(getPrompt().at(-1)!.content).toMatch(/押金 200 元.*问题：那它的押金呢？$/s)

    script('每小时 30 元 [1]。')
    await ask({ question: '小船每小时租金多少元？', sess_id: 's' })
    await ask({ question: '鱼塘正常水位是多少米？', sess_id: 's' })
    expect(getPrompt().slice(1, -1)).toEqual([
      { role: 'user', content: '小船每小时租金多少元？' },
      { role: 'assistant', content: '每小时 30 元 [1]。' },
    ])
    const other = await createAgent(world, owner, { '手册.md': TEXT }, { visible: 2, model: 'scripted-paid' })
    await ask({ uuid: other.uuid, question: '鱼塘正常水位是多少米？', sess_id: 's' })
    expect(getPrompt()).toHaveLength(2)
  })

  test('pays for everything that its question costs within the limit of its key', async () => {
    const own = await createCaller(world)
    const messages = [
      { role: 'human', text: '小船怎么租？' },
      { role: 'ai', text: '每小时 30 元。' },
    ]
    world.upstream.script(
      'scripted-paid',
      { text: '小船的租金和水位是多少？' },
      { text: '30 元 [1]，3.2 米 [2]。' },
    )
    expect((await post({ question: '那它的呢？', messages }, {}, own)).status).toBe(200)
    await waitForRuns(world, own)
    const { rows } = await world.db().execute<{ model: string; charged: number; used: number }>(sql`
      SELECT r.model, r.amount::float AS charged, k.used::float AS used
      FROM runs r JOIN ledger_budgets k ON k.id = ${own.key_id}
      WHERE r.user_id = (SELECT user_id FROM api_keys WHERE id = ${own.key_id})`)
    const models = ['scripted-embedding', 'scripted-paid', 'scripted-paid', 'scripted-rerank']
    expect(rows.map(({ model }) => model).sort()).toEqual(models)
    expect(rows.reduce((sum, { charged }) => sum + charged, 0)).toBe(rows[0]!.used)
  })

  test('gets the same answer under the same Idempotency-Key, with its references, and pays once', async () => {
    script('每小时 30 元 [1]。')
    const body = { question: '小船每小时租金多少元？' }
    const first = await ask(body, { 'idempotency-key': 'agent-1' })
    script('别的')
    expect(await ask(body, { 'idempotency-key': 'agent-1' })).toEqual(first)
    const changed = await post({ question: '别的？' }, { 'idempotency-key': 'agent-1' })
    expect((await readError(changed)).code).toBe('idempotency_mismatch')
  })

  test.each([
    [
      'a private agent of somebody else',
      async () => (await createAgent(world, owner, { 'x.md': TEXT })).uuid,
    ],
    ['an agent that never was', async () => createId()],
  ])('is told of %s that there is none', async (_, getId) => {
    const asked = world.upstream.requests.length
    const uuid = await getId()
    const response = await post({ uuid, question: '小船？' })
    expect(await readError(response)).toMatchObject({ status: 404, code: 'agent_not_found' })
    expect(world.upstream.requests).toHaveLength(asked)
  })

  test('is refused where its key may not use the agent’s model, and without a question', async () => {
    const limited = await createCaller(world, { allowed_models: ['scripted'] })
    const refused = await readError(await post({ question: '小船？' }, {}, limited))
    expect(refused).toMatchObject({ status: 403, code: 'model_not_allowed' })
    expect((await readError(await post({ question: ' ' }))).status).toBe(400)
  })

  test('gets no sources of an agent that keeps them, unless it is its owner’s', async () => {
    const closed = await createAgent(
      world,
      owner,
      { '手册.md': TEXT },
      { visible: 2, model: 'scripted-paid' },
    )
    script('每小时 30 元。')
    const body = { uuid: closed.uuid, question: '小船每小时租金多少元？' }
    expect((await ask(body)).reference).toEqual([])
    const own = await createCaller(world, {}, owner)
    const response = (await (await post(body, {}, own)).json()) as AgentChatResponse
    expect(response.reference).not.toEqual([])
  })
})
