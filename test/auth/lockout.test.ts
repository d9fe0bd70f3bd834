import { request } from 'node:http'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createKnownBrowsers } from '#server/accounts/auth/known-browsers.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { letTimePass } from '../world/sign-in.ts'
import { useOwnWorld } from '../world/use-world.ts'

// Strangers' attacks on an address, and their limits against its owner.

const MAIL_CODES_TOTAL = 1_000
const alerts: unknown[][] = []
const APP_SECRET = 'a secret of at least thirty-two characters'
const world = useOwnWorld({
  env: { APP_SECRET, TRUST_PROXY: '1', CODE_TARGETS: '20', MAIL_CODES_TOTAL: String(MAIL_CODES_TOTAL) },
  onLog(line) {
    const { limit, used, max, msg } = JSON.parse(line) as Record<string, unknown>
    if (typeof msg === 'string' && msg.startsWith('a limit of the house'))
      alerts.push([limit, used, max, msg])
  },
})

let strangers = 0
const newAddress = (): string => `2001:db8:${(++strangers).toString(16)}::1`
const ask = (
  email: string,
  { by = world.visitor(), from = newAddress() }: { by?: Client; from?: string } = {},
) => by.call('POST /auth/vcode', { body: { email } }, { headers: { 'X-Forwarded-For': from } })
const signInWith = (client: Client, email: string, code: string, from = newAddress()) =>
  client.call('POST /login', { body: { email, code } }, { headers: { 'X-Forwarded-For': from } })
/** Counts the sent codes among this many requests by `askOnce`. */
async function countSent(times: number, askOnce: () => Promise<unknown>): Promise<number> {
  let sent = 0
  for (let nth = 0; nth < times; nth++) sent += await askOnce().then(...toCount)
  return sent
}
const toCount = [() => 1, () => 0] as const
const wait = (time: string) => letTimePass(world.db(), time)
/** Signs an account in from another browser, and out again. */
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
    // The person's first code, before the browser was known, counts among the ten.
    expect(await countSent(12, () => ask(email))).toBe(9)
    const refused = await expectCallError(ask(email))
    expect([refused.status, refused.body.code]).toEqual([429, 'code_limit'])
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(20 * 3_600)
    // At the same network address, whose codes and tries are used up.
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
    const other = await createKnown(email)
    const countBy = (by: Client) => countSent(8, () => wait('61 seconds').then(() => ask(email, { by })))
    const counts: number[] = []
    for (const pause of ['0', '1 hour', '1 hour', '1 hour', '24 hours']) {
      await wait(pause)
      counts.push(await countBy(own))
    }
    expect(counts).toEqual([6, 6, 6, 2, 6])
    // A stranger who finds another browser of the account, in a café, takes nothing from this one.
    expect(await countBy(other)).toBe(6)
    await wait('1 hour')
    expect(await countBy(own)).toBe(6)
    // All browsers of the account share one limit, so that signing in more often sends no more mails.
    await world.db().execute(sql`
      INSERT INTO limit_uses (use_id, key) SELECT gen_random_uuid(), 'code:known:' || id FROM users, generate_series(1, 60)
      WHERE email = ${email}`)
    await wait('1 hour')
    expect((await expectCallError(ask(email, { by: other }))).body.code).toBe('rate_limited')
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

describe('codes of strangers', () => {
  test('are no pause for others, and one client has six of the ten of a day', async () => {
    const email = 'new-device@example.com'
    const [from, person] = [newAddress(), world.visitor()]
    await ask(email, { from })
    const soon = await expectCallError(ask(email, { from }))
    expect([soon.body.code, Number(soon.headers.get('Retry-After')) <= 60]).toEqual(['rate_limited', true])
    await ask(email, { by: person })
    expect(await countSent(10, () => wait('61 seconds').then(() => ask(email, { from })))).toBe(5)
    const refused = await expectCallError(ask(email, { from }))
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      429,
      'code_limit',
      '今天发到这里的验证码已经太多，请明天再试，或在以前登录过的浏览器里登录，或换一种方式登录',
    ])
    await ask(email, { by: person })
    await signInWith(person, email, await world.getLoginCode(email))
  })

  test('count the client whose address the last proxy has written, also in a header line of its own', async () => {
    const askOn = (email: string, lines: string[]) =>
      new Promise<void>((resolve, reject) => {
        const headers = {
          'X-Requested-With': 'test',
          'Content-Type': 'application/json',
          'X-Forwarded-For': lines,
        }
        const sent = request(new URL('/auth/vcode', world.url), { method: 'POST', headers }, (answer) => {
          answer.resume().once('end', resolve)
        })
        sent.once('error', reject).end(JSON.stringify({ email }))
      })
    await askOn('line1@example.com', ['8.8.8.8', '203.0.113.200:4711'])
    await askOn('line2@example.com', ['unknown, 9.9.9.9', '"203.0.113.200"'])
    await askOn('line3@example.com', ['203.0.113.200'])
    const { rows } = await world.db().execute(sql`
      SELECT count(*)::int AS codes, count(DISTINCT client_hash)::int AS clients FROM login_codes WHERE target LIKE 'line_@%'`)
    expect(rows).toEqual([{ codes: 3, clients: 1 }])
  })
})

describe('codes', () => {
  test('are good three at a time, with five tries over all of them', async () => {
    const email = 'three@example.com'
    const client = world.visitor()
    const codes: string[] = []
    const askAgain = async (): Promise<void> => {
      await ask(email, { by: client })
      codes.push(await world.getLoginCode(email))
    }
    for (let nth = 0; nth < 4; nth++) await askAgain()
    const tryWith = async (code: string) => (await expectCallError(signInWith(client, email, code))).body.code
    expect(await tryWith(codes[0]!)).toBe('code_invalid')
    for (let nth = 0; nth < 3; nth++) expect(await tryWith('999999')).toBe('code_invalid')
    expect(await tryWith('999999')).toBe('code_tries')
    for (const code of codes.slice(1)) expect(await tryWith(code)).toBe('code_tries')
    // A newer code has tries of its own, and using it ends the others.
    await askAgain()
    await askAgain()
    await signInWith(client, email, codes[4]!)
    for (const code of codes) await expectCallError(signInWith(world.visitor(), email, code))
    for (const code of codes) await expectCallError(signInWith(client, email, code))
  })

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
    // Each was good once: signing in used up both.
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
    // The older code has had five tries, the newer one two.
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
    // An address that has already had a code from here does not count as new.
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
    await wait('61 seconds')
    const fill = (key: string, uses: number) =>
      world.db().execute(sql`
        INSERT INTO limit_uses (use_id, key) SELECT gen_random_uuid(), ${key} FROM generate_series(1, ${uses})`)
    // The alert at four fifths is sent once.
    const { rows } = await world.db().execute<{ uses: number }>(sql`
      SELECT count(*)::int AS uses FROM limit_uses WHERE key = 'code:house:email' AND used_at > now() - interval '1 day'`)
    await fill('code:house:email', 0.8 * MAIL_CODES_TOTAL - 1 - rows[0]!.uses)
    expect(alerts).toEqual([])
    await ask('four-fifths@example.com')
    await ask('beyond@example.com')
    const nearly = ['code:house:email', 800, MAIL_CODES_TOTAL, 'a limit of the house is nearly used up']
    expect(alerts).toEqual([nearly])
    await fill('code:house:email:strangers', MAIL_CODES_TOTAL)
    const refused = await expectCallError(ask('stranger@example.com'))
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      503,
      'codes_exhausted',
      '今天的验证码已发完，请明天再试，或换一种方式登录',
    ])
    await ask(email, { by: own })
    await fill('code:house:email', MAIL_CODES_TOTAL)
    await wait('61 seconds')
    expect((await expectCallError(ask(email, { by: own }))).body.code).toBe('codes_exhausted')
    expect(alerts.slice(1)).toEqual([
      ['code:house:email:strangers', 800, 800, 'a limit of the house is used up'],
      ['code:house:email', MAIL_CODES_TOTAL, MAIL_CODES_TOTAL, 'a limit of the house is used up'],
    ])
    // Mail and SMS are counted apart.
    await world.visitor().call('POST /auth/vcode', { body: { phone: '13800138000' } })
  })
})
