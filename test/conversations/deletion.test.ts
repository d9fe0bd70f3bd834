import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'
import { lockRows, waitForWaiting } from '../world/locks.ts'

const world = useWorld()

test('what is deleted is out of the stream log at once, running or not', async () => {
  const client = await world.user()
  const countChunks = async () =>
    (await world.db().execute(sql`SELECT count(*)::int AS chunks FROM run_chunks WHERE text LIKE '%消失%'`))
      .rows[0]!.chunks
  const ask = async () => {
    world.upstream.script('scripted', { text: '我会消失' }, { text: '又消失' })
    const { sess_id } = await client.ask('一', { sess_id: await begin() })
    return client.ask('二', { sess_id })
  }
  const begin = async () => (await client.call('POST /api/chat/session/new', { body: {} })).session.id
  const [one, two, three] = [await ask(), await ask(), await ask()]
  expect(await countChunks()).toBe(6)
  await client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id: one.chat_id } })
  expect(await countChunks()).toBe(5)
  await client.call('DELETE /api/chat/messages', { query: { sess_id: two.sess_id } })
  expect(await countChunks()).toBe(3)
  await client.call('DELETE /api/chat/session/{id}', { params: { id: three.sess_id } })
  expect(await countChunks()).toBe(1)
  world.upstream.script('scripted', { text: '还会消失'.repeat(20), chars: 2, stall: 9 })
  const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: '三' } })
  for await (const { data } of client.events(chat_message.chat_id)) if (data.includes('消失')) break
  await client.call('DELETE /api/chat/session/{id}', { params: { id: chat_message.sess_id } })
  expect(await countChunks()).toBe(1)
  world.upstream.release()
})

// The embedded database carries out one transaction at a time.
describe.each(process.env.DATABASE_URL ? ['PostgreSQL'] : [])(
  'what is asked at the same moment on %s',
  () => {
    const model = 'scripted-paid'

    /** Makes a request while a question is being created, which has its session locked. */
    async function askDuring(client: Client, sessId: string, request: () => Promise<unknown>) {
      const lock = await lockRows(world.db(), sql`SELECT 1 FROM ledger_accounts FOR UPDATE`)
      const asking = client.call('POST /api/chat/create', {
        body: { prompt: '第二', model, sess_id: sessId },
      })
      await waitForWaiting(world.db(), 1)
      let isDone = false
      const doing = request().finally(() => {
        isDone = true
      })
      await waitForWaiting(world.db(), 2, () => isDone)
      await lock.release()
      const [{ chat_message }] = await Promise.all([asking, doing])
      return chat_message
    }

    test('is cleared with its conversation', async () => {
      const client = await world.user()
      world.upstream.script(model, { text: '好' })
      const { sess_id } = await client.ask('第一', { model })
      await askDuring(client, sess_id, () => client.call('DELETE /api/chat/messages', { query: { sess_id } }))
      await client.ask('第三', { model, sess_id })
      const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id } })
      expect(messages.map(({ text }) => text)).toEqual(['第三', '好'])
    })

    test('is stopped when its conversation is deleted', async () => {
      const client = await world.user()
      world.upstream.script(model, { text: '好' })
      const { sess_id } = await client.ask('第一', { model })
      world.upstream.script(model, { text: '水'.repeat(2_000), chars: 1, every_ms: 50 })
      const { chat_id } = await askDuring(client, sess_id, () =>
        client.call('DELETE /api/chat/session/{id}', { params: { id: sess_id } }),
      )
      const getState = async () =>
        (
          await world
            .db()
            .execute<{ state: string }>(sql`SELECT state FROM runs WHERE subject_id = ${chat_id}`)
        ).rows[0]?.state
      await expect.poll(getState, { interval: 100 }).toBe('cancelled')
      const messages = await world.db().execute(sql`SELECT 1 FROM chat_messages WHERE sess_id = ${sess_id}`)
      expect(messages.rows).toEqual([])
    })
  },
)
