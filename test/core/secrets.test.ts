import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { WIDGET_HEADER } from '#contract/agents/widget-visitor.ts'
import { readConfig } from '#server/core/config.ts'
import { serializeError } from '#server/core/log.ts'
import { readOutbox } from '#server/core/mail.ts'
import { getInvitationToken } from '../organizations/organization.ts'
import { expectCallError } from '../world/client.ts'
import { getSessionToken } from '../world/sign-in.ts'
import { useOwnWorld } from '../world/use-world.ts'

let log = ''
const world = useOwnWorld({ onLog: (line) => void (log += line) })

test('what a failed query was asked with is not in the log', async () => {
  const failures = [
    sql`SELECT ${'canary5309'}::uuid`,
    sql`SELECT ${'canary5309'} FROM no_such_table`,
    sql`INSERT INTO run_hosts (id) VALUES (${'canary5309'})`,
  ]
  for (const query of failures) {
    const error: unknown = await world
      .db()
      .execute(query)
      .catch((reason: unknown) => reason)
    const logged = serializeError(error)
    expect(logged.message).toMatch(/^failed query: \s*(SELECT|INSERT)/)
    expect(logged.cause?.code).toMatch(/^\w{5}$/)
    expect(logged.stack).toContain('    at ')
    expect(JSON.stringify(logged)).not.toContain('canary5309')
  }
})

test('no key, code, cookie, question, e-mail address or platform’s key is in the log', async () => {
  const client = await world.user('canary@example.com')
  const code = await world.getLoginCode('canary@example.com')
  await expectCallError(client.call('POST /login', { body: { email: 'canary@example.com', code } }))
  const { raw_value } = await client.call('POST /api/api_keys', { body: { name: '程序' } })
  world.upstream.script('scripted', { text: '回答里的秘密' }, { status: 401, body: 'bad key sk-scripted' })
  await client.ask('问题里的秘密')
  await client.ask('问题里的秘密')
  const complete = (model: string) =>
    fetch(`${world.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${raw_value}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: '问题里的秘密' }] }),
    }).then((response) => response.text())
  await Promise.all([complete('scripted'), complete('none')])
  const cookie = getSessionToken(client)
  await client.call('POST /logout', {})
  await world.restart()
  expect(log).toContain('"route":"/login"')
  expect(log).toContain('message sent')
  const secrets = [raw_value!, code, cookie, 'canary@', 'sk-scripted', '问题里的秘密', '回答里的秘密']
  for (const secret of secrets) expect(log).not.toContain(secret)
})

test('what opens something by its address is in no line of the log, whether the door opens, is closed or breaks', async () => {
  const client = await world.user()
  world.upstream.script('scripted', { text: '答' })
  const { sess_id } = await client.ask('问')
  const { share } = await client.call('GET /api/chat/session/link', { query: { sess_id } })
  const code = new URL(share.url).searchParams.get('invite_code')!
  const { uuid: organization } = await client.call('POST /api/organization', { body: { name: '星河' } })
  const params = { id: organization }
  const body = { emails: ['canary@log.example'] }
  await client.call('POST /api/organization/{id}/members/invite', { params, body })
  const token = await getInvitationToken(world, 'canary@log.example')
  const mail = (await readOutbox(world.data_dir, 9)).find(({ to }) => to === 'canary@log.example')
  const refusal = new URL(mail!.unsubscribe_url!).pathname
  const picture = 'c0ffee'.repeat(5)
  const secret = 'Canary5309'.repeat(3)
  const post = (path: string, json: object = {}) =>
    client.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    })
  const walk = async (): Promise<number[]> => {
    const answers = [
      client.fetch(`/share/${share.id}?invite_code=${code}`),
      client.fetch(`/share/${share.id}/more?invite_code=${code}`),
      client.fetch(`/api/session/${share.id}/messages`),
      post(`/api/session/${share.id}/continue`),
      post(`/api/session/${share.id}/messages`),
      client.fetch(`/api/chat/session/link?sess_id=${share.id}`),
      client.fetch(`/login?redirect_to=/share/${share.id}`),
      client.fetch(`/profile/organization?invitation=${token}`),
      post('/api/organization/invitation', { token }),
      post('/api/organization/invitation/accept', { token }),
      client.fetch(refusal),
      post(refusal),
      client.fetch(refusal, { method: 'DELETE' }),
      client.fetch(`/wechat/callback?code=${secret}&state=${secret}`),
      client.fetch(`/pictures/${picture}.webp`),
      client.fetch('/api/chat/sessions', { headers: { [WIDGET_HEADER]: `${organization} ${secret}` } }),
      client.fetch(`/s3/wenqu/${secret}?X-Amz-Security-Token=${secret}`),
      client.fetch(`/api/v1/${secret}?key=${secret}`),
    ]
    const done = (await Promise.all(answers)).map(({ status }) => status)
    const revoked = await client.fetch(`/api/chat/session/link?id=${share.id}`, { method: 'DELETE' })
    return [...done, revoked.status]
  }
  expect(await walk()).toContain(200)
  expect(await walk()).toContain(404)
  await world.db().execute(sql`ALTER TABLE shares RENAME TO lost_shares`)
  await world.db().execute(sql`ALTER TABLE organization_invitations RENAME TO lost_invitations`)
  await world.db().execute(sql`ALTER TABLE invitation_refusals RENAME TO lost_refusals`)
  try {
    expect((await walk()).filter((status) => status === 500).length).toBeGreaterThan(7)
  } finally {
    await world.db().execute(sql`ALTER TABLE lost_shares RENAME TO shares`)
    await world.db().execute(sql`ALTER TABLE lost_invitations RENAME TO organization_invitations`)
    await world.db().execute(sql`ALTER TABLE lost_refusals RENAME TO invitation_refusals`)
  }
  const routes = ['/share/:id', '/api/session/:id/messages', '/api/organization/invitation', '*']
  for (const route of routes) expect(log).toContain(`"route":"${route}"`)
  expect(log).toContain('request failed')
  for (const hidden of [
    share.id,
    code,
    token,
    ...refusal.split('/').at(-1)!.split('.'),
    picture,
    secret,
    'canary@',
  ])
    expect(log).not.toContain(hidden)
})

test('what others write into an error is in the log without addresses, tokens and people', () => {
  const token = 'hN3kX9vQpL2mZ7wR4tY8uB1cD5eF6gA0sJqKoWiErTy'
  const error = new Error(`GET https://user:pass@api.example/share/${token}?code=1 failed`, {
    cause: new Error(`550 no such user <li@mail.example>, open '/data/pictures/${'c0ffee'.repeat(5)}.webp'`),
  })
  const logged = serializeError(error)
  expect(logged.message).toBe('GET https://api.example/… failed')
  expect(logged.cause!.message).toBe("550 no such user <…@…>, open '/data/pictures/….webp'")
  expect(serializeError(new Error(`no share ${token}`)).message).toBe('no share …')
  expect(logged.stack).toContain('secrets.test.ts')
})

test('a server is reached from its own machine only, until its operator says otherwise', () => {
  const data = { DATA_DIR: world.data_dir, APP_SECRET: 'x'.repeat(32) }
  expect(readConfig(data).host).toBe('127.0.0.1')
  expect(readConfig({ ...data, HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
  expect(readConfig({ ...data, NODE_ENV: 'production' }).host).toBe('0.0.0.0')
})
