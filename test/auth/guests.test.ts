import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { sweepGuests } from '#server/accounts/auth/store.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld({ env: { TRUST_PROXY: '1' } })

const countUsers = async (): Promise<unknown> =>
  (await world.db().execute(sql`SELECT count(*)::int AS users FROM users`)).rows[0]!.users
const begin = (client: Client, address = '192.0.2.1') =>
  client.call('POST /api/chat/session/new', { body: {} }, { headers: { 'x-forwarded-for': address } })

test('who only reads, or reaches for what is not there, becomes no guest', async () => {
  const before = await countUsers()
  const id = createId()
  const client = world.visitor()
  const params = { id }
  const attempts = [
    client.call('GET /api/chat/completions', { query: { chat_id: id } }),
    client.call('POST /api/chat/completions', { query: { chat_id: id } }),
    client.call('POST /api/chat/cancel', { body: { chat_id: id } }),
    client.call('GET /api/chat/explain', { query: { chat_id: id } }),
    client.call('POST /api/chat/versions/choose', { body: { id } }),
    client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id: id } }),
    client.call('POST /api/chat/session/fork', { body: {} }),
    client.call('PATCH /api/chat/session/{id}', { params, body: { title: '偷' } }),
    client.call('POST /api/chat/session/{id}/title', { params }),
    client.call('DELETE /api/chat/session/{id}', { params }),
  ]
  for (const { status, body } of await Promise.all(attempts.map(expectCallError))) {
    expect([status, body.code]).toEqual([404, 'not_found'])
  }
  expect(await client.call('DELETE /api/chat/messages', { query: { chatbot: 'dati' } })).toEqual({
    deleted: 0,
  })
  expect(await client.call('POST /api/chat/prompts/append', { body: {} })).toEqual({ prompts: [] })
  await Promise.all(['/chat', '/api/chat/sessions', '/api/chat/models'].map((path) => client.fetch(path)))
  expect(client.cookie).toBe('')
  expect(await countUsers()).toBe(before)
  await begin(client)
  expect(client.cookie).not.toBe('')
})

test('from one network a hundred guests begin in an hour', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 110 }, (_, index) => begin(world.visitor(), `2001:db8:0:9::${index}`)),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
  const refused = await expectCallError(begin(world.visitor(), '2001:db8:0:9:ffff::1'))
  expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([429, true])
})

test('guests who can own nothing any more are forgotten, the others stay', async () => {
  world.upstream.script('scripted', { text: '好' })
  const [idle, asking, gone, visiting, user] = [
    world.visitor(),
    world.visitor(),
    world.visitor(),
    world.visitor(),
    await world.user(),
  ]
  for (const guest of [idle, asking, gone, visiting]) await begin(guest)
  await asking.ask('问')
  await gone.ask('问')
  const isThere = async (client: Client) => (await client.call('GET /api/chat/messages', {})).session !== null
  await sweepGuests(world.db())
  expect(await Promise.all([idle, asking, gone, visiting].map(isThere))).toEqual([true, true, true, true])
  await world.db().execute(sql`UPDATE auth_sessions SET renewed_at = renewed_at - interval '3 days'`)
  await world.db().execute(sql`UPDATE users SET created_at = created_at - interval '3 days'`)
  // A returning guest renews the cookie.
  await begin(visiting)
  const cookie = gone.cookie
  await gone.call('POST /logout', {})
  await sweepGuests(world.db())
  gone.cookie = cookie
  expect(await Promise.all([idle, asking, gone, visiting].map(isThere))).toEqual([false, true, false, true])
  await user.call('GET /api/user/info', {})
  const { rows } = await world.db().execute(sql`
    SELECT count(*)::int AS orphans FROM chat_sessions s LEFT JOIN users u ON u.id = s.user_id WHERE u.id IS NULL`)
  expect(rows[0]).toEqual({ orphans: 0 })
})
