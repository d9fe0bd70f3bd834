import { beforeAll, expect, test } from 'vitest'
import type { AgentEvaluation } from '#contract/agents/evaluation.ts'
import { pickSentence, selectSamples } from '#server/assistants/agents/evaluation.ts'
import { upload } from '../files/upload.ts'
import { exhaustDelays } from '../tasks/delays.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

/** Creates an agent over chapters with different contents. */
async function create(chapters: string[], more: object = {}): Promise<string> {
  const content = chapters.map((text, n) => `# 第${n + 1}章\n\n${text}`).join('\n\n')
  const { id } = await upload(world, client, {
    name: `${chapters[0]!.slice(0, 4)}.md`,
    content,
    channel: 'zhiku',
  })
  const body = { name: '方塘', embeds: [{ id }], model: 'flat', ...more }
  const { uuid } = await client.call('POST /api/agent', { body })
  const getProgress = () => client.call('GET /api/agent/{id}/status', { params: { id: uuid } })
  await expect.poll(async () => (await getProgress()).status).toBeGreaterThan(1)
  return uuid
}
const start = async (id: string, by = client) =>
  (await by.call('POST /api/agent/{id}/evaluation', { params: { id } })).data
const list = async (id: string) =>
  (await client.call('GET /api/agent/{id}/evaluations', { params: { id } })).items
async function waitForEnd(id: string): Promise<AgentEvaluation> {
  await expect.poll(async () => (await list(id))[0]!.status).not.toBe(1)
  return (await list(id))[0]!
}
const getBalance = async () => (await client.call('GET /api/credit/balance', {})).balance

test('questions are made from the sources, and it is told whose passages are found and what answers rest on; the owner pays', async () => {
  const uuid = await create(['蚕在春天结茧，茧能抽丝。', '海水晒干以后留下盐。', '竹子空心有节，长得很快。'])
  const before = await getBalance()
  world.upstream.script(
    'flat',
    { text: '好：["蚕在什么时候结茧？","海水晒干留下什么？","月亮离地球有多远？"]', stall: 'headers' },
    { text: '蚕在春天结茧[1]。每只蚕能活 9000 天[1]。' },
    { text: '晒干以后留下盐[1]。' },
    { status: 500 },
  )
  expect(await start(uuid)).toMatchObject({ version: 1, done: 0, total: 3, hit_1: null })
  world.upstream.release()
  const ended = await waitForEnd(uuid)
  expect(ended).toMatchObject({ status: 2, error: null, done: 3, hit_1: 2 / 3, hit_5: 2 / 3, cost: 3 })
  // Two of three sentences; a failed answer does not count as one, and costs nothing.
  expect(ended).toMatchObject({ groundedness: 2 / 3, asked: 3, answered: 2 })
  expect(ended.missed).toMatchObject([
    { question: '月亮离地球有多远？', name: expect.stringContaining('.md') },
  ])
  expect(ended.answers).toMatchObject([
    {
      question: '蚕在什么时候结茧？',
      sentences: 2,
      unsupported: ['每只蚕能活 9000 天[1]。'],
      passages: expect.arrayContaining([
        expect.objectContaining({ n: 1, title: expect.stringContaining('第1章'), chunk: 1 }),
      ]),
    },
    { question: '海水晒干留下什么？', sentences: 1, unsupported: [] },
    { question: '月亮离地球有多远？', sentences: 0, unsupported: [] },
  ])
  const { block, chunk, hash } = ended.answers[0]!.passages[0]!
  const passage = { params: { id: uuid }, query: { block, chunk, hash } }
  expect((await client.call('GET /api/agent/{id}/passage', passage)).data.text).toContain('蚕在春天结茧')
  expect(await getBalance()).toBe(before - 3)
  const embeds = (await client.call('GET /api/agent/{id}/status', { params: { id: uuid } })).embeds
  await client.call('PUT /api/agent/{id}', {
    params: { id: uuid },
    body: { name: '改', model: 'flat', embeds },
  })
  // Questions in another form are not used: the sentences themselves are searched for. Such a text is no answer, either.
  world.upstream.script('flat', { text: '没有找到答案。' })
  await start(uuid)
  expect(await waitForEnd(uuid)).toMatchObject({ version: 2, status: 2, hit_1: 1, missed: [] })
  expect((await list(uuid))[0]).toMatchObject({ groundedness: null, asked: 3, answered: 0 })
  const [latest, earlier] = await list(uuid)
  expect([latest!.version, latest!.answers.length, earlier!.version, earlier!.answers.length]).toEqual([
    2, 3, 1, 0,
  ])
})

test('one runs at a time and can be stopped; a failure says why', async () => {
  const uuid = await create(['雨后的山很清楚。'])
  world.upstream.script('flat', { text: '["雨后的山怎么样？"]' }, { stall: 'headers' })
  const { length } = world.upstream.requests
  const [first, second] = await Promise.all([start(uuid), start(uuid)])
  expect(second.id).toBe(first.id)
  // The answer is under way.
  await expect.poll(() => world.upstream.requests.length).toBe(length + 2)
  await client.call('POST /api/agent/{id}/evaluation/cancel', { params: { id: uuid } })
  world.upstream.release()
  expect(await waitForEnd(uuid)).toMatchObject({ status: 3, error: '已停止自测', asked: 0 })
  world.upstream.script('flat', { status: 500 })
  await start(uuid)
  await expect.poll(() => exhaustDelays(world.db())).toBe(1)
  expect(await waitForEnd(uuid)).toMatchObject({ status: 3, error: '模型服务出错，请重试' })
})

test('one whose server stops goes on where it was: its questions are not written, or paid for, again', async () => {
  const uuid = await create(['松针一年四季都是绿的。', '荷花在夏天开放，很香。'])
  const { length } = world.upstream.requests
  world.upstream.script('flat', { text: '["松针是什么颜色？","荷花何时开放？"]' }, { stall: 'headers' })
  await start(uuid)
  await expect.poll(() => world.upstream.requests.length).toBe(length + 2)
  world.upstream.script('flat', { text: '松针一年四季都是绿的[1]。' }, { text: '荷花在夏天开放[1]。' })
  await world.restart()
  world.upstream.release()
  const ended = await waitForEnd(uuid)
  expect(ended).toMatchObject({
    status: 2,
    done: 2,
    hit_1: 1,
    asked: 2,
    answered: 2,
    groundedness: 1,
    cost: 3,
  })
  expect(world.upstream.requests).toHaveLength(length + 4)
})

test('an agent without sources, and one of somebody else, cannot be tested', async () => {
  const { uuid } = await client.call('POST /api/agent', { body: { name: '空' } })
  expect((await expectCallError(start(uuid))).body.code).toBe('agent_empty')
  const other = await world.user()
  await client.call('POST /api/agent/{id}/link', { params: { id: uuid }, body: {} })
  expect((await expectCallError(start(uuid, other))).body.code).toBe('agent_not_found')
})

test('passages are taken from all over, and a question is the longest sentence', () => {
  const samples = selectSamples(
    new Map([
      ['a', { chunks: 100 }],
      ['b', { chunks: 100 }],
    ]),
  )
  expect(samples).toHaveLength(20)
  expect(new Set(samples.map(({ document_id }) => document_id)).size).toBe(2)
  expect(new Set(samples.map((one) => JSON.stringify(one))).size).toBe(20)
  expect(selectSamples(new Map([['a', { chunks: 2 }]]))).toHaveLength(2)
  expect(pickSentence('## 短。**这是最长的一句话**。完')).toBe('这是最长的一句话')
  expect(pickSentence('一。二。')).toBeNull()
})
