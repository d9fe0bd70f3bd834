import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOutbox } from '#server/core/mail.ts'
import { createAppProcess } from '../world/app-process.ts'
import type { AppProcess } from '../world/app-process.ts'
import { CallError, createClient, expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { runStatement } from '../world/postgres.ts'
import { getLoginCode } from '../world/sign-in.ts'
import { startUpstream } from '../world/upstream/upstream.ts'
import type { Upstream } from '../world/upstream/upstream.ts'
import { targets } from './database-targets.ts'

// Limits in the database count the uses of all processes together.

describe.each(targets.filter(({ kind }) => kind === 'postgres'))('two processes on $kind', () => {
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
      INVITATION_MAILS_TOTAL: '80',
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
  /** Creates a browser whose calls go to both processes by turns. */
  const createBrowser = (): Client => createClient(() => apps[calls++ % 2]!.url)
  const ask = (email: string, from: string, by = createBrowser()): Promise<boolean> =>
    by.call('POST /auth/vcode', { body: { email } }, { headers: { 'X-Forwarded-For': from } }).then(
      () => true,
      () => false,
    )
  /** Creates an account from a network. */
  const signUp = async (email: string, from: string): Promise<Client> => {
    const by = createBrowser()
    const headers = { 'X-Forwarded-For': from }
    await by.call('POST /auth/vcode', { body: { email } }, { headers })
    const body = { email, code: await getLoginCode(email, apps[0]!.data_dir) }
    await by.call('POST /login', { body }, { headers })
    return by
  }
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

  test('together send an address ten codes of strangers a day, and its owner those of their own', async () => {
    const email = 'victim@example.com'
    const own = createBrowser()
    await ask(email, '198.51.100.1', own)
    await own.call('POST /login', { body: { email, code: await getLoginCode(email, apps[0]!.data_dir) } })
    await own.call('POST /logout', {})
    const attack = (network: string): Promise<number> =>
      count(Array.from({ length: 24 }, (_, nth) => ask(email, `${network}.${nth}`)))
    // One code was the owner's, from a browser that was not known yet; one client alone has six.
    let alone = 0
    for (let nth = 0; nth < 8; nth++) {
      alone += await count(Array.from({ length: 4 }, () => ask(email, '203.0.113.1')))
      await letTimePass('61 seconds')
    }
    expect([alone, await attack('203.0.113')]).toEqual([6, 3])
    expect(await count(Array.from({ length: 6 }, () => ask(email, '203.0.113.1', own)))).toBe(1)
    const code = await getLoginCode(email, apps[0]!.data_dir)
    const wrong = code === '000000' ? '111111' : '000000'
    // There are five tries, whichever process they come to at the same moment, and none of strangers.
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

  test('send the codes of one client to twenty new addresses an hour, a hundred a day', async () => {
    const askMany = (hour: number) =>
      count(Array.from({ length: 24 }, (_, nth) => ask(`h${hour}n${nth}@example.com`, '192.0.2.9')))
    const sent: number[] = []
    for (let hour = 0; hour < 6; hour++) {
      sent.push(await askMany(hour))
      await letTimePass('61 minutes')
    }
    expect(sent).toEqual([20, 20, 20, 20, 20, 0])
    await letTimePass('18 hours')
    expect(await askMany(24)).toBe(20)
  })

  test('let one network begin so many accounts a day, of which the house gives coins to no more than it gives in a day', async () => {
    // The first account of this file already had some of these coins.
    /** Returns the coins of a new account; -1 where there is none. */
    const getFirstCoins = (email: string): Promise<number> =>
      signUp(email, '192.0.2.77')
        .then(async (by) => (await by.call('GET /api/user/info', {})).balance)
        .catch(() => -1)
    const balances = await Promise.all(
      Array.from({ length: 12 }, (_, nth) => getFirstCoins(`new${nth}@example.com`)),
    )
    expect(balances.toSorted((a, b) => a - b)).toEqual([-1, -1, -1, -1, 0, 0, 0, 50, 50, 50, 50, 50])
    await letTimePass('24 hours')
    expect(await getFirstCoins('tomorrow@example.com')).toBe(0)
  })

  let accounts = 0
  /** Creates an account with an organization, from a network of its own. */
  async function createInviter() {
    const nth = ++accounts
    const client = await signUp(`inviter${nth}@example.com`, `198.19.${nth}.1`)
    const { uuid: id } = await client.call('POST /api/organization', { body: { name: '星河' } })
    return (email: string, address: string) =>
      client
        .call(
          'POST /api/organization/{id}/members/invite',
          { params: { id }, body: { emails: [email] } },
          { headers: { 'X-Forwarded-For': address } },
        )
        .catch((error: unknown) => {
          if (!(error instanceof CallError && error.status === 429)) throw error
        })
  }
  const countMails = async (pattern: RegExp): Promise<number> =>
    (await readOutbox(apps[0]!.data_dir, 500)).filter(
      ({ to, unsubscribe_url }) => unsubscribe_url && pattern.test(to),
    ).length

  test('together send no more invitations than one may, in any 24 hours', async () => {
    const inviters = await Promise.all(Array.from({ length: 12 }, createInviter))
    const [invite] = inviters
    const inviteMany = (host: string) =>
      Promise.all(Array.from({ length: 24 }, (_, nth) => invite!(`p${nth}@${host}`, '198.51.100.1')))
    await inviteMany('account.example')
    expect(await countMails(/@account/)).toBe(10)

    await Promise.all(inviters.slice(1).map((by) => by('target@mailbox.example', '198.51.100.2')))
    expect(await countMails(/@mailbox/)).toBe(3)

    const all = (host: string, toAddress: (nth: number) => string) =>
      Promise.all(
        inviters
          .slice(1)
          .flatMap((by, nth) =>
            Array.from({ length: 10 }, (_, at) => by(`p${nth}-${at}@${host}`, toAddress(nth))),
          ),
      )
    await all('client.example', () => '198.51.100.3')
    expect(await countMails(/@client/)).toBe(50)
    await all('house.example', (nth) => `198.51.100.${100 + nth}`)
    expect(await countMails(/./)).toBe(80)

    // An hour less than a day, and then the rest of it.
    await letTimePass('23 hours')
    await inviteMany('early.example')
    expect(await countMails(/@early/)).toBe(0)
    await letTimePass('1 hour')
    await inviteMany('later.example')
    expect(await countMails(/@later/)).toBe(10)
  })
})
