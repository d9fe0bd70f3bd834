import { describe, expect, test } from 'vitest'
import { readOutbox } from '#server/core/mail.ts'
import { ConfigError } from '#server/core/settings/config-error.ts'
import { readConfig } from '#server/core/config.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import { createAppProcess } from '../world/app-process.ts'
import type { AppProcess } from '../world/app-process.ts'
import { CallError, createClient, expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { getLoginCode, signIn } from '../world/sign-in.ts'
import { useOwnWorld, useResource } from '../world/use-world.ts'
import { targets } from './database-targets.ts'

const APP_SECRET = 'a secret of at least thirty-two characters'

test('the embedded database is one process, which does everything', () => {
  const read = (ROLE: string) => readConfig({ NODE_ENV: 'test', APP_SECRET, ROLE })
  for (const role of ['web', 'worker']) expect(() => read(role)).toThrow(ConfigError)
  expect(read('all').role).toBe('all')
})

describe.each(targets.filter(({ kind }) => kind === 'postgres'))('two processes on $kind', () => {
  const ENV = {
    APP_SECRET,
    TRUST_PROXY: '1',
    CODE_TARGETS: '20',
    SIGNUPS: '8',
    GIVEN_COINS_TOTAL: '300',
    INVITATION_MAILS_TOTAL: '66',
  }
  /** The process of the tests itself. It serves, and leaves all other work to others. */
  const web = useOwnWorld({ env: { ...ENV, ROLE: 'web' } })
  const createOther = async (env: Record<string, string> = {}): Promise<AppProcess> => {
    const { rows } = await web.db().execute<{ name: string }>('SELECT current_database() AS name')
    const url = new URL(process.env.DATABASE_URL!)
    url.pathname = `/${rows[0]!.name}`
    const other = await createAppProcess(web.upstream.url, {
      ...ENV,
      ...env,
      DATABASE_URL: url.href,
      DATA_DIR: web.data_dir,
    })
    await other.start()
    return other
  }

  test('what comes in at one process is worked on by another, which serves nobody', async () => {
    const client = createClient(() => web.url)
    await signIn(client, 'roles@example.com', web.data_dir)
    const { id } = await upload(web, client, { name: '诗.txt', content: '为有源头活水来' })
    expect((await client.call('GET /api/block/{id}', { params: { id } })).data.status).toBe(0)
    const worker = await createOther({ ROLE: 'worker' })
    try {
      expect((await waitUntilRead(client, id)).status).toBe(2)
      const statuses = [
        '/healthz',
        '/readyz',
        '/',
        '/chat',
        '/api/models',
        '/api/v1/models',
        '/s3/wenqu/x',
      ].map(async (path) => (await fetch(worker.url + path)).status)
      expect(await Promise.all(statuses)).toEqual([200, 200, 404, 404, 404, 404, 404])
      expect(await worker.terminate()).toBe(0)
    } finally {
      await worker.close()
    }
  })

  // Limits in the database count the uses of all processes together. All that time does to them is tested in one process.
  describe('that both serve', () => {
    const second = useResource(createOther, (other) => other.close())

    let calls = 0
    /** Creates a browser whose calls go to both processes by turns. */
    const createBrowser = (): Client => createClient(() => (calls++ % 2 ? second : web).url)
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
      const body = { email, code: await getLoginCode(email, web.data_dir) }
      await by.call('POST /login', { body }, { headers })
      return by
    }
    const count = async (asked: Promise<boolean>[]): Promise<number> =>
      (await Promise.all(asked)).filter(Boolean).length

    test('send an address ten codes of strangers a day, and its owner those of their own', async () => {
      const email = 'victim@example.com'
      const own = createBrowser()
      await ask(email, '198.51.100.1', own)
      await own.call('POST /login', { body: { email, code: await getLoginCode(email, web.data_dir) } })
      await own.call('POST /logout', {})
      // One code was the owner's, from a browser that was not known yet.
      expect(await count(Array.from({ length: 14 }, (_, nth) => ask(email, `203.0.113.${nth}`)))).toBe(9)
      expect(await count(Array.from({ length: 4 }, () => ask(email, '203.0.113.1', own)))).toBe(1)
      const code = await getLoginCode(email, web.data_dir)
      const wrong = code === '000000' ? '111111' : '000000'
      // There are five tries, whichever process they come to at the same moment, and none of strangers.
      const guess = async (by: Client, guessed = wrong): Promise<string> =>
        (await expectCallError(by.call('POST /login', { body: { email, code: guessed } }))).body.code
      await Promise.all(Array.from({ length: 8 }, () => guess(createBrowser())))
      const guesses = await Promise.all(Array.from({ length: 12 }, () => guess(own)))
      expect(guesses.filter((one) => one === 'code_invalid')).toHaveLength(4)
      expect(await guess(own, code)).toBe('code_tries')
    })

    test('send the codes of one client to twenty new addresses an hour', async () => {
      const asked = Array.from({ length: 24 }, (_, nth) => ask(`n${nth}@example.com`, '192.0.2.9'))
      expect(await count(asked)).toBe(20)
    })

    test('let one network begin so many accounts a day, of which the house gives coins to no more than it gives in a day', async () => {
      // The first two accounts of this file already had some of these coins.
      /** Returns the coins of a new account; -1 where there is none. */
      const getFirstCoins = (email: string): Promise<number> =>
        signUp(email, '192.0.2.77')
          .then(async (by) => (await by.call('GET /api/user/info', {})).balance)
          .catch(() => -1)
      const balances = await Promise.all(
        Array.from({ length: 12 }, (_, nth) => getFirstCoins(`new${nth}@example.com`)),
      )
      expect(balances.toSorted((a, b) => a - b)).toEqual([-1, -1, -1, -1, 0, 0, 0, 0, 50, 50, 50, 50])
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
      (await readOutbox(web.data_dir, 500)).filter(
        ({ to, unsubscribe_url }) => unsubscribe_url && pattern.test(to),
      ).length

    test('send no more invitations than one may, in any 24 hours', async () => {
      const [invite, ...others] = await Promise.all(Array.from({ length: 7 }, createInviter))
      await Promise.all(
        Array.from({ length: 14 }, (_, nth) => invite!(`p${nth}@account.example`, '198.51.100.1')),
      )
      expect(await countMails(/@account/)).toBe(10)

      await Promise.all(others.map((by) => by('target@mailbox.example', '198.51.100.2')))
      expect(await countMails(/@mailbox/)).toBe(3)

      const all = (host: string, toAddress: (nth: number) => string) =>
        Promise.all(
          others.flatMap((by, nth) =>
            Array.from({ length: 10 }, (_, at) => by(`p${nth}-${at}@${host}`, toAddress(nth))),
          ),
        )
      await all('client.example', () => '198.51.100.3')
      expect(await countMails(/@client/)).toBe(50)
      await all('house.example', (nth) => `198.51.100.${100 + nth}`)
      expect(await countMails(/./)).toBe(66)
    })
  })
})
