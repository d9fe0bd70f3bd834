import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import type { Chunk } from '#server/runs/result.ts'
import { insertChunks } from '#server/runs/store.ts'
import type { Client } from '../world/client.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { useOwnWorld } from '../world/use-world.ts'

// Runs that another process executes, as this process finds them in the database.

const world = useOwnWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

/** Starts a turn whose run is being executed by a process that was seen `seenS` seconds ago. */
async function startRunElsewhere(seenS: number) {
  world.upstream.script('scripted-paid', { text: '占位' })
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  const { chat_id, sess_id } = await client.ask('x', { model: 'scripted-paid', sess_id: session.id })
  const { rows } = await world.db().execute<{ run_id: string }>(sql`
    UPDATE chat_messages SET status = 'typing', text = '' WHERE chat_id = ${chat_id} AND role = 'ai' RETURNING run_id`)
  const { run_id } = rows[0]!
  const host = createId()
  await world
    .db()
    .execute(
      sql`INSERT INTO run_hosts (id, seen_at) VALUES (${host}, now() - make_interval(secs => ${seenS}))`,
    )
  await world.db().execute(sql`DELETE FROM run_chunks WHERE run_id = ${run_id}`)
  await world.db().execute(sql`
    WITH account AS (
      UPDATE ledger_accounts a SET balance = balance + r.amount, gift = a.gift + r.gift, held = a.held + r.held
      FROM runs r WHERE r.id = ${run_id} AND a.id = r.account_id
    )
    UPDATE runs SET state = 'running', ended_at = NULL, amount = 0, gift = 0, usage_source = NULL, host_id = ${host}
    WHERE id = ${run_id}`)
  const say = (
    seq: number,
    text: string,
    { replace = false, reasoning = '', repeats = false }: Partial<Chunk> = {},
  ) => insertChunks(world.db(), [{ run_id, seq, text, replace, reasoning, repeats }])
  const end = () =>
    world.db().execute(sql`
      WITH account AS (
        UPDATE ledger_accounts a SET held = a.held - r.held FROM runs r WHERE r.id = ${run_id} AND a.id = r.account_id
      )
      UPDATE runs SET state = 'done', ended_at = now() WHERE id = ${run_id}`)
  return { chat_id, sess_id, run_id, say, end }
}

test('its text arrives here too, and its end', async () => {
  const { chat_id, sess_id, say, end } = await startRunElsewhere(0)
  await say(0, '甲乙')
  const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id } })
  expect(messages.at(-1)).toMatchObject({ status: 'typing', text: '甲乙' })
  const events = client.events(chat_id)
  const next = async () => (await events.next()).value?.data
  expect(JSON.parse(await next())).toEqual({ delta_content: '甲乙' })
  await say(1, '丙')
  expect(JSON.parse(await next())).toEqual({ delta_content: '丙' })
  await say(2, '全新', { replace: true })
  expect(JSON.parse(await next())).toEqual({ delta_content: '全新', replace: true })
  await end()
  expect(await next()).toBe('[DONE]')
})

test('what its log says again is said once, also where it replaced a text', async () => {
  const { sess_id, say, end } = await startRunElsewhere(0)
  const read = async () =>
    (await client.call('GET /api/chat/messages', { query: { sess_id } })).messages.at(-1)
  await say(0, '旧', { reasoning: '想' })
  await say(1, '新', { replace: true })
  await say(2, '的')
  await say(3, '新的', { replace: true, reasoning: '想', repeats: true })
  expect(await read()).toMatchObject({ text: '新的', reasoning: '想' })
  await say(4, '一', { reasoning: '好' })
  expect(await read()).toMatchObject({ text: '新的一', reasoning: '想好' })
  await say(5, '一', { reasoning: '好', repeats: true })
  await say(6, '段')
  expect(await read()).toMatchObject({ text: '新的一段', reasoning: '想好' })
  await end()
})

test('a reader that comes back here in the middle of its reasoning gets the rest of it', async () => {
  const { chat_id, run_id, say, end } = await startRunElsewhere(0)
  await say(0, '', { reasoning: '甲乙丙' })
  const received: unknown[] = []
  const events = client.events(chat_id, { headers: { 'Last-Event-ID': `${run_id}:0.2` } })
  for await (const { data } of events) {
    received.push(data === '[DONE]' ? data : JSON.parse(data))
    if (received.length === 1) await end()
  }
  expect(received).toEqual([{ delta_reasoning: '丙', reasoning_ms: null }, '[DONE]'])
})

test.each([
  ['gets the rest of it', [{ text: '甲乙' }, { text: '丙丁' }], { delta_content: '丙丁' }],
  [
    'gets all of it in the place of one that was replaced',
    [{ text: '旧的' }, { text: '甲乙丙丁', replace: true }],
    { delta_content: '甲乙丙丁', replace: true },
  ],
])('a reader that comes back here in the middle of its text %s', async (_, pieces, event) => {
  const { chat_id, run_id, say, end } = await startRunElsewhere(0)
  for (const [seq, piece] of pieces.entries()) await say(seq, piece.text, piece)
  const received: unknown[] = []
  const events = client.events(chat_id, { headers: { 'Last-Event-ID': `${run_id}:2` } })
  for await (const { data } of events) {
    received.push(data === '[DONE]' ? data : JSON.parse(data))
    if (received.length === 1) await end()
  }
  expect(received).toEqual([event, '[DONE]'])
})

test('it is asked to stop, and a run of this process stops when another one asks', async () => {
  const elsewhere = await startRunElsewhere(0)
  await client.call('POST /api/chat/cancel', { body: { chat_id: elsewhere.chat_id } })
  const asked = await world.db().execute<{ id: string }>(sql`
    SELECT r.id FROM runs r JOIN chat_messages m ON m.run_id = r.id WHERE m.chat_id = ${elsewhere.chat_id} AND r.stop_asked`)
  expect(asked.rows).toHaveLength(1)
  await elsewhere.end()

  world.upstream.script('scripted-paid', { text: '水'.repeat(2_000), chars: 1, every_ms: 50 })
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  const { chat_message } = await client.call('POST /api/chat/create', {
    body: { prompt: 'x', model: 'scripted-paid', sess_id: session.id },
  })
  const { chat_id } = chat_message
  await world.db().execute(sql`
    UPDATE runs SET stop_asked = true
    WHERE id = (SELECT run_id FROM chat_messages WHERE chat_id = ${chat_id} AND role = 'ai')`)
  const last = async () =>
    (await client.call('GET /api/chat/messages', { query: { sess_id: session.id } })).messages.at(-1)!
  await expect.poll(async () => (await last()).status, { interval: 200 }).toBe('cancelled')
})

test('when it falls silent, its answer ends as interrupted with what it had said', async () => {
  const { sess_id, say } = await startRunElsewhere(60)
  await say(0, '只说了半')
  const last = async () =>
    (await client.call('GET /api/chat/messages', { query: { sess_id } })).messages.at(-1)!
  await expect.poll(async () => (await last()).status, { interval: 200 }).toBe('interrupted')
  expect(await last()).toMatchObject({
    text: '只说了半',
    error: '回答因服务重启而中断，已保留收到的内容，可重新生成',
  })
  await expectLedgerInvariants(world.db())
})
