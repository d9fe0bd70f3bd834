import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { getSessionToken, letTimePass, signIn } from '../world/sign-in.ts'
import { useWorld } from '../world/use-world.ts'
import { startWorld } from '../world/world.ts'

// Possessions of one browser: its codes, its session, its open streams, the invitation that it followed.

const world = useWorld()

const wrongCode = (code: string): string => (code === '000000' ? '111111' : '000000')

test('a code is for the browser that asked: what strangers try, ask for and know is nothing to it', async () => {
  const email = 'owner@example.com'
  const [owner, stranger] = [world.visitor(), world.visitor()]
  await owner.call('POST /auth/vcode', { body: { email } })
  const code = await world.getLoginCode(email)
  const guess = (client: Client, guessed = wrongCode(code)) =>
    expectCallError(client.call('POST /login', { body: { email, code: guessed } }))
  for (let nth = 0; nth < 6; nth++) expect((await guess(stranger)).body.code).toBe('code_invalid')
  expect((await guess(stranger, code)).body.code).toBe('code_invalid')
  // A code that the stranger requests for the same address takes nothing from the owner's.
  await letTimePass(world.db(), '2 minutes')
  await stranger.call('POST /auth/vcode', { body: { email } })
  const strangers = await world.getLoginCode(email)
  for (let nth = 0; nth < 5; nth++) await guess(stranger, wrongCode(strangers))
  expect((await guess(stranger, strangers)).body.code).toBe('code_tries')
  expect(await owner.call('POST /login', { body: { email, code } })).toEqual({ redirect_to: '/chat' })
})

test('a code to confirm an address signs nobody in, and one to sign in confirms none', async () => {
  const client = await world.user('purpose@example.com')
  const email = 'another@example.com'
  await client.call('POST /auth/vcode', { body: { email } })
  const login = { email, code: await world.getLoginCode(email) }
  expect((await expectCallError(client.call('POST /login', { body: login }))).body.code).toBe('code_invalid')
  await letTimePass(world.db(), '2 minutes')
  await client.call('POST /auth/vcode', { body: { email, channel: 'login' } })
  await world.db().execute(sql`UPDATE users SET email = NULL WHERE email = 'purpose@example.com'`)
  const code = await world.getLoginCode(email)
  const bound = await expectCallError(client.call('POST /auth/email', { body: { email, code } }))
  expect(bound.body.code).toBe('code_invalid')
  await client.call('POST /login', { body: { email, code } })
  expect((await client.call('GET /api/user/info', {})).email).toBe(email)
})

test.each([
  ['signing out', (client: Client) => client.call('POST /logout', {})],
  [
    'being signed out from the list of browsers',
    async (client: Client) => {
      const { items } = await client.call('GET /api/user/sessions', {})
      const { id } = items.find(({ current }) => current)!
      await client.call('DELETE /api/user/sessions/{id}', { params: { id } })
    },
  ],
  [
    'the end of its session',
    () =>
      world.db().execute(sql`
        DELETE FROM auth_sessions WHERE created_at = (SELECT max(created_at) FROM auth_sessions)`),
  ],
])('%s ends the open streams of a browser, not the answer', async (_, end) => {
  const [reader, elsewhere] = [await world.user(), world.visitor()]
  world.upstream.script('scripted', { text: '水'.repeat(400), chars: 1, every_ms: 50 })
  const { chat_message } = await reader.call('POST /api/chat/create', { body: { prompt: '问' } })
  elsewhere.cookie = reader.cookie
  const { id, chat_id } = chat_message
  const seen: string[] = []
  for await (const { data } of reader.events(chat_id)) {
    if (!seen.length) await end(elsewhere)
    seen.push(data)
  }
  expect(seen.at(-1)).toContain('delta_content')
  const { rows } = await world.db().execute(sql`SELECT status FROM chat_messages WHERE id = ${id}`)
  expect(rows[0]).toEqual({ status: 'typing' })
  expect((await reader.fetch(`/api/chat/completions?chat_id=${chat_id}`)).status).toBe(404)
})

test('where people come by https the cookie is bound to the host, and one of the old name goes on', async () => {
  const secure = await startWorld({ env: { APP_URL: 'https://wenqu.example' } })
  try {
    const client = await secure.user('secure@example.com')
    const token = getSessionToken(client)
    expect(client.cookie).toContain(`__Host-wenqu_session=${token}`)
    const upgraded = secure.visitor()
    upgraded.cookie = `wenqu_session=${token}`
    const response = await upgraded.fetch('/api/user/info')
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-wenqu_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
      ),
      expect.stringMatching(
        /^__Host-wenqu_known=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
      ),
      'wenqu_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ])
    expect(upgraded.cookie).toMatch(`__Host-wenqu_session=${token}; __Host-wenqu_known=`)
    await upgraded.call('POST /logout', {})
    expect(upgraded.cookie).toMatch(/^__Host-wenqu_known=[\w.-]+$/)
  } finally {
    await secure.close()
  }
})

test('who follows an invitation and signs up is known as invited, however many pages lie between', async () => {
  const inviter = await world.user('inviter@example.com')
  const { uuid, invite_url } = await inviter.call('GET /api/user/info', {})
  const { pathname, search } = new URL(invite_url)
  const findInviter = async (email: string) =>
    (await world.db().execute(sql`SELECT invited_by FROM users WHERE email = ${email}`)).rows[0]!.invited_by
  const client = world.visitor()
  await client.fetch(pathname + search)
  await client.fetch('/models')
  await client.call('POST /api/chat/session/new', { body: {} })
  await signIn(client, 'invited@example.com', world.data_dir)
  expect(await findInviter('invited@example.com')).toBe(uuid)
  for (const [name, code] of [
    ['stray', 'nobodys-code'],
    ['evil', 'x"; Path=/; y='],
    ['void', ''],
  ] as const) {
    const other = world.visitor()
    expect((await other.fetch(`/chat?invite_code=${encodeURIComponent(code)}`)).status).toBe(200)
    await signIn(other, `${name}@example.com`, world.data_dir)
    expect(await findInviter(`${name}@example.com`)).toBeNull()
  }
  // A person with an account was not invited.
  await inviter.call('POST /logout', {})
  await inviter.fetch(pathname + search)
  await letTimePass(world.db(), '2 minutes')
  await signIn(inviter, 'inviter@example.com', world.data_dir)
  expect(await findInviter('inviter@example.com')).toBeNull()
})

test('a sign-in that is used is renewed once a day for thirty days, a guest for seven', async () => {
  const [account, guest] = [await world.user(), world.visitor()]
  await guest.call('POST /api/chat/session/new', { body: {} })
  for (const [browser, days] of [
    [account, 30],
    [guest, 7],
  ] as const) {
    const renewed = async (): Promise<string> =>
      (await browser.fetch('/api/chat/sessions')).headers.getSetCookie().join()
    expect(await renewed()).toBe('')
    const { rows } = await world.db().execute<{ token_hash: string }>(sql`
      UPDATE auth_sessions SET renewed_at = renewed_at - interval '25 hours', expires_at = expires_at - interval '25 hours'
      WHERE renewed_at = (SELECT max(renewed_at) FROM auth_sessions WHERE user_id IN (
        SELECT id FROM users WHERE guest = ${days === 7}))
      RETURNING token_hash`)
    expect(rows).toHaveLength(1)
    expect(await renewed()).toContain(`Max-Age=${days * 86_400};`)
    const { rows: kept } = await world.db().execute<{ days: number }>(sql`
      SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days FROM auth_sessions
      WHERE token_hash = ${rows[0]!.token_hash}`)
    expect(kept).toEqual([{ days }])
    expect(await renewed()).toBe('')
  }
})
