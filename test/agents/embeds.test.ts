import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '#contract/agents/agents.ts'
import { createRecording } from '../gateway/operations/operation-caller.ts'
import { upload } from '../files/upload.ts'
import type { TestFile } from '../files/upload.ts'
import { makeScannedPdf } from '../formats/make-pdf.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { waitForWaiting } from '../world/locks.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

const add = async (
  name: string,
  content: string | Uint8Array,
  more: Partial<TestFile> = {},
): Promise<string> => (await upload(world, client, { name, content, channel: 'zhiku', ...more })).id
const toEmbeds = (ids: string[]) => ids.map((id) => ({ id }))
const create = async (ids: string[]): Promise<string> =>
  (await client.call('POST /api/agent', { body: { name: '方塘', model: 'scripted', embeds: toEmbeds(ids) } }))
    .uuid
const update = (id: string, ids: string[]) =>
  client.call('PUT /api/agent/{id}', { params: { id }, body: { name: '方塘', embeds: toEmbeds(ids) } })
const getProgress = (id: string) => client.call('GET /api/agent/{id}/status', { params: { id } })
const listIds = async (id: string) => (await getProgress(id)).embeds.map((embed) => embed.id)
async function waitUntilSettled(id: string) {
  await expect.poll(async () => (await getProgress(id)).status, { interval: 20 }).not.toBe(1)
  return getProgress(id)
}

test('sources are read, and the agent says how far each of them is', async () => {
  const [read, broken] = [await add('塘.md', '# 塘\n\n半亩方塘。'), await add('空.md', ' ')]
  const uuid = await create([read])
  expect(await waitUntilSettled(uuid)).toMatchObject({
    status: 2,
    embeds: [{ id: read, name: '塘.md', type: 'text/markdown', status: 2, percent: 100, error: null }],
  })
  await update(uuid, [read, broken])
  const { status, embeds } = await waitUntilSettled(uuid)
  expect([status, embeds[1]]).toEqual([3, expect.objectContaining({ id: broken, status: 3, percent: 0 })])
  expect(embeds[1]!.error).toMatch(/[\u4e00-\u9fff]/)
  const { data } = await client.call('GET /api/agent/{id}', { params: { id: uuid } })
  expect(data).toMatchObject({ status: 3, embeds })
  const { items } = await client.call('GET /api/agents', { query: {} })
  expect(items.find((item) => item.uuid === uuid)).toMatchObject({ status: 3 })
})

test('sources are put in another order, taken out, and shared by two agents', async () => {
  const ids = [await add('一.md', '一'), await add('二.md', '二'), await add('三.md', '三')]
  const [first, second] = [await create(ids), await create(ids.slice(0, 1))]
  expect(await listIds(first)).toEqual(ids)
  const [one, two, three] = ids as [string, string, string]
  await update(first, [three, one, three])
  expect(await listIds(first)).toEqual([three, one])
  expect(await listIds(second)).toEqual([one])
  expect((await client.call('GET /api/block/{id}', { params: { id: two } })).data.name).toBe('二.md')
  await client.call('DELETE /api/block/{id}', { params: { id: one } })
  expect(await listIds(first)).toEqual([three])
  expect(await getProgress(second)).toEqual({ status: 0, embeds: [] })
})

test('sources are named by id, as whole blocks, or as the record of their upload', async () => {
  const [one, two, three] = [await add('甲.md', '甲'), await add('乙.md', '乙'), await add('丙.md', '丙')]
  const { data: whole } = await client.call('GET /api/block/{id}', { params: { id: two } })
  const { md5, name, type, size, url, channel } = (
    await client.call('GET /api/block/{id}', { params: { id: three } })
  ).data
  const record = { md5: md5!.toUpperCase(), name, type, size, url, channel }
  const body = { name: '方塘', embeds: [one, whole, record] }
  const { uuid } = await client.call('POST /api/agent', { body })
  expect(await listIds(uuid)).toEqual([one, two, three])
  const { data: form } = await client.call('GET /api/agent/{id}', { params: { id: uuid } })
  const again = { ...body, embeds: (form as Agent).embeds }
  await client.call('PUT /api/agent/{id}', { params: { id: uuid }, body: again })
  expect(await listIds(uuid)).toEqual([one, two, three])
  const other = await world.user()
  const foreign = other.call('POST /api/agent', { body: { ...body, embeds: [record] } })
  expect((await expectCallError(foreign)).body.code).toBe('not_found')
  const { id: elsewhere } = await upload(world, client, { name: '丁.md', content: '丁', channel: 'dati' })
  const { data: asked } = await client.call('GET /api/block/{id}', { params: { id: elsewhere } })
  const unsourced = client.call('POST /api/agent', { body: { ...body, embeds: [{ md5: asked.md5! }] } })
  expect((await expectCallError(unsourced)).body.code).toBe('not_found')
})

test('what an answer cites stays what it cited, when its source is read again and has it elsewhere or no more', async () => {
  const block = await add('扫描.pdf', makeScannedPdf(), { type: 'application/pdf' })
  const uuid = await create([block])
  await waitUntilSettled(uuid)
  const rewritePage = async (page: number, text: string): Promise<void> => {
    world.upstream.script('seeing', { text })
    const body = { pages: [page], model: 'seeing' }
    await client.call('POST /api/block/{id}/retry', { params: { id: block }, body })
    expect(await waitUntilSettled(uuid)).toMatchObject({ status: 2 })
  }
  const RENT = '小船每小时租金 30 元，押金 200 元。'
  await rewritePage(3, RENT)
  world.upstream.script('scripted', { text: '每小时 30 元 [1]。' })
  const { sess_id } = await client.ask('小船每小时租金多少元？', { chatbot: `zhiku-${uuid}` })
  const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id } })
  const [source] = messages.at(-1)!.search!.sources
  const { searchParams } = new URL(source!.url, world.url)
  const cited = { block, chunk: source!.block!.chunk!, hash: searchParams.get('hash')! }
  const read = async (query: typeof cited) =>
    (await client.call('GET /api/agent/{id}/passage', { params: { id: uuid }, query })).data
  expect(await read(cited)).toMatchObject({ chunk: 2, text: RENT, outdated: false })

  await rewritePage(2, '正常水位是 3.2 米。')
  const moved = await read(cited)
  expect(moved).toMatchObject({ chunk: 3, place: { page: 3 }, text: RENT, outdated: false })
  expect(moved.url).toContain(`/block/${block}?`)

  await rewritePage(3, '小船每小时租金 50 元，押金 200 元。')
  expect(await read(cited)).toMatchObject({ text: RENT, outdated: true, url: null })
  const unknown = read({ ...cited, hash: '0'.repeat(16) })
  expect((await expectCallError(unknown)).status).toBe(404)
})

test.runIf(process.env.DATABASE_URL)(
  'an agent is not said to be ready while one of its sources goes from being read to being indexed',
  async () => {
    const block = await add('再读.md', '再读一遍')
    const uuid = await create([block])
    await waitUntilSettled(uuid)
    await world.db().execute(sql`UPDATE blocks SET status = 1 WHERE id = ${block}`)
    const [locked, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const moving = world.db().transaction(async (tx) => {
      await tx.execute(sql`LOCK TABLE blocks IN ACCESS EXCLUSIVE MODE`)
      locked.resolve()
      await asked.promise
      await tx.execute(sql`UPDATE blocks SET status = 2 WHERE id = ${block}`)
      await tx.execute(sql`UPDATE documents SET status = 0 WHERE id = ${block}`)
    })
    await locked.promise
    const asking = [getProgress(uuid), client.call('GET /api/agents', { query: {} })] as const
    // A request that does not wait for the blocks gets the earlier answer.
    await waitForWaiting(world.db(), 2)
    asked.resolve()
    await moving
    const [progress, { items }] = await Promise.all(asking)
    expect([progress.status, items.find((item) => item.uuid === uuid)!.status]).toEqual([1, 1])
    await world.db().execute(sql`UPDATE documents SET status = 2 WHERE id = ${block}`)
    expect(await getProgress(uuid)).toMatchObject({ status: 2 })
  },
)

test('the same file is read once, whichever agent it is added to', async () => {
  const once = await add('同.md', '同一个文件')
  await create([once])
  expect(await add('改名.md', '同一个文件')).toBe(once)
})

test('a document of another channel is no source', async () => {
  const document = await add('问.md', '别处的', { channel: 'dati' })
  expect((await expectCallError(create([document]))).body.code).toBe('not_found')
})

test('what is under way is stopped, all at once, and nothing else', async () => {
  const done = await add('完.md', '读完了')
  const uuid = await create([done])
  await waitUntilSettled(uuid)
  // The transcription takes as long as the platform's call.
  world.upstream.script('scripted-asr', { stall: 'headers' })
  const sound = new Uint8Array(await createRecording(1).arrayBuffer())
  const slow = await add('会议.wav', sound, { type: 'audio/wav' })
  await update(uuid, [done, slow])
  expect(await getProgress(uuid)).toMatchObject({ status: 1 })
  const stopped = await client.call('PATCH /api/agent/{id}/embeddings/cancel', { params: { id: uuid } })
  const error = '已停止读取，可以重新读取'
  expect(stopped).toMatchObject({
    status: 3,
    embeds: [
      { id: done, status: 2 },
      { id: slow, status: 3, error },
    ],
  })
  world.upstream.release()
})

test('how far sources are is for their owner', async () => {
  const uuid = await create([await add('私.md', '私')])
  const params = { id: uuid }
  await client.call('POST /api/agent/{id}/link', { params, body: {} })
  const other = await world.user()
  for (const call of [
    () => other.call('GET /api/agent/{id}/status', { params }),
    () => other.call('PATCH /api/agent/{id}/embeddings/cancel', { params }),
    () => other.call('PUT /api/agent/{id}', { params, body: { name: '改' } }),
    () => other.call('DELETE /api/agent/{id}', { params }),
    () => other.call('POST /api/agent/draft', { body: { agent: uuid } }),
  ])
    expect((await expectCallError(call())).body.code).toBe('agent_not_found')
  expect(((await client.call('GET /api/agent/{id}', { params })).data as Agent).embeds).toHaveLength(1)
})
