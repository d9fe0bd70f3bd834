import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOutbox } from '#server/core/mail.ts'
import { createAppProcess } from '../world/app-process.ts'
import type { AppProcess } from '../world/app-process.ts'
import { CallError, createClient } from '../world/client.ts'
import { runStatement } from '../world/postgres.ts'
import { signIn } from '../world/sign-in.ts'
import { startUpstream } from '../world/upstream/upstream.ts'
import type { Upstream } from '../world/upstream/upstream.ts'
import { targets } from './database-targets.ts'

describe.each(targets.filter(({ kind }) => kind === 'postgres'))('on $kind', () => {
  let upstream: Upstream
  let apps: AppProcess[]
  beforeAll(async () => {
    upstream = await startUpstream()
    const env = { APP_SECRET: 'x'.repeat(32), TRUST_PROXY: '1', INVITATION_MAILS_TOTAL: '80' }
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

  let accounts = 0
  /** An account with an organization, whose calls go to both processes by turns. */
  async function createInviter() {
    let calls = 0
    const client = createClient(() => apps[calls++ % 2]!.url)
    await signIn(client, `inviter${++accounts}@example.com`, apps[0]!.data_dir)
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

  test('two processes together send no more invitations than one may, in any 24 hours', async () => {
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
    const letTimePass = (time: string) =>
      runStatement(apps[0]!.env.DATABASE_URL!, `UPDATE limit_uses SET used_at = used_at - interval '${time}'`)
    await letTimePass('23 hours')
    await inviteMany('early.example')
    expect(await countMails(/@early/)).toBe(0)
    await letTimePass('1 hour')
    await inviteMany('later.example')
    expect(await countMails(/@later/)).toBe(10)
  })
})
