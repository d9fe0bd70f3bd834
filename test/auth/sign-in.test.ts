import { describe, expect, test } from 'vitest'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { letTimePass } from '../world/sign-in.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld({ env: { TRUST_PROXY: '1' } })

let count = 0
const newPhone = () => `1380000${String(++count).padStart(4, '0')}`
const letAnHourPass = () => letTimePass(world.db(), '61 minutes')
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
])('after signing in, %j leads nowhere else', async (redirectTo) => {
  const phone = newPhone()
  const client = world.visitor()
  const body = { phone, code: await requestCode(client, { phone }), redirect_to: redirectTo }
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
    const oldCode = await requestCode(client, { email: 'ways@example.com' })
    const { user } = await client.call('POST /auth/phone', { body: { phone, code, old_code: oldCode } })
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
    const oldCode = await requestCode(client, { email: 'other-phone@example.com' })
    const refused = await expectCallError(
      client.call('POST /auth/phone', { body: { phone, code, old_code: oldCode } }),
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
