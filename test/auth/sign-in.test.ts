import { createHash, createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { solveChallenge } from '#web/auth/proofOfWork.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useResource, useWorld } from '../world/use-world.ts'

/** Tencent Cloud's SMS and WeChat's Open Platform, as far as they are asked. */
type Platforms = {
  url: string
  sms: { headers: IncomingHttpHeaders; body: string }[]
  /** What SendSms says of the next messages. */
  refuseSms(code: string): void
  close(): Promise<void>
}

async function startPlatforms(): Promise<Platforms> {
  const used = new Set<string>()
  let sms_code = 'Ok'
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://platform')
      const answer = (body: object) =>
        response.setHeader('Content-Type', 'text/plain').end(JSON.stringify(body))
      if (url.pathname !== '/sns/oauth2/access_token') {
        platforms.sms.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
        return answer({ Response: { SendStatusSet: [{ Code: sms_code }], RequestId: 'r' } })
      }
      const { appid, secret, code = '', grant_type } = Object.fromEntries(url.searchParams)
      const isKnown = appid === 'wx1' && secret === 'wechat-secret' && grant_type === 'authorization_code'
      const isFresh = code.startsWith('person-') && !used.has(code)
      used.add(code)
      if (!isKnown || !isFresh) return answer({ errcode: 40029, errmsg: 'invalid code' })
      const [, person = ''] = code.split('-')
      return answer({
        access_token: 'a',
        openid: `o-${person}`,
        unionid: `u-${person}`,
        scope: 'snsapi_login',
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const platforms: Platforms = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sms: [],
    refuseSms: (code) => {
      sms_code = code
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return platforms
}

const platforms = useResource(startPlatforms)
const KEYS = { TENCENT_SECRET_ID: 'AKID-test', TENCENT_SECRET_KEY: 'tencent-secret' }
const world = useWorld({
  env: async () => ({
    TRUST_PROXY: '1',
    WECHAT_APP_ID: 'wx1',
    WECHAT_APP_SECRET: 'wechat-secret',
    WECHAT_API_URL: platforms.url,
  }),
})
const production = useWorld({
  env: async () => ({
    NODE_ENV: 'production',
    APP_SECRET: 'a-secret-of-more-than-thirty-two-characters',
    APP_URL: 'http://localhost:3000',
    ...KEYS,
    SMS_APP_ID: '1400000000',
    SMS_SIGN_NAME: '问渠',
    SMS_TEMPLATE_ID: '100001',
    SMS_ENDPOINT: platforms.url,
  }),
})

let count = 0
const newPhone = () => `1380000${String(++count).padStart(4, '0')}`
const letAnHourPass = () =>
  world.db().execute(sql`UPDATE login_codes SET created_at = created_at - interval '61 minutes'`)
async function requestCode(client: Client, target: { email: string } | { phone: string }): Promise<string> {
  await letAnHourPass()
  await client.call('POST /auth/vcode', { body: target })
  return world.getLoginCode(Object.values(target)[0]!)
}
const getInfo = (client: Client) => client.call('GET /api/user/info', {})
const wrongCode = (code: string): string => (code === '000000' ? '111111' : '000000')

describe('a phone', () => {
  test('signs in by a code, however its number is written', async () => {
    const phone = newPhone()
    const client = world.visitor()
    await client.call('POST /auth/vcode', { body: { phone: ` +86 ${phone.slice(0, 3)}-${phone.slice(3)}` } })
    const code = await world.getLoginCode(phone)
    const { user } = await client.call('POST /auth/phone', { body: { phone, code } })
    expect(user).toMatchObject({ phone, email: null, auth_types: ['phone'], balance: 50 })
    const again = world.visitor()
    const body = { phone, code: await requestCode(again, { phone }), redirect_to: '/models' }
    expect(await again.call('POST /login', { body })).toEqual({ redirect_to: '/models' })
    expect((await getInfo(again)).uuid).toBe(user.uuid)
  })

  test.each([
    [{ phone: '12345678901' }, 'phone'],
    [{ phone: '1380000' }, 'phone'],
    [{ phone: ['13800000000'] }, 'phone'],
    [{ phone: '13800000000', email: 'a@example.com' }, 'email'],
    [{}, 'email'],
  ])('that is none is refused beside its field: %j', async (body, field) => {
    const response = await world.visitor().fetch('/auth/vcode', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(422)
    expect(Object.keys(((await response.json()) as { errors: object }).errors)).toEqual([field])
  })

  test('five tries use a code up over every call, at the same moment and from any address', async () => {
    const phone = newPhone()
    const client = world.visitor()
    const code = await requestCode(client, { phone })
    const doors = ['/auth/phone', '/login', '/auth/phone', '/login']
    const tries = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const response = await client.fetch(doors[index % doors.length]!, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            'X-Forwarded-For': `203.0.113.${index}, 198.51.100.${index}`,
            'X-Real-IP': `192.0.2.${index}`,
            Forwarded: `for=192.0.2.${index}`,
          },
          body: JSON.stringify({ phone, code: wrongCode(code) }),
        })
        return ((await response.json()) as { code: string }).code
      }),
    )
    expect(tries.filter((one) => one === 'code_invalid')).toHaveLength(4)
    expect(tries.filter((one) => one === 'code_tries')).toHaveLength(20)
    const right = await expectCallError(client.call('POST /login', { body: { phone, code } }))
    expect(right.body.code).toBe('code_tries')
  })

  test.each([[{ $ne: '' }], [['123456']], ['１２３４５６'], [123456], [null], ['12345 6'], [true]])(
    'takes no code like %j',
    async (code) => {
      for (const path of ['/login', '/auth/phone', '/auth/email']) {
        const response = await world.visitor().fetch(path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            [path === '/auth/email' ? 'email' : 'phone']:
              path === '/auth/email' ? 'a@example.com' : '13800000000',
            code,
          }),
        })
        expect(response.status).toBe(422)
      }
    },
  )
})

test('who asks for a code learns nothing of whether there is an account', async () => {
  const known = 'known@example.com'
  await world.user(known)
  await letAnHourPass()
  const ask = async (email: string) => {
    const client = world.visitor()
    const sent = await client.call('POST /auth/vcode', { body: { email } })
    const tried = await expectCallError(
      client.call('POST /login', { body: { email, code: wrongCode(await world.getLoginCode(email)) } }),
    )
    return { sent, status: tried.status, body: { ...tried.body, request_id: '' } }
  }
  expect(await ask(known)).toEqual(await ask('unknown@example.com'))
})

test.each([
  'https://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' //evil.example',
  'javascript:alert(1)',
  'evil.example',
  '/chat\r\nSet-Cookie: a=b',
  'http:evil.example',
])('after signing in, %j leads nowhere else', async (redirect_to) => {
  const phone = newPhone()
  const client = world.visitor()
  const body = { phone, code: await requestCode(client, { phone }), redirect_to }
  expect(await client.call('POST /login', { body })).toEqual({ redirect_to: '/chat' })
})

describe('ways to sign in', () => {
  test('are bound with a code of the address that is there, and taken away but for the last one', async () => {
    const client = await world.user('ways@example.com')
    const phone = newPhone()
    const remove = (type: 'email' | 'phone' | 'wechat') =>
      client.call('DELETE /api/user/auth_types/{type}', { params: { type } })
    expect((await expectCallError(remove('email'))).body.code).toBe('last_auth_type')
    expect((await expectCallError(remove('phone'))).body.code).toBe('not_found')
    const code = await requestCode(client, { phone })
    const unconfirmed = await expectCallError(client.call('POST /auth/phone', { body: { phone, code } }))
    expect(unconfirmed.body.code).toBe('old_code_required')
    const old_code = await requestCode(client, { email: 'ways@example.com' })
    const { user } = await client.call('POST /auth/phone', { body: { phone, code, old_code } })
    expect(user.auth_types).toEqual(['email', 'phone'])
    const { notifications } = await client.call('GET /api/notifications/unread', { query: {} })
    expect(notifications[0]).toMatchObject({ title: '登录方式有变化', channel: 'system' })
    const removed = await Promise.allSettled([remove('email'), remove('phone')])
    expect(removed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await getInfo(client)).auth_types).toHaveLength(1)
  })

  test('a phone that another account has is refused', async () => {
    const phone = newPhone()
    const owner = world.visitor()
    await owner.call('POST /auth/phone', { body: { phone, code: await requestCode(owner, { phone }) } })
    const client = await world.user('other-phone@example.com')
    const code = await requestCode(client, { phone })
    const old_code = await requestCode(client, { email: 'other-phone@example.com' })
    const refused = await expectCallError(
      client.call('POST /auth/phone', { body: { phone, code, old_code } }),
    )
    expect([refused.status, refused.body.code]).toEqual([409, 'phone_taken'])
  })
})

describe('browsers', () => {
  test('that are signed in are listed, and one can be signed out from another', async () => {
    const here = await world.user('browsers@example.com')
    await letAnHourPass()
    const there = await world.user('browsers@example.com')
    const { items } = await here.call('GET /api/user/sessions', {})
    expect(items.filter(({ current }) => current)).toHaveLength(1)
    expect(items).toHaveLength(2)
    const { id } = items.find(({ current }) => !current)!
    const stranger = await world.user()
    const revoke = (by: Client) => by.call('DELETE /api/user/sessions/{id}', { params: { id } })
    expect((await expectCallError(revoke(stranger))).status).toBe(404)
    await revoke(here)
    expect((await expectCallError(getInfo(there))).status).toBe(401)
    expect((await getInfo(here)).email).toBe('browsers@example.com')
  })

  test('a cookie that was planted before signing in is not signed in by it', async () => {
    const phone = newPhone()
    const client = world.visitor()
    const planted = 'A'.repeat(43)
    client.cookie = `wenqu_session=${planted}`
    await client.call('POST /auth/phone', { body: { phone, code: await requestCode(client, { phone }) } })
    const attacker = world.visitor()
    attacker.cookie = `wenqu_session=${planted}`
    expect((await expectCallError(getInfo(attacker))).status).toBe(401)
    expect((await getInfo(client)).phone).toBe(phone)
  })
})

describe('WeChat', () => {
  const start = async (client: Client, query: { redirect_to?: string; old_code?: string } = {}) => {
    const url = new URL((await client.call('GET /wechat/login', { query })).url)
    return { url, state: url.searchParams.get('state') ?? '' }
  }
  const comeBack = async (client: Client, code: string, state: string) => {
    const response = await client.fetch(`/wechat/callback?${new URLSearchParams({ code, state }).toString()}`)
    return [response.status, response.headers.get('Location')]
  }

  test('signs in the browser that was sent there, once, and comes back to the same account', async () => {
    const client = world.visitor()
    const { url, state } = await start(client, { redirect_to: '/models' })
    expect(url.origin + url.pathname).toBe('https://open.weixin.qq.com/connect/qrconnect')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      appid: 'wx1',
      response_type: 'code',
      scope: 'snsapi_login',
      redirect_uri: expect.stringMatching(/\/wechat\/callback$/),
    })
    expect(url.hash).toBe('#wechat_redirect')
    expect(await comeBack(world.visitor(), 'person-stolen', state)).toEqual([302, '/login?wechat=failed'])
    const second = await start(client, { redirect_to: '/models' })
    expect(await comeBack(client, 'person-li', second.state)).toEqual([302, '/models'])
    const { uuid, auth_types } = await getInfo(client)
    expect(auth_types).toEqual(['wechat'])
    expect(await comeBack(client, 'person-li2', second.state)).toEqual([
      302,
      '/profile/setting?wechat=failed',
    ])
    const again = world.visitor()
    expect(await comeBack(again, 'person-li-again', (await start(again)).state)).toEqual([302, '/chat'])
    expect((await getInfo(again)).uuid).toBe(uuid)
  })

  test('a code that WeChat refuses signs nobody in', async () => {
    const client = world.visitor()
    expect(await comeBack(client, 'forged', (await start(client)).state)).toEqual([
      302,
      '/login?wechat=failed',
    ])
    expect((await expectCallError(getInfo(client))).status).toBe(401)
  })

  test('is bound to the account that is signed in, unless another one has it', async () => {
    const [client, other] = [await world.user('wechat1@example.com'), await world.user('wechat2@example.com')]
    expect((await expectCallError(start(client))).body.code).toBe('old_code_required')
    const begin = async (by: Client, email: string) => {
      const old_code = await requestCode(by, { email })
      return start(by, { old_code, redirect_to: '/profile/setting' })
    }
    const bound = await begin(client, 'wechat1@example.com')
    expect(await comeBack(client, 'person-wang', bound.state)).toEqual([302, '/profile/setting'])
    expect((await getInfo(client)).auth_types).toEqual(['email', 'wechat'])
    const taken = await begin(other, 'wechat2@example.com')
    expect(await comeBack(other, 'person-wang-2', taken.state)).toEqual([
      302,
      '/profile/setting?wechat=taken',
    ])
    expect((await getInfo(other)).auth_types).toEqual(['email'])
  })

  test('is not offered where it is not configured', async () => {
    const refused = await expectCallError(production.visitor().call('GET /wechat/login', { query: {} }))
    expect([refused.status, refused.body.code]).toEqual([404, 'wechat_unavailable'])
  })
})

describe('in production', () => {
  const solve = async () => {
    const { challenge, difficulty } = await production.visitor().call('GET /auth/challenge', {})
    return solveChallenge(challenge, difficulty)
  }
  const ask = (body: object) =>
    production.visitor().call('POST /auth/vcode', { body: { phone: newPhone(), ...body } })

  test('a code costs a challenge that was solved, each of which is good once', async () => {
    const ticket = await solve()
    const { challenge } = await production.visitor().call('GET /auth/challenge', {})
    const forged = ticket.replace(/^\d+/, (expires) => String(Number(expires) + 1))
    for (const refused of [{}, { ticket: 'dev' }, { ticket: `${challenge}.x` }, { ticket: forged }]) {
      expect((await expectCallError(ask(refused))).body.code).toBe('human_check_failed')
    }
    const answers = await Promise.allSettled([ask({ ticket }), ask({ ticket }), ask({ ticket })])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a code reaches a phone by Tencent Cloud, signed, and a refusal is told', async () => {
    const [ticket, phone] = [await solve(), newPhone()]
    await production.visitor().call('POST /auth/vcode', { body: { phone, ticket } })
    const { headers, body } = platforms.sms.at(-1)!
    expect(JSON.parse(body)).toEqual({
      PhoneNumberSet: [`+86${phone}`],
      SmsSdkAppId: '1400000000',
      SignName: '问渠',
      TemplateId: '100001',
      TemplateParamSet: [expect.stringMatching(/^\d{6}$/), '10'],
    })
    expect(headers).toMatchObject({ 'x-tc-action': 'SendSms', 'x-tc-version': '2021-01-11' })
    expect(headers.authorization).toBe(signAsTencent(headers, body))
    platforms.refuseSms('LimitExceeded.PhoneNumberDailyLimit')
    const refused = await expectCallError(ask({ ticket: await solve() }))
    expect([refused.status, refused.body.code]).toEqual([503, 'code_send_failed'])
  })
})

/** TC3-HMAC-SHA256, written from its description: https://cloud.tencent.com/document/api/382/52072 */
function signAsTencent(headers: IncomingHttpHeaders, body: string): string {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const timestamp = String(headers['x-tc-timestamp'])
  const date = new Date(Number(timestamp) * 1000).toISOString().slice(0, 10)
  const request = [
    'POST',
    '/',
    '',
    `content-type:${headers['content-type']}`,
    `host:${headers.host}`,
    '',
    'content-type;host',
    sha256(body),
  ].join('\n')
  const scope = `${date}/sms/tc3_request`
  const signing = hmac(hmac(hmac(`TC3${KEYS.TENCENT_SECRET_KEY}`, date), 'sms'), 'tc3_request')
  const text = ['TC3-HMAC-SHA256', timestamp, scope, sha256(request)].join('\n')
  return `TC3-HMAC-SHA256 Credential=${KEYS.TENCENT_SECRET_ID}/${scope}, SignedHeaders=content-type;host, Signature=${hmac(signing, text).toString('hex')}`
}
