import { expect, test } from 'vitest'
import { MAX_FOLDERS_PER_USER } from '#contract/conversations/folders.ts'
import { createId } from '#server/core/ids.ts'
import { expectCallError, type Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

const createFolder = async (client: Client, name: string) =>
  (await client.call('POST /api/chat/folders', { body: { name } })).folder
const listFolders = async (client: Client) =>
  (await client.call('GET /api/chat/folders', {})).folders.map(({ name, count }) => [name, count])
const move = (client: Client, sessIds: string[], folderId: string | null) =>
  client.call('POST /api/chat/sessions/move', { body: { sess_ids: sessIds, folder_id: folderId } })
const listTitles = async (
  client: Client,
  query: { folder_id?: string; keywords?: string; tab?: 'archived' } = {},
) => (await client.call('GET /api/chat/sessions', { query })).items.map(({ title }) => title)
const readCode = async (call: Promise<unknown>) => (await expectCallError(call)).body.code

/** Asks each prompt in a session of its own; returns their ids. */
async function askAll(client: Client, prompts: string[]): Promise<string[]> {
  world.upstream.script('scripted', { text: '好' })
  const ids: string[] = []
  for (const prompt of prompts) {
    const { session } = await client.call('POST /api/chat/session/new', { body: {} })
    ids.push((await client.ask(prompt, { sess_id: session.id })).sess_id)
  }
  return ids
}

test('conversations lie in a folder and in no other list, are found there, asked there, and taken out', async () => {
  const client = await world.user()
  const [a, b, c] = (await askAll(client, ['甲', '乙', '丙'])) as [string, string, string]
  const folder = await createFolder(client, ' 工作 ')
  expect(folder.name).toBe('工作')
  expect(await move(client, [a, b, createId()], folder.id)).toEqual({ changed: 2 })
  expect(await listFolders(client)).toEqual([['工作', 2]])
  expect(await listTitles(client, { folder_id: folder.id })).toEqual(['乙', '甲'])
  expect(await listTitles(client, { folder_id: 'none' })).toEqual(['丙'])
  const all = await client.call('GET /api/chat/sessions', {})
  expect(all.items.map(({ title, folder_id }) => [title, folder_id])).toEqual([
    ['丙', null],
    ['乙', folder.id],
    ['甲', folder.id],
  ])
  expect(await listTitles(client, { keywords: '甲' })).toEqual(['甲'])
  // A conversation stays in its folder when it is continued, put away or forked.
  await client.ask('再问', { sess_id: a })
  expect(await listTitles(client, { folder_id: folder.id })).toEqual(['甲', '乙'])
  await client.call('POST /api/chat/sessions/change', { body: { action: 'archive', sess_ids: [a] } })
  expect(await listTitles(client, { tab: 'archived' })).toEqual(['甲'])
  expect(await listTitles(client, { folder_id: folder.id })).toEqual(['乙'])
  expect(await listFolders(client)).toEqual([['工作', 1]])
  await client.call('POST /api/chat/sessions/change', { body: { action: 'restore', sess_ids: [a] } })
  await client.call('POST /api/chat/session/fork', { body: { sess_id: b } })
  expect(await listTitles(client, { folder_id: folder.id })).toEqual(['分支 · 乙', '甲', '乙'])
  expect(await move(client, [a, c], null)).toEqual({ changed: 2 })
  expect(await listTitles(client, { folder_id: 'none' })).toEqual(['甲', '丙'])
})

test('folders are listed as a reader of Chinese sorts them, renamed, and deleted without their conversations', async () => {
  const client = await world.user()
  const [a] = (await askAll(client, ['甲'])) as [string]
  const [work] = [
    await createFolder(client, '工作'),
    await createFolder(client, '第 10 章'),
    await createFolder(client, '第 2 章'),
  ]
  await move(client, [a], work.id)
  expect(await listFolders(client)).toEqual([
    ['第 2 章', 0],
    ['第 10 章', 0],
    ['工作', 1],
  ])
  const rename = (name: string) =>
    client.call('PATCH /api/chat/folders/{id}', { params: { id: work.id }, body: { name } })
  expect(await rename('项目')).toEqual({ folder: { id: work.id, name: '项目' } })
  expect(await rename('项目')).toEqual({ folder: { id: work.id, name: '项目' } })
  expect(await readCode(rename('第 2 章'))).toBe('folder_exists')
  expect(await readCode(createFolder(client, '项目'))).toBe('folder_exists')
  for (const name of [' ', '长'.repeat(41)]) expect(await readCode(rename(name))).toBe('invalid_input')
  await client.call('DELETE /api/chat/folders/{id}', { params: { id: work.id } })
  expect(await listTitles(client, { folder_id: 'none' })).toEqual(['甲'])
  expect(await readCode(rename('又来'))).toBe('not_found')
  expect(await readCode(move(client, [a], work.id))).toBe('not_found')
})

test('nobody puts anything into a folder of somebody else, or takes anything out of it', async () => {
  const [client, stranger] = [await world.user(), await world.user()]
  const [[mine], [theirs]] = [await askAll(client, ['甲']), await askAll(stranger, ['乙'])]
  const folder = await createFolder(client, '我的')
  // Names are unique for each person alone.
  await createFolder(stranger, '我的')
  await move(client, [mine!], folder.id)
  expect(await readCode(move(stranger, [theirs!], folder.id))).toBe('not_found')
  expect(await readCode(move(stranger, [mine!], null))).toBe('not_found')
  expect(await listTitles(stranger, { folder_id: folder.id })).toEqual([])
  expect(await listTitles(stranger, { folder_id: 'none' })).toEqual(['乙'])
  expect(await listFolders(client)).toEqual([['我的', 1]])
  expect((await expectCallError(createFolder(world.visitor(), '访客'))).status).toBe(401)
})

test('there are only so many, however many are begun at a time, and none twice', async () => {
  const client = await world.user()
  const twice = await Promise.allSettled([createFolder(client, '同名'), createFolder(client, '同名')])
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const names = Array.from({ length: MAX_FOLDERS_PER_USER }, (_, n) => `第 ${n} 个`)
  const results = await Promise.allSettled(names.map((name) => createFolder(client, name)))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(await readCode(createFolder(client, '太多'))).toBe('folder_count')
})

test('a folder is deleted while its conversations are forked, and neither has to give way', async () => {
  const client = await world.user()
  const [sessId = ''] = await askAll(client, ['甲'])
  for (let round = 0; round < 10; round += 1) {
    const folder = await createFolder(client, '短命')
    await move(client, [sessId], folder.id)
    const fork = () => client.call('POST /api/chat/session/fork', { body: { sess_id: sessId } })
    const remove = () => client.call('DELETE /api/chat/folders/{id}', { params: { id: folder.id } })
    await Promise.all([fork(), fork(), remove(), fork()])
    expect(await listFolders(client)).toEqual([])
  }
  const { total } = await client.call('GET /api/chat/sessions', { query: { folder_id: 'none' } })
  expect(total).toBe(31)
})
