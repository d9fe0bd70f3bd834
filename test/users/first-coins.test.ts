import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { toMailbox } from '#server/core/limits/mailbox.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { letTimePass, signIn } from '../world/sign-in.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { scriptedModels } from '../world/world.ts'

test.each([
  ['Lin.Daiyu+qu@Gmail.com', 'lindaiyu@gmail.com'],
  ['l.i.n@googlemail.com', 'lin@gmail.com'],
  ['lin+1@outlook.com', 'lin@outlook.com'],
  ['lin+1@hotmail.com', 'lin@hotmail.com'],
  ['lin+a@me.com', 'lin@icloud.com'],
  ['lin-shop@yahoo.com', 'lin@yahoo.com'],
  ['l.i_n-x+1@pm.me', 'linx@proton.me'],
  ['lin-dai.yu+1@ya.ru', 'lin.dai.yu@yandex.com'],
  ['lindaiyu@yandex.ru', 'lindaiyu@yandex.com'],
  // Hosts of other countries, each with mailboxes of its own.
  ['lin+1@outlook.com.br', 'lin@outlook.com.br'],
  ['lin+1@hotmail.co.uk', 'lin@hotmail.co.uk'],
  ['lin+1@live.cn', 'lin@live.cn'],
  ['lin-shop@yahoo.co.jp', 'lin@yahoo.co.jp'],
  ['lin+1@zohomail.com', 'lin@zohomail.com'],
  ['lin+1@fastmail.fm', 'lin@fastmail.fm'],
  ['shop@lin.fastmail.com', 'lin@fastmail.com'],
  // A name that begins so, and providers without such a rule.
  ['+lin@gmail.com', '+lin@gmail.com'],
  ['lin.dai@outlook.com', 'lin.dai@outlook.com'],
  ['lin+1@qq.com', 'lin+1@qq.com'],
  ['lin.dai+1@example.com', 'lin.dai+1@example.com'],
  ['lin-dai@163.com', 'lin-dai@163.com'],
  ['lin+1@outlook.com.example.org', 'lin+1@outlook.com.example.org'],
])('%s is of the mailbox %s', (email, mailbox) => expect(toMailbox(email)).toBe(mailbox))

/** A guest's answer costs the operator a coin a token of output, 30 at most. */
const alerts: unknown[][] = []
const world = useOwnWorld({
  onLog(line) {
    const { limit, max, msg } = JSON.parse(line) as Record<string, unknown>
    if (typeof msg === 'string' && msg.startsWith('a limit of the house')) alerts.push([limit, max, msg])
  },
  env: { TRUST_PROXY: '1', SIGNUPS: '3', SIGNUPS_TOTAL: '60', GIVEN_COINS_TOTAL: '2500', GUEST_TURNS: '50' },
  models: ({ url }) => {
    const { platforms, models } = scriptedModels(url)
    const priced = models.map((model) =>
      model.id === 'scripted'
        ? {
            ...model,
            max_tokens: 30,
            offers: [{ platform: 'scripted', model: 'scripted', input: 0, output: 1_000_000 }],
          }
        : model,
    )
    return JSON.stringify({ platforms, models: priced })
  },
})

let addresses = 0
const newAddress = (): string => `2001:db8:${(++addresses).toString(16)}::1`
/** Signs an address in from a network of its own, or from this one. */
async function enter(email: string, from = newAddress()): Promise<Client> {
  const client = world.visitor()
  const headers = { 'X-Forwarded-For': from }
  await letTimePass(world.db(), '61 seconds')
  await client.call('POST /auth/vcode', { body: { email } }, { headers })
  await client.call('POST /login', { body: { email, code: await world.getLoginCode(email) } }, { headers })
  return client
}
const getBalance = async (client: Client): Promise<number> =>
  (await client.call('GET /api/user/info', {})).balance
const readMessages = async (client: Client): Promise<string[]> =>
  (await client.call('GET /api/notifications/unread', {})).notifications.map(({ title }) => title)
const sumGiven = async (): Promise<number> => {
  const { rows } = await world.db().execute<{ coins: number }>(sql`
    SELECT coalesce(sum(amount), 0)::float8 / 1000000 AS coins FROM ledger_given`)
  return rows[0]!.coins
}

describe('first coins', () => {
  test('are given once to a mailbox, whichever of its addresses signs up; all of them sign in', async () => {
    const emails = [
      'lin.daiyu@gmail.com',
      'lindaiyu@gmail.com',
      'lindaiyu+2@googlemail.com',
      'l.indaiyu+3@gmail.com',
    ]
    const clients = []
    for (const email of emails) clients.push(await enter(email))
    expect(await Promise.all(clients.map(getBalance))).toEqual([50, 0, 0, 0])
    expect(await readMessages(clients[0]!)).toEqual([])
    expect(await readMessages(clients[1]!)).toEqual(['新账号没有赠送金币'])
    expect(await getBalance(await enter(emails[0]!))).toBe(50)
  })

  test('are not given again to who has deleted their account, nor for an address that an account had', async () => {
    const client = await enter('comes-back@example.com')
    const bind = async (email: string): Promise<void> => {
      await letTimePass(world.db(), '61 seconds')
      await client.call('POST /auth/vcode', { body: { email } })
      const code = await world.getLoginCode(email)
      await letTimePass(world.db(), '61 seconds')
      await client.call('POST /auth/vcode', { body: { email: 'comes-back@example.com' } })
      const oldCode = await world.getLoginCode('comes-back@example.com')
      await client.call('POST /auth/email', { body: { email, code, old_code: oldCode } })
    }
    await bind('bound@example.com')
    expect(await getBalance(await enter('comes-back@example.com'))).toBe(0)
    await letTimePass(world.db(), '61 seconds')
    await client.call('POST /auth/vcode', { body: { email: 'bound@example.com' } })
    const code = await world.getLoginCode('bound@example.com')
    await client.call('POST /api/user/account/delete', { body: { code } })
    expect(await getBalance(await enter('bound@example.com'))).toBe(0)
    const { rows } = await world.db().execute(sql`SELECT * FROM signup_gifts`)
    expect(JSON.stringify(rows)).not.toMatch(/bound|comes-back|example/)
  })

  test('of accounts from before are noted', async () => {
    await enter('from-before@example.com')
    await world.db().execute(sql`DELETE FROM signup_gifts`)
    await world
      .db()
      .execute(sql`UPDATE users SET email = 'moved@example.com' WHERE email = 'from-before@example.com'`)
    await world.restart()
    await world
      .db()
      .execute(sql`UPDATE users SET email = NULL, phone = '13800000001' WHERE email = 'moved@example.com'`)
    expect(await getBalance(await enter('moved@example.com'))).toBe(0)
  })
})

describe('new accounts', () => {
  test('of one address that is confirmed several times at once are one sign-up', async () => {
    const email = 'at-once@example.com'
    const from = newAddress()
    const headers = { 'X-Forwarded-For': from }
    const browsers = Array.from({ length: 3 }, () => world.visitor())
    const codes: string[] = []
    for (const client of browsers) {
      await letTimePass(world.db(), '61 seconds')
      await client.call('POST /auth/vcode', { body: { email } }, { headers })
      codes.push(await world.getLoginCode(email))
    }
    await Promise.all(
      browsers.map((client, nth) =>
        client.call('POST /login', { body: { email, code: codes[nth]! } }, { headers }),
      ),
    )
    // Two are left of three.
    await enter('at-once-2@example.com', from)
    await enter('at-once-3@example.com', from)
    expect((await expectCallError(enter('at-once-4@example.com', from))).body.code).toBe('signup_limit')
  })

  const fillSignups = (uses: number) =>
    world.db().execute(sql`
      INSERT INTO limit_uses (use_id, key) SELECT gen_random_uuid(), 'signup:house' FROM generate_series(1, ${uses})`)

  test('begin from one network up to a number a day, while those that are there sign in', async () => {
    const from = newAddress()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, nth) => enter(`network${nth}@example.com`, from)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const refused = await expectCallError(enter('network9@example.com', from))
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      429,
      'signup_limit',
      '当前网络今天注册的新账号太多，请明天再试；已有账号可以照常登录',
    ])
    const { rows } = await world
      .db()
      .execute<{ email: string }>(sql`SELECT email FROM users WHERE email LIKE 'network%' LIMIT 1`)
    await enter(rows[0]!.email, from)
    await letTimePass(world.db(), '24 hours')
    await enter('network9@example.com', from)
  })

  test('begin up to a number a day for the house', async () => {
    await world.db().execute(sql`
      DELETE FROM limit_uses WHERE key = 'signup:house'`)
    await fillSignups(47)
    await enter('four-fifths@example.com')
    await fillSignups(12)
    const refused = await expectCallError(enter('full@example.com'))
    expect([refused.status, refused.body.code]).toEqual([503, 'signups_exhausted'])
    expect(alerts.filter(([limit]) => limit === 'sign-ups')).toEqual([
      ['sign-ups', 60, 'a limit of the house is nearly used up'],
      ['sign-ups', 60, 'a limit of the house is used up'],
    ])
    await letTimePass(world.db(), '24 hours')
    await enter('full@example.com')
  })
})

describe('what the house gives in a day', () => {
  test('counts what an answer to a guest has cost, with the first coins of accounts', async () => {
    const before = await sumGiven()
    const usage = { prompt_tokens: 3, completion_tokens: 7, total_tokens: 10 }
    world.upstream.script('scripted', { text: '七个字的一句话', usage })
    await world.visitor().ask('问')
    await expect.poll(sumGiven).toBeCloseTo(before + 7, 1)
    await enter('counted@example.com')
    expect(await sumGiven()).toBeCloseTo(before + 57, 1)
  })

  test('has an end: guests are asked to sign in, new accounts begin without coins and are told', async () => {
    await world.db().execute(sql`UPDATE ledger_given SET amount = 2480000000`)
    const refused = await expectCallError(world.visitor().ask('问'))
    expect([refused.status, refused.body.code]).toEqual([401, 'guest_budget'])
    const client = await enter('late@example.com')
    expect([await getBalance(client), await readMessages(client)]).toEqual([0, ['今天的赠送金币已发完']])
    // Both reach the end of the day, for which there is one alert.
    expect(alerts.filter(([limit]) => limit === 'given coins')).toEqual([
      ['given coins', 2500, 'a limit of the house is used up'],
    ])
    // The next day is another row.
    await world.db().execute(sql`UPDATE ledger_given SET day = '2000-01-01'`)
    expect(await getBalance(await enter('early@example.com'))).toBe(50)
    await world.visitor().ask('问')
    // An account that began without coins counts as without first coins.
    await letTimePass(world.db(), '61 seconds')
    await client.call('POST /auth/vcode', { body: { email: 'late@example.com' } })
    const code = await world.getLoginCode('late@example.com')
    await client.call('POST /api/user/account/delete', { body: { code } })
    expect(await getBalance(await enter('late@example.com'))).toBe(50)
  })
})

test('nobody is rewarded for having invited their own mailbox', async () => {
  const inviter = await enter('inviter@gmail.com')
  const { invite_url } = await inviter.call('GET /api/user/info', {})
  const own = world.visitor()
  const { pathname, search } = new URL(invite_url)
  await own.fetch(pathname + search)
  await signIn(own, 'inviter+2@gmail.com', world.data_dir)
  const { id } = await own.call('POST /api/credit/orders', { body: { plan_id: 'coins-10' } })
  await own.call('POST /api/credit/sandbox/pay', { body: { order_id: id } })
  const { rewardInviters } = await import('#server/commerce/credit/invite-rewards.ts')
  await rewardInviters(world.db(), 100)
  expect(await getBalance(inviter)).toBe(50)
})
