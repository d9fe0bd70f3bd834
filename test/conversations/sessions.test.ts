import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { expectCallError, getMessageLines } from '../world/client.ts'
import { startWorld } from '../world/world.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

/** Scripts a model that stops in the middle of its answer until the test lets it go on. */
const scriptStall = (text: string, frame = 3) => {
  world.upstream.script('scripted', { text, chars: 2, stall: frame })
}
const LONG = '问渠那得清如许？为有源头活水来。'.repeat(20)

describe('sessions', () => {
  test('are begun, switched, listed, searched and deleted', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '好' })
    const first = await client.ask('如何煮一锅米饭')
    const { session } = await client.call('POST /api/chat/session/new', { body: {} })
    expect(await getMessageLines(client)).toEqual([])
    const second = await client.ask('100% 的把握')
    expect(second.sess_id).toBe(session.id)
    const list = await client.call('GET /api/chat/sessions', {})
    expect(list).toMatchObject({ total: 2, cur_page: 1, from: 1, to: 2, prev_url: null, next_url: null })
    expect(list.items.map(({ title, current }) => [title, current])).toEqual([
      ['100% 的把握', true],
      ['如何煮一锅米饭', false],
    ])
    expect((await client.call('GET /api/chat/sessions', { query: { keywords: '0%' } })).total).toBe(1)
    await client.call('POST /api/chat/session/switch', { body: { sess_id: first.sess_id } })
    expect(await getMessageLines(client)).toEqual(['human: 如何煮一锅米饭', 'ai: 好'])
    await client.call('DELETE /api/chat/session/{id}', { params: { id: first.sess_id } })
    expect(await getMessageLines(client)).toEqual([])
    expect(
      (await expectCallError(client.call('GET /api/chat/messages', { query: { sess_id: first.sess_id } })))
        .status,
    ).toBe(404)
  })

  test('take form fields where the specification says form', async () => {
    const client = await world.user()
    const { sess_id } = await client.ask('x')
    const response = await client.fetch('/api/chat/session/switch', {
      method: 'POST',
      body: new URLSearchParams({ sess_id }),
    })
    expect(await response.json()).toMatchObject({ session: { id: sess_id, current: true } })
  })

  test('are read in pages upwards', async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '答' })
    const { sess_id } = await client.ask('问0')
    for (let n = 1; n < 7; n++) await client.ask(`问${n}`, { sess_id })
    const last = await client.call('GET /api/chat/messages', { query: { sess_id } })
    expect(last.messages).toHaveLength(10)
    expect(last.has_more).toBe(true)
    expect(last.messages.at(-2)!.text).toBe('问6')
    const before = last.messages[0]!.id
    const first = await client.call('GET /api/chat/messages', { query: { sess_id, before } })
    expect(first.messages.map(({ text }) => text)).toEqual(['问0', '答', '问1', '答'])
    expect(first.has_more).toBe(false)
  })

  test('are emptied, with an answer that is still running stopped', async () => {
    const client = await world.user()
    scriptStall(LONG)
    const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: 'x' } })
    const { sess_id } = chat_message
    expect(await client.call('DELETE /api/chat/messages', { query: { sess_id } })).toEqual({ deleted: 2 })
    expect(await getMessageLines(client, sess_id)).toEqual([])
    await expect.poll(() => world.upstream.requests.at(-1)?.aborted).toBe(true)
    world.upstream.release()
  })
})

describe('guests', () => {
  test('try a few turns a day, then are asked to sign in, and keep their conversations', async () => {
    const guest = world.visitor()
    world.upstream.script('scripted', { text: '好' })
    const { sess_id } = await guest.ask('一')
    for (const prompt of ['二', '三', '四', '五']) await guest.ask(prompt, { sess_id })
    const limit = await expectCallError(guest.ask('六', { sess_id }))
    expect([limit.status, limit.body.code]).toEqual([401, 'guest_limit'])
    expect(await getMessageLines(guest, sess_id)).toHaveLength(10)
    await guest.call('POST /auth/vcode', { body: { email: 'former@example.com' } })
    const code = await world.getLoginCode('former@example.com')
    await guest.call('POST /login', { body: { email: 'former@example.com', code } })
    expect(await getMessageLines(guest, sess_id)).toHaveLength(10)
    expect(await getMessageLines(guest)).toHaveLength(10)
    await guest.ask('六', { sess_id })
    expect((await guest.call('GET /api/user/info', {})).balance).toBe(50)
  })

  test('may only use models that are marked for them', async () => {
    const error = await expectCallError(world.visitor().ask('x', { model: 'scripted-paid' }))
    expect([error.status, error.body.code]).toEqual([401, 'guest_model'])
  })

  test('share the limit of their address, and a refused turn is not counted', async () => {
    const lonely = await startWorld({ env: { GUEST_TURNS: '1' } })
    try {
      const guests = Array.from({ length: 6 }, () => lonely.visitor())
      const answers = await Promise.allSettled(guests.map((guest) => guest.ask('x')))
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
      const { rows } = await lonely.db().execute(sql`SELECT sum(turns)::int AS turns FROM guest_turns`)
      expect(rows[0]).toEqual({ turns: 8 })
    } finally {
      await lonely.close()
    }
  })
})
