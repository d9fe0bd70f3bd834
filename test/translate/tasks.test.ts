import { expect, test } from 'vitest'
import { upload, waitUntilRead } from '../files/upload.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { getTask, makeDocx, replyWith, startTranslation, waitForTranslation } from './document.ts'

const world = useOwnWorld({ env: { EMBEDDING_MODEL: 'scripted-embedding' } })

const listTasks = async (by: Client, query: { page?: number; page_size?: number } = {}) =>
  by.call('GET /api/tasks', { query })

test('everything long that a person began is in one list, the newest first, with what it came to', async () => {
  const user = await world.user()
  const { id } = await upload(world, user, { name: '湖.md', content: '# 湖\n\n湖很安静。', channel: 'zhiku' })
  await waitUntilRead(user, id)
  const { uuid } = await user.call('POST /api/agent', { body: { name: '湖的管家', embeds: [{ id }] } })
  const getProgress = () => user.call('GET /api/agent/{id}/status', { params: { id: uuid } })
  await expect.poll(async () => (await getProgress()).status).not.toBe(1)
  world.upstream.script('flat', { reply: replyWith() })
  const content = makeDocx(['The lake is quiet.'])
  const { task } = await startTranslation(world, user, { name: '湖.docx', content })
  await waitForTranslation(user, task)
  await expect.poll(async () => (await listTasks(user)).items.every(({ status }) => status === 2)).toBe(true)
  const { items, total } = await listTasks(user)
  expect(items.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    'indexing 湖.md',
    'reading 湖.md',
    'translation 湖.docx',
  ])
  expect(items[0]!.created_at >= items[2]!.created_at).toBe(true)
  // The translation read its document without a task.
  expect(total).toBe(3)
  const find = async (kind: string, name: string) => {
    const found = items.find((one) => one.kind === kind && one.name === name)!
    return (await getTask(user, found.uuid)).data
  }
  expect(await find('reading', '湖.md')).toEqual({ kind: 'reading', block: id })
  expect(await find('indexing', '湖.md')).toEqual({ kind: 'indexing', block: id })
  const page = await listTasks(user, { page: 2, page_size: 2 })
  expect(page).toMatchObject({
    cur_page: 2,
    from: 3,
    to: 3,
    prev_url: '/api/tasks?page=1&page_size=2',
    next_url: null,
  })
})

test('a reading that failed is retried from the list, until another one took its place', async () => {
  const user = await world.user()
  const { id } = await upload(world, user, { name: '坏.docx', content: 'PK\u0003\u0004broken' })
  const [failed] = (await listTasks(user)).items
  await expect.poll(async () => (await getTask(user, failed!.uuid)).status).toBe(3)
  expect((await waitUntilRead(user, id)).status).toBe(3)
  const params = { id: failed!.uuid }
  const { data } = await user.call('POST /api/task/{id}/retry', { params })
  expect(data).toMatchObject({ kind: 'reading', error: null })
  await expect.poll(async () => (await getTask(user, failed!.uuid)).status).toBe(3)
  // It was deleted with everything that belongs to it: the block is there, its task is not.
  await user.call('DELETE /api/task/{id}', { params })
  expect((await expectCallError(getTask(user, failed!.uuid))).status).toBe(404)
  await user.call('POST /api/block/{id}/retry', { params: { id }, body: {} })
  await waitUntilRead(user, id)
  expect((await listTasks(user)).total).toBe(1)
})

test('an indexing that failed is retried from the list', async () => {
  const user = await world.user()
  const find = async () => (await listTasks(user)).items.find(({ kind }) => kind === 'indexing')
  world.upstream.script('scripted-embedding', { answer: { data: [{ index: 0, embedding: ['x'] }] } }, {})
  await upload(world, user, { name: '渠.md', content: '# 渠\n\n活水从源头来。', channel: 'zhiku' })
  await expect.poll(async () => (await find())?.status).toBe(3)
  const { uuid } = (await find())!
  await user.call('POST /api/task/{id}/retry', { params: { id: uuid } })
  await expect.poll(async () => (await getTask(user, uuid)).status).toBe(2)
})

test('a task that is deleted while it runs is stopped: nothing more is asked, nothing of it is left', async () => {
  const user = await world.user()
  world.upstream.script('flat', { stall: 'headers' })
  const calls = world.upstream.requests.length
  const content = makeDocx(['The gate is open.'])
  const { task } = await startTranslation(world, user, { name: '门.docx', content })
  await expect.poll(() => world.upstream.requests.length).toBe(calls + 1)
  expect((await getTask(user, task)).task).toMatchObject({ status: 1, done: 0, total: 1 })
  const retry = user.call('POST /api/task/{id}/retry', { params: { id: task } })
  expect((await expectCallError(retry)).body.code).toBe('task_running')
  await user.call('DELETE /api/task/{id}', { params: { id: task } })
  world.upstream.release()
  expect((await expectCallError(getTask(user, task))).status).toBe(404)
  const { balance } = await user.call('GET /api/credit/balance', {})
  expect(balance).toBe(50)
  expect(world.upstream.requests.length).toBe(calls + 1)
})

test('of a document that is deleted while it is translated nothing more is asked or paid', async () => {
  const user = await world.user()
  world.upstream.script('flat', { reply: replyWith(), stall: 'headers' })
  const calls = world.upstream.requests.length
  // Each text is a call of its own, and four run at a time.
  const texts = Array.from(
    { length: 6 },
    (_, n) => `Gate ${n}. ${'The river runs on to the sea. '.repeat(150)}`,
  )
  const { task, block } = await startTranslation(world, user, { name: '门.docx', content: makeDocx(texts) })
  await expect.poll(() => world.upstream.requests.length - calls).toBe(4)
  await user.call('DELETE /api/block/{id}', { params: { id: block } })
  const asked = world.upstream.requests.length
  world.upstream.release()
  await expect.poll(async () => (await getTask(user, task)).task).toMatchObject({ status: 3 })
  expect(world.upstream.requests.length).toBe(asked)
  expect((await user.call('GET /api/credit/balance', {})).balance).toBe(50 - (asked - calls))
})
