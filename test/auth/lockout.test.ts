import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createKnownBrowsers } from '#server/auth/known-browsers.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { letTimePass } from '../world/sign-in.ts'
import { useWorld } from '../world/use-world.ts'

// What strangers do to an address, and what they cannot do to the person whose it is.

const MAIL_CODES_TOTAL = 1_000
const APP_SECRET = 'a secret of at least thirty-two characters'
const world = useWorld({
  env: { APP_SECRET, TRUST_PROXY: '1', CODE_TARGETS: '20', MAIL_CODES_TOTAL: String(MAIL_CODES_TOTAL) },
})

let strangers = 0
const newAddress = (): string => `2001:db8:${(++strangers).toString(16)}::1`
const ask = (
  email: string,
  { by = world.visitor(), from = newAddress() }: { by?: Client; from?: string } = {},
) => by.call('POST /auth/vcode', { body: { email } }, { headers: { 'X-Forwarded-For': from } })
const signInWith = (client: Client, email: string, code: string, from = newAddress()) =>
  client.call('POST /login', { body: { email, code } }, { headers: { 'X-Forwarded-For': from } })
/** An account and the browser that it has signed in from, signed out again. */
async function createKnown(email: string): Promise<Client> {
  const client = world.visitor()
  await ask(email, { by: client })
  await signInWith(client, email, await world.getLoginCode(email))
  await client.call('POST /logout', {})
  return client
}
const wrongCode = (code: string): string => (code === '000000' ? '111111' : '000000')

describe('a browser that an account has signed in from', () => {
  test('gets a code and signs in, whatever strangers have asked for and tried', async () => {
    const email = 'victim@example.com'
    const own = await createKnown(email)
    let sent = 0
    for (let nth = 0; nth < 12; nth++) {
      await letTimePass(world.db(), '61 seconds')
      sent += await ask(email).then(
        () => 1,
        () => 0,
      )
    }
    // The person's first code, before the browser was known, was one of ten.
    expect(sent).toBe(9)
    const refused = await expectCallError(ask(email))
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(20 * 3_600)
    // At the same address, which has used up its codes and its tries.
    const from = newAddress()
    for (let nth = 0; nth < 20; nth++) await ask(`other${nth}@example.com`, { from })
    const tries = Array.from({ length: 41 }, () =>
      expectCallError(signInWith(world.visitor(), email, '000000', from)),
    )
    expect((await Promise.all(tries)).map(({ body }) => body.code)).toContain('rate_limited')
    await ask(email, { by: own, from })
    await signInWith(own, email, await world.getLoginCode(email), from)
    expect((await own.call('GET /api/user/info', {})).email).toBe(email)
  })

  test('has an allowance of its own, by the hour and the day', async () => {
    const email = 'allowed@example.com'
    const own = await createKnown(email)
    const count = async (times: number): Promise<number> => {
      let sent = 0
      for (let nth = 0; nth < times; nth++) {
        await letTimePass(world.db(), '61 seconds')
        sent += await ask(email, { by: own }).then(
          () => 1,
          () => 0,
        )
      }
      return sent
    }
    expect(await count(8)).toBe(6)
    await letTimePass(world.db(), '1 hour')
    expect(await count(8)).toBe(6)
    await letTimePass(world.db(), '1 hour')
    expect(await count(8)).toBe(6)
    await letTimePass(world.db(), '1 hour')
    expect(await count(8)).toBe(2)
    await letTimePass(world.db(), '24 hours')
    expect(await count(8)).toBe(6)
  })

  test('is known by a cookie that outlives the session, is nobody else’s, and signs nobody in', async () => {
    const [email, other] = ['cookie@example.com', 'second@example.com']
    const own = await createKnown(email)
    const cookie = /wenqu_known=([^;]+)/.exec(own.cookie)![1]!
    expect(cookie).toMatch(/^[\w-]{43}\.[\w-]{22}$/)
    const thief = world.visitor()
    thief.cookie = `wenqu_known=${cookie}`
    expect((await expectCallError(thief.call('GET /api/user/info', {}))).status).toBe(401)
    // A second account at the same browser: both are known there, the first one from there alone.
    await createKnown(other)
    await ask(other, { by: own }).catch(() => {})
    const rows = await world
      .db()
      .execute<{ id: string }>(sql`SELECT id FROM users WHERE email IN (${email}, ${other}) ORDER BY email`)
    const [first, second] = rows.rows.map(({ id }) => id) as [string, string]
    const known = createKnownBrowsers(APP_SECRET)
    const both = known.add(cookie, second)
    expect([known.isKnown(both, first), known.isKnown(both, second), known.isKnown(cookie, second)]).toEqual([
      true,
      true,
      false,
    ])
    expect(createKnownBrowsers('another secret').isKnown(both, first)).toBe(false)
    const many = Array.from({ length: 20 }, (_, nth) => `account-${nth}`)
    const full = many.reduce<string>((sum, id) => known.add(sum, id), both)
    expect(full.split('.')).toHaveLength(9)
    expect(many.filter((id) => known.isKnown(full, id))).toEqual(many.slice(-8))
  })
})

describe('codes', () => {
  test('that were asked for before stay good, and wrong tries count for all of them', async () => {
    const email = 'several@example.com'
    const client = world.visitor()
    const codes: string[] = []
    const askAgain = async (): Promise<void> => {
      await letTimePass(world.db(), '61 seconds')
      await ask(email, { by: client })
      codes.push(await world.getLoginCode(email))
    }
    await askAgain()
    await askAgain()
    await signInWith(client, email, codes[0]!)
    // Each was good once: signing in used both up.
    expect((await expectCallError(signInWith(world.visitor(), email, codes[1]!))).body.code).toBe(
      'code_invalid',
    )
    expect((await expectCallError(signInWith(client, email, codes[1]!))).body.code).toBe('code_invalid')

    await client.call('POST /logout', {})
    const guess = async () => (await expectCallError(signInWith(client, email, '999999'))).body.code
    codes.length = 0
    await askAgain()
    for (let nth = 0; nth < 3; nth++) expect(await guess()).toBe('code_invalid')
    await askAgain()
    for (let nth = 0; nth < 2; nth++) expect(await guess()).toBe('code_invalid')
    // The older one has had five tries, the newer one two.
    expect((await expectCallError(signInWith(client, email, codes[0]!))).body.code).toBe('code_invalid')
    expect(await guess()).toBe('code_invalid')
    expect(await guess()).toBe('code_tries')
    expect((await expectCallError(signInWith(client, email, codes[1]!))).body.code).toBe('code_tries')
  })

  test('go from one client to twenty new addresses an hour and a hundred a day', async () => {
    const from = newAddress()
    const askMany = async (hour: number): Promise<number> => {
      const emails = Array.from({ length: 25 }, (_, nth) => `h${hour}n${nth}@example.com`)
      const answers = await Promise.allSettled(emails.map((email) => ask(email, { from })))
      return answers.filter(({ status }) => status === 'fulfilled').length
    }
    const sent: number[] = []
    for (let hour = 0; hour < 6; hour++) {
      sent.push(await askMany(hour))
      await letTimePass(world.db(), '61 minutes')
    }
    expect(sent).toEqual([20, 20, 20, 20, 20, 0])
    // One that it has had a code sent to is not new.
    await ask('h0n0@example.com', { from }).catch(async () => ask('h0n24@example.com', { from }))
  })

  test('that strangers try are not the person’s', async () => {
    const email = 'burnt@example.com'
    const client = world.visitor()
    await ask(email, { by: client })
    const code = await world.getLoginCode(email)
    for (let nth = 0; nth < 8; nth++)
      expect((await expectCallError(signInWith(world.visitor(), email, wrongCode(code)))).body.code).toBe(
        'code_invalid',
      )
    await signInWith(client, email, code)
  })

  test('have an end for the house, of which strangers cannot take all', async () => {
    const email = 'house@example.com'
    const own = await createKnown(email)
    await letTimePass(world.db(), '61 seconds')
    const fill = (key: string, uses: number) =>
      world.db().execute(sql`
        INSERT INTO limit_uses (use_id, key) SELECT gen_random_uuid(), ${key} FROM generate_series(1, ${uses})`)
    await fill('code:house:email:strangers', MAIL_CODES_TOTAL)
    const refused = await expectCallError(ask('stranger@example.com'))
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      503,
      'codes_exhausted',
      '今天的验证码已发完，请明天再试，或换一种方式登录',
    ])
    await ask(email, { by: own })
    await fill('code:house:email', MAIL_CODES_TOTAL)
    await letTimePass(world.db(), '61 seconds')
    expect((await expectCallError(ask(email, { by: own }))).body.code).toBe('codes_exhausted')
    // Mail and SMS are counted apart.
    await world.visitor().call('POST /auth/vcode', { body: { phone: '13800138000' } })
  })
})
