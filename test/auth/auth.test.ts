import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { SHOWN_USER_HEADER } from '#contract/auth/shown-user.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { getSessionToken, letTimePass } from '../world/sign-in.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld({ env: { TRUST_PROXY: '1' } })

const wrongCode = (code: string): string => (code === '000000' ? '111111' : '000000')

describe('signing in by e-mail code', () => {
  test('a new address becomes an account with its first coins', async () => {
    const client = world.visitor()
    const sent = await client.call('POST /auth/vcode', { body: { email: ' New@Example.com ' } })
    expect(sent).toEqual({ resend_after: 60, expires_in: 600 })
    const code = await world.getLoginCode('new@example.com')
    const answer = await client.call('POST /login', { body: { email: 'new@example.com', code } })
    expect(answer).toEqual({ redirect_to: '/chat' })
    const info = await client.call('GET /api/user/info', {})
    expect(info).toMatchObject({
      name: expect.stringMatching(/^问渠用户[a-z2-9]{4}$/),
      email: 'new@example.com',
      balance: 50,
      level: 'pro-0',
      level_name: '普通用户',
      level_ends_at: null,
      provider_sort: 'default',
      auth_types: ['email'],
    })
    expect(info.invite_url).toMatch(/\/chat\?invite_code=\w+$/)
  })

  test('the same address comes back to the same account through the other call', async () => {
    const client = await world.user('same@example.com')
    const { uuid } = await client.call('GET /api/user/info', {})
    await client.call('POST /logout', {})
    expect((await expectCallError(client.call('GET /api/user/info', {}))).status).toBe(401)
    await letTimePass(world.db(), '2 minutes')
    await client.call('POST /auth/vcode', { body: { email: 'same@example.com' } })
    const code = await world.getLoginCode('same@example.com')
    const { user } = await client.call('POST /auth/email', { body: { email: 'same@example.com', code } })
    expect(user).toMatchObject({ uuid, balance: 50 })
  })

  test('a page that shows somebody whose sign-in has ended acts neither as a guest nor as the next person, in no call', async () => {
    const client = await world.user()
    const { uuid } = await client.call('GET /api/user/info', {})
    const headers = { [SHOWN_USER_HEADER]: uuid }
    const visits = [
      () => client.call('POST /api/chat/session/new', { body: {} }, { headers }),
      () => client.call('GET /api/chat/sessions', {}, { headers }),
      () => client.call('GET /api/user/info', {}, { headers }),
      () => client.call('GET /wechat/login', { query: {} }, { headers }),
    ]
    await visits[0]!()
    const expectRefusals = async () => {
      const answers = await Promise.all(visits.map((visit) => expectCallError(visit())))
      expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
        visits.map(() => '401 login_expired'),
      )
    }
    await client.call('POST /logout', {})
    await expectRefusals()
    expect(client.cookie).not.toContain('session')
    client.cookie = (await world.user()).cookie
    await expectRefusals()
    expect((await client.call('GET /api/chat/sessions', {})).items).toEqual([])
  })

  test('a code works once', async () => {
    const client = world.visitor()
    await client.call('POST /auth/vcode', { body: { email: 'once@example.com' } })
    const code = await world.getLoginCode('once@example.com')
    await client.call('POST /auth/email', { body: { email: 'once@example.com', code } })
    const again = await expectCallError(
      client.call('POST /login', { body: { email: 'once@example.com', code } }),
    )
    expect(again.body.code).toBe('code_invalid')
  })

  test('five wrong tries over both calls use a code up, at the same moment too', async () => {
    const email = 'tries@example.com'
    const client = world.visitor()
    await client.call('POST /auth/vcode', { body: { email } })
    const code = await world.getLoginCode(email)
    const attempts = [
      'POST /login',
      'POST /auth/email',
      'POST /login',
      'POST /auth/email',
      'POST /login',
    ] as const
    const answers = await Promise.all(
      attempts.map((key) => expectCallError(client.call(key, { body: { email, code: wrongCode(code) } }))),
    )
    expect(answers.map(({ body }) => body.code).sort()).toEqual([
      ...Array.from({ length: 4 }, () => 'code_invalid'),
      'code_tries',
    ])
    const right = await expectCallError(client.call('POST /login', { body: { email, code } }))
    expect([right.status, right.body.code]).toEqual([429, 'code_tries'])
  })

  test('the next code of an address has to wait, and says how long', async () => {
    const client = world.visitor()
    await client.call('POST /auth/vcode', { body: { email: 'wait@example.com' } })
    const error = await expectCallError(
      client.call('POST /auth/vcode', { body: { email: 'WAIT@example.com' } }),
    )
    expect(error.body).toMatchObject({ code: 'rate_limited', message: '请求过于频繁，请稍后再试' })
    expect(Number(error.headers.get('Retry-After'))).toBeGreaterThan(0)
  })

  test('asked for at once from many sides, an address gets one code', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        world.visitor().call('POST /auth/vcode', { body: { email: 'race@example.com' } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a client gets as many mails as it may have, however many it asks for at once', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 38 }, (_, index) => {
        const headers = { 'x-forwarded-for': `2001:db8:0:1::${index}` }
        const body = { email: `many${index}@example.com` }
        return world.visitor().call('POST /auth/vcode', { body }, { headers })
      }),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(30)
  })

  test('the cookie is HttpOnly and new at each sign-in', async () => {
    const client = world.visitor()
    await client.call('POST /api/chat/session/new', { body: {} })
    const guest = client.cookie
    expect(guest).not.toBe('')
    await client.call('POST /auth/vcode', { body: { email: 'cookie@example.com' } })
    const code = await world.getLoginCode('cookie@example.com')
    const response = await client.fetch('/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'cookie@example.com', code }),
    })
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^wenqu_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^wenqu_known=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/),
    ])
    expect(client.cookie).not.toBe(guest)
    const old = world.visitor()
    old.cookie = guest
    expect((await old.call('GET /api/chat/sessions', {})).total).toBe(0)
  })

  test.each([
    ['/chat?sess_id=1', '/chat?sess_id=1'],
    ['//evil.example', '/chat'],
    ['/\\evil.example', '/chat'],
    ['https://evil.example', '/chat'],
    ['/\tx', '/chat'],
  ])('redirect_to %j leads to %j', async (redirectTo, expected) => {
    const email = `r${Buffer.from(redirectTo).toString('hex')}@example.com`
    const client = world.visitor()
    await client.call('POST /auth/vcode', { body: { email } })
    const code = await world.getLoginCode(email)
    expect(await client.call('POST /login', { body: { email, code, redirect_to: redirectTo } })).toEqual({
      redirect_to: expected,
    })
  })

  test('a signed-in user binds another address by the same call; a taken one is refused', async () => {
    const client = await world.user('bind@example.com')
    await world.user('taken@example.com')
    const requestCode = async (email: string): Promise<string> => {
      await letTimePass(world.db(), '2 minutes')
      await client.call('POST /auth/vcode', { body: { email } })
      return world.getLoginCode(email)
    }
    const bind = (body: { email: string; code: string; old_code?: string }) =>
      client.call('POST /auth/email', { body })
    const email = 'bound@example.com'
    const code = await requestCode(email)
    const unconfirmed = await expectCallError(bind({ email, code }))
    expect([unconfirmed.status, unconfirmed.body.code]).toEqual([422, 'old_code_required'])
    expect((await expectCallError(bind({ email, code, old_code: code }))).body.code).toBe('code_invalid')
    const oldCode = await requestCode('bind@example.com')
    expect((await bind({ email, code, old_code: oldCode })).user.email).toBe(email)
    const taken = { email: 'taken@example.com', code: await requestCode('taken@example.com') }
    const refused = await expectCallError(bind({ ...taken, old_code: await requestCode(email) }))
    expect(refused.body.code).toBe('email_taken')
  })

  test('the address /logout signs out and leads home; where a foreign page may have led there it asks first', async () => {
    const client = await world.user()
    const visit = async (headers: Record<string, string>) => {
      const response = await client.fetch('/logout', { headers })
      return [response.status, response.headers.get('Location')]
    }
    // Old browsers, and all browsers over plain HTTP, do not send the origin of a visit.
    const foreign: Record<string, string>[] = [
      {},
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'image' },
    ]
    for (const headers of foreign) {
      expect(await visit(headers)).toEqual([302, '/logout/confirm'])
      expect((await client.fetch('/logout/confirm')).status).toBe(200)
      await client.call('GET /api/user/info', {})
    }
    for (const site of ['none', 'same-origin']) {
      const own = await world.user()
      const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Dest': 'document' }
      const response = await own.fetch('/logout', { headers })
      expect([response.status, response.headers.get('Location')]).toEqual([302, '/'])
      expect((await expectCallError(own.call('GET /api/user/info', {}))).status).toBe(401)
      expect((await own.fetch('/logout/confirm')).headers.get('Location')).toBe('/')
    }
  })

  test('who is signed in is led on from /login, to a path of this site, and everybody else is shown the form', async () => {
    const client = await world.user()
    const visit = async (who: Client, query: string) => {
      const response = await who.fetch(`/login${query}`)
      return [response.status, response.headers.get('Location')]
    }
    expect(await visit(client, '')).toEqual([302, '/chat'])
    expect(await visit(client, '?redirect_to=/profile/setting')).toEqual([302, '/profile/setting'])
    expect(await visit(client, '?redirect_to=//evil.example')).toEqual([302, '/chat'])
    const guest = world.visitor()
    await guest.call('POST /api/chat/session/new', { body: {} })
    for (const who of [world.visitor(), guest]) expect(await visit(who, '')).toEqual([200, null])
  })

  test('the channel of a code is whatever a client calls it', async () => {
    const send = (channel: string) => {
      const body = { email: `${channel.length}channel@example.com`, channel }
      return world.visitor().call('POST /auth/vcode', { body })
    }
    await send('login')
    await send('register_2')
    expect((await expectCallError(send('<script>'))).status).toBe(422)
  })

  test('a state-changing call without X-Requested-With is refused', async () => {
    const client = await world.user()
    const response = await client.fetch('/logout', { method: 'POST', headers: { 'X-Requested-With': '' } })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'untrusted_origin' })
    await client.call('GET /api/user/info', {})
  })

  test('neither code nor cookie stands in clear in the database', async () => {
    const client = await world.user('secret@example.com')
    const token = getSessionToken(client)
    const { rows } = await world.db().execute(sql`
      SELECT (SELECT json_agg(c) FROM login_codes c)::text || (SELECT json_agg(s) FROM auth_sessions s)::text AS all`)
    const held = String(rows[0]!.all)
    expect(held).toContain('secret@example.com')
    expect(held).not.toContain(token)
    expect(held).not.toContain(`"${await world.getLoginCode('secret@example.com')}"`)
  })

  test('a code that has run out is refused', async () => {
    const client = world.visitor()
    await client.call('POST /auth/vcode', { body: { email: 'late@example.com' } })
    const code = await world.getLoginCode('late@example.com')
    await world.db().execute(sql`UPDATE login_codes SET expires_at = now() WHERE target = 'late@example.com'`)
    const error = await expectCallError(
      client.call('POST /login', { body: { email: 'late@example.com', code } }),
    )
    expect([error.status, error.body.code]).toEqual([422, 'code_invalid'])
  })
})
