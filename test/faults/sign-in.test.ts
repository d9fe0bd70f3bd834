import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAppProcess } from '../world/app-process.ts'
import type { AppProcess } from '../world/app-process.ts'
import { createClient, expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { runStatement } from '../world/postgres.ts'
import { getLoginCode } from '../world/sign-in.ts'
import { startUpstream } from '../world/upstream/upstream.ts'
import type { Upstream } from '../world/upstream/upstream.ts'
import { targets } from './database-targets.ts'

describe.each(targets.filter(({ kind }) => kind === 'postgres'))('on $kind', () => {
  let upstream: Upstream
  let apps: AppProcess[]
  beforeAll(async () => {
    upstream = await startUpstream()
    const env = {
      APP_SECRET: 'x'.repeat(32),
      TRUST_PROXY: '1',
      CODE_TARGETS: '20',
      SIGNUPS: '8',
      GIVEN_COINS_TOTAL: '300',
    }
    const first = await createAppProcess(upstream.url, env)
    const { DATABASE_URL = '', DATA_DIR = '' } = first.env
    apps = [first, await createAppProcess(upstream.url, { ...env, DATABASE_URL, DATA_DIR })]
    await first.start()
    await apps[1]!.start()
  })
  afterAll(async () => {
    for (const app of apps.toReversed()) await app.close()
    await upstream.close()
  })

  let calls = 0
  /** A browser whose calls go to both processes by turns. */
  const createBrowser = (): Client => createClient(() => apps[calls++ % 2]!.url)
  const ask = (email: string, from: string, by = createBrowser()): Promise<boolean> =>
    by.call('POST /auth/vcode', { body: { email } }, { headers: { 'X-Forwarded-For': from } }).then(
      () => true,
      () => false,
    )
  const count = async (asked: Promise<boolean>[]): Promise<number> =>
    (await Promise.all(asked)).filter(Boolean).length
  const letTimePass = async (time: string): Promise<void> => {
    for (const [table, column] of [
      ['limit_uses', 'used_at'],
      ['login_codes', 'created_at'],
    ])
      await runStatement(
        apps[0]!.env.DATABASE_URL!,
        `UPDATE ${table} SET ${column} = ${column} - interval '${time}'`,
      )
  }

  test('two processes together send an address ten codes of strangers a day, and its owner those of their own', async () => {
    const email = 'victim@example.com'
    const own = createBrowser()
    await ask(email, '198.51.100.1', own)
    await own.call('POST /login', { body: { email, code: await getLoginCode(email, apps[0]!.data_dir) } })
    await own.call('POST /logout', {})
    const attack = (network: string): Promise<number> =>
      count(Array.from({ length: 24 }, (_, nth) => ask(email, `${network}.${nth}`)))
    // One was the owner's, from a browser that was not known yet; one client alone has six.
    let alone = 0
    for (let nth = 0; nth < 8; nth++) {
      alone += await count(Array.from({ length: 4 }, () => ask(email, '203.0.113.1')))
      await letTimePass('61 seconds')
    }
    expect([alone, await attack('203.0.113')]).toEqual([6, 3])
    expect(await count(Array.from({ length: 6 }, () => ask(email, '203.0.113.1', own)))).toBe(1)
    const code = await getLoginCode(email, apps[0]!.data_dir)
    const wrong = code === '000000' ? '111111' : '000000'
    // Five tries, whatever process they come to at the same moment, and none of strangers.
    const guess = async (by: Client, guessed = wrong): Promise<string> =>
      (await expectCallError(by.call('POST /login', { body: { email, code: guessed } }))).body.code
    await Promise.all(Array.from({ length: 12 }, () => guess(createBrowser())))
    const guesses = await Promise.all(Array.from({ length: 4 }, () => guess(own)))
    expect(guesses).toEqual(Array(4).fill('code_invalid'))
    await own.call('POST /login', { body: { email, code } })
    await own.call('POST /logout', {})
    await letTimePass('61 seconds')
    await ask(email, '203.0.113.1', own)
    const more = await Promise.all(Array.from({ length: 12 }, () => guess(own)))
    expect(more.filter((one) => one === 'code_invalid')).toHaveLength(4)
    expect(await guess(own, await getLoginCode(email, apps[0]!.data_dir))).toBe('code_tries')
    await letTimePass('23 hours')
    expect(await attack('198.18.0')).toBe(0)
    await letTimePass('1 hour')
    expect(await attack('198.18.1')).toBe(10)
  })

  test('and one client has codes sent to twenty new addresses an hour, a hundred a day', async () => {
    const askMany = (hour: number) =>
      count(Array.from({ length: 40 }, (_, nth) => ask(`h${hour}n${nth}@example.com`, '192.0.2.9')))
    const sent: number[] = []
    for (let hour = 0; hour < 6; hour++) {
      sent.push(await askMany(hour))
      await letTimePass('61 minutes')
    }
    expect(sent).toEqual([20, 20, 20, 20, 20, 0])
    await letTimePass('18 hours')
    expect(await askMany(24)).toBe(20)
  })
  test('and one network begins so many accounts a day, of which the house gives coins to no more than it gives in a day', async () => {
    // It gave the first account of this file some already.
    const signUp = async (email: string, from: string): Promise<number> => {
      const by = createBrowser()
      if (!(await ask(email, from, by))) return -1
      const body = { email, code: await getLoginCode(email, apps[0]!.data_dir) }
      try {
        await by.call('POST /login', { body }, { headers: { 'X-Forwarded-For': from } })
        return (await by.call('GET /api/user/info', {})).balance
      } catch {
        return -1
      }
    }
    const balances = await Promise.all(
      Array.from({ length: 12 }, (_, nth) => signUp(`new${nth}@example.com`, '192.0.2.77')),
    )
    expect(balances.toSorted((a, b) => a - b)).toEqual([-1, -1, -1, -1, 0, 0, 0, 50, 50, 50, 50, 50])
    await letTimePass('24 hours')
    expect(await signUp('tomorrow@example.com', '192.0.2.77')).toBe(0)
  })
})
