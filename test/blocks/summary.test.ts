import { expect, test } from 'vitest'
import { selectSample } from '#server/documents/blocks/summary.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

const getBalance = async (client: Client) => (await client.call('GET /api/credit/balance', {})).balance
const summarize = async (client: Client, id: string) =>
  (await client.call('POST /api/block/{id}/summary', { params: { id }, body: { model: 'flat' } })).data
async function addDocument(client: Client): Promise<string> {
  const { id } = await upload(world, client, { name: '方塘.md', content: '# 方塘\n\n半亩方塘一鉴开。' })
  await waitUntilRead(client, id)
  return id
}
const countRequests = () => world.upstream.requests.length

test('a document is summarized once and paid once, however many ask at the same time', async () => {
  const client = await world.user()
  const id = await addDocument(client)
  const written = {
    summary: '讲一口方塘。',
    questions: ['方塘多大？', '水从哪里来？', '水从哪里来？', '谁写的？', '多余的？'],
  }
  world.upstream.script('flat', { text: `好的：\n${JSON.stringify(written)}`, stall: 'headers' })
  const before = countRequests()
  const both = [summarize(client, id), summarize(client, id)]
  // The second request does not wait.
  const none = { summary: null, questions: [] }
  expect(await Promise.race(both)).toEqual(none)
  world.upstream.release()
  const expected = { summary: '讲一口方塘。', questions: ['方塘多大？', '水从哪里来？', '谁写的？'] }
  expect(await Promise.all(both)).toEqual(expect.arrayContaining([expected, none]))
  expect(await summarize(client, id)).toEqual(expected)
  expect(countRequests() - before).toBe(1)
  expect(JSON.stringify(world.upstream.requests.at(-1)!.body)).toContain('半亩方塘一鉴开')
  expect(await getBalance(client)).toBe(49)
  await expectLedgerInvariants(world.db())
})

test('to open a document costs nothing: its page is told what a summary would cost, and the summary once there is one', async () => {
  const client = await world.user()
  const id = await addDocument(client)
  const before = countRequests()
  const find = async () =>
    (await client.call('GET /api/block/{id}/summary', { params: { id }, query: { model: 'flat' } })).data
  // One coin a call.
  expect(await find()).toEqual({ summary: null, questions: [], cost: 1 })
  await client.call('GET /api/block/{id}', { params: { id } })
  await client.call('GET /api/block/{id}/detail', { params: { id }, query: {} })
  expect(countRequests()).toBe(before)
  expect(await getBalance(client)).toBe(50)
  world.upstream.script('flat', { text: '{"summary":"方塘","questions":["多大？"]}' })
  await summarize(client, id)
  expect(await find()).toEqual({ summary: '方塘', questions: ['多大？'], cost: null })
  expect(await getBalance(client)).toBe(49)
  const stranger = await world.user()
  const foreign = stranger.call('GET /api/block/{id}/summary', { params: { id }, query: {} })
  expect((await expectCallError(foreign)).status).toBe(404)
})

test('what did not keep to the form is asked for again the next time; what cannot be paid is told', async () => {
  const client = await world.user()
  const id = await addDocument(client)
  world.upstream.script(
    'flat',
    { text: '这份文件讲方塘。' },
    { status: 500 },
    { text: '{"summary":"方塘","questions":[]}' },
  )
  expect(await summarize(client, id)).toEqual({ summary: null, questions: [] })
  expect((await expectCallError(summarize(client, id))).body.code).toBe('upstream_failed')
  expect(await summarize(client, id)).toEqual({ summary: '方塘', questions: [] })
})

test('of a document that is read again while it is summarized the summary of what it was is not kept', async () => {
  const client = await world.user()
  const id = await addDocument(client)
  const [old, current] = ['旧的。', '新的。'].map((summary) => ({ summary, questions: [] }))
  world.upstream.script(
    'flat',
    { text: JSON.stringify(old), stall: 'headers' },
    { text: JSON.stringify(current) },
  )
  const before = countRequests()
  const first = summarize(client, id).catch((error: unknown) => error)
  await expect.poll(countRequests).toBe(before + 1)
  await client.call('POST /api/block/{id}/retry', { params: { id }, body: {} })
  await waitUntilRead(client, id)
  expect(await summarize(client, id)).toEqual(current)
  world.upstream.release()
  await first
  expect(await summarize(client, id)).toEqual(current)
})

test('nobody else’s document is summarized, nor one that could not be read', async () => {
  const [client, other] = [await world.user(), await world.user()]
  const id = await addDocument(client)
  expect((await expectCallError(summarize(other, id))).status).toBe(404)
  const empty = await upload(world, client, { name: '空.md', content: ' ' })
  await waitUntilRead(client, empty.id)
  expect((await expectCallError(summarize(client, empty.id))).body.code).toBe('block_failed')
})

test('of a long document the beginning is shown, and passages from all over', () => {
  const passages = Array.from({ length: 1_000 }, (_, n) => ({
    piece: n,
    place: {},
    text: `第${n}段`.padEnd(300, '文'),
  }))
  const sample = selectSample(passages)
  expect(sample.length).toBeGreaterThan(11_000)
  expect(sample.length).toBeLessThan(13_500)
  const shown = [...sample.matchAll(/第(\d+)段/g)].map(([, n]) => Number(n))
  expect(shown.slice(0, 3)).toEqual([0, 1, 2])
  expect(shown.at(-1)).toBeGreaterThan(900)
  expect(new Set(shown).size).toBe(shown.length)
})
