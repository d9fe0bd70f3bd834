import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createRecording } from '../gateway/operations/operation-caller.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import type { TestFile } from '../files/upload.ts'
import type { CallError } from '../world/client.ts'
import { lockRows, waitForWaiting } from '../world/locks.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

/** Makes two calls that find the same state, and lets their changes go on once both have read it. */
async function callAtOnce<T>(call: () => Promise<T>): Promise<T[]> {
  const lock = await lockRows(world.db(), sql`LOCK TABLE tasks IN EXCLUSIVE MODE`)
  const calls = [call(), call()]
  // On the embedded database they wait for its one connection, which no query can show.
  if (process.env.DATABASE_URL) await waitForWaiting(world.db(), 2)
  await lock.release()
  return Promise.all(calls)
}
const getCode = ({ body }: CallError): string => body.code
const countTasks = async (block: string): Promise<number> => {
  const { rows } = await world
    .db()
    .execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM tasks WHERE payload->>'block_id' = ${block}`)
  return rows[0]!.n
}

test('asked for twice at once a block is read again once, and its text is not doubled', async () => {
  const client = await world.user()
  const { id } = await upload(world, client, { name: '方塘.md', content: '# 方塘\n\n半亩方塘一鉴开。' })
  const read = await waitUntilRead(client, id)
  const answers = await callAtOnce(() =>
    client.call('POST /api/block/{id}/retry', { params: { id }, body: {} }).then(() => 'begun', getCode),
  )
  expect(answers.toSorted()).toEqual(['begun', 'block_reading'])
  expect(await waitUntilRead(client, id)).toEqual(read)
  expect(await countTasks(id)).toBe(2)
})

test('read again a document is not indexed from what is there of it meanwhile', async () => {
  const client = await world.user()
  const file = { name: '方塘.md', content: '# 方塘\n\n半亩方塘一鉴开。', channel: 'zhiku' }
  const { id } = await upload(world, client, file)
  await waitUntilRead(client, id)
  const findIndexing = async () => {
    const found = sql`SELECT task_id, status FROM documents WHERE id = ${id}`
    return (await world.db().execute<{ task_id: string; status: number }>(found)).rows[0]!
  }
  const { task_id } = await findIndexing()
  await client.call('POST /api/block/{id}/retry', { params: { id }, body: {} })
  expect((await findIndexing()).task_id).not.toBe(task_id)
  await expect.poll(async () => (await findIndexing()).status).toBe(2)
})

test('saved twice at once a recording that could not be written down is written down and paid once', async () => {
  const client = await world.user()
  const content = new Uint8Array(await createRecording(2).arrayBuffer())
  const file: TestFile = { name: '会议.wav', type: 'audio/wav', content }
  world.upstream.script('scripted-asr', { status: 400 }, { answer: { text: '一句。' } })
  const { id } = await upload(world, client, file)
  expect((await waitUntilRead(client, id)).status).toBe(3)
  // Its task is deleted: each call would make one of its own.
  const { items } = await client.call('GET /api/tasks', { query: {} })
  await client.call('DELETE /api/task/{id}', { params: { id: items[0]!.uuid } })
  const saved = await callAtOnce(() => upload(world, client, file))
  expect(saved.map((block) => [block.id, block.error])).toEqual([
    [id, null],
    [id, null],
  ])
  expect(await waitUntilRead(client, id)).toMatchObject({ status: 2, pieces: 1 })
  expect(await countTasks(id)).toBe(1)
  // 0.0001 coins a millisecond.
  expect((await client.call('GET /api/credit/balance', {})).balance).toBe(49.8)
})
