import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { CreditOrder } from '#contract/credit/credit.ts'
import { createId } from '#server/core/ids.ts'
import { listUnqueried } from '#server/commerce/credit/store.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { letTimePass } from '../world/sign-in.ts'
import { useOwnWorld } from '../world/use-world.ts'

const APP_SECRET = 'a secret of the tests, which is long enough'
const world = useOwnWorld({ env: { SIGNUP_COINS: '0', APP_SECRET } })

const order = (by: Client, planId = 'coins-10') =>
  by.call('POST /api/credit/orders', { body: { plan_id: planId } })
const pay = (by: Client, { id }: Pick<CreditOrder, 'id'>, how: object = {}) =>
  by.call('POST /api/credit/sandbox/pay', { body: { order_id: id, ...how } })
const read = (by: Client, { id }: Pick<CreditOrder, 'id'>) =>
  by.call('GET /api/credit/orders/{id}', { params: { id } })
const getBalance = async (by: Client) => (await by.call('GET /api/user/info', {})).balance

type Signed = { body: string; headers: Record<string, string> }
/** Sends a notification and returns the status of the answer. */
const notify = async ({ body, headers }: Signed) =>
  (
    await world.visitor().fetch('/api/credit/notify/sandbox', {
      method: 'POST',
      body,
      headers: { ...headers, 'Content-Type': 'application/json' },
    })
  ).status
/** Moves an order into the past. */
const age = ({ id }: CreditOrder, minutes: number) =>
  world.db().execute(sql`UPDATE credit_orders SET created_at = created_at - ${`${minutes} minutes`}::interval,
    expires_at = expires_at - ${`${minutes} minutes`}::interval,
    queried_at = queried_at - ${`${minutes} minutes`}::interval WHERE id = ${id}`)

describe('buying', () => {
  test('plans are what the file says, and the page begins with recharging by a QR code', async () => {
    const { plans, ...rest } = await world.visitor().call('GET /api/credit/plans', {})
    expect(rest).toEqual({ type: 'recharge', pay_type: 'native', pay_types: ['native'] })
    expect(plans.find(({ id }) => id === 'coins-10')).toEqual({
      id: 'coins-10',
      type: 'recharge',
      name: '1000 金币',
      desc: '先试试看',
      price: 10,
      coins: 1000,
      level: null,
      level_name: null,
      period: 'forever',
      period_label: '永久',
    })
    expect(plans.find(({ id }) => id === 'pro-yearly')).toMatchObject({
      level: 'pro-8',
      level_name: '专业会员',
      period_label: '年',
    })
  })

  test('an order is paid by its notification, and its coins are there at once', async () => {
    const client = await world.user()
    const created = await order(client)
    expect(created).toMatchObject({ status: 'pending', price: 10, coins: 1000, sandbox: true, paid_at: null })
    expect(created.code_url).toContain(created.id)
    // A second click is the same order.
    expect((await order(client)).id).toBe(created.id)
    const { order: paid } = await pay(client, created)
    expect(paid).toMatchObject({ id: created.id, status: 'paid', code_url: null })
    expect(await getBalance(client)).toBe(1000)
    expect((await order(client)).id).not.toBe(created.id)
  })

  test('an order that is about to expire is not offered again: there is a new one', async () => {
    const client = await world.user()
    const first = await order(client)
    // More than 5 of its 15 minutes are left, which a person may need to pay.
    await age(first, 8)
    expect((await order(client)).id).toBe(first.id)
    await age(first, 4)
    const second = await order(client)
    expect(second.id).not.toBe(first.id)
    expect((await order(client)).id).toBe(second.id)
    // A person with the first code on the screen can still pay it.
    expect((await pay(client, first)).order).toMatchObject({ id: first.id, status: 'paid' })
  })

  test('a membership gives its level, its end and its coins; one that is bought again goes on', async () => {
    const client = await world.user()
    await pay(client, await order(client, 'geek-monthly'))
    const first = await client.call('GET /api/user/info', {})
    expect(first).toMatchObject({ level: 'pro-1', level_name: '极客会员', balance: 2000 })
    await pay(client, await order(client, 'geek-monthly'))
    const renewed = await client.call('GET /api/user/info', {})
    const days = (Date.parse(renewed.level_ends_at!) - Date.parse(first.level_ends_at!)) / 86_400_000
    expect([renewed.level, days]).toEqual(['pro-1', 31])
    await pay(client, await order(client, 'team-monthly'))
    expect(await client.call('GET /api/user/info', {})).toMatchObject({ level: 'pro-3', balance: 20_000 })
  })

  test('a level that the operator gave counts before a lower one that was bought', async () => {
    const client = await world.user()
    const { uuid } = await client.call('GET /api/user/info', {})
    await world.db().execute(sql`UPDATE users SET level = 'pro-2' WHERE id = ${uuid}`)
    await pay(client, await order(client, 'geek-monthly'))
    const given = { level: 'pro-2', level_name: '专业会员', level_ends_at: null }
    expect(await client.call('GET /api/user/info', {})).toMatchObject(given)
    await pay(client, await order(client, 'team-monthly'))
    expect(await client.call('GET /api/user/info', {})).toMatchObject({ level: 'pro-3' })
  })

  test('an order can be cancelled, then not be paid, and expires by itself', async () => {
    const client = await world.user()
    const first = await order(client)
    const cancelled = await client.call('POST /api/credit/orders/{id}/cancel', { params: { id: first.id } })
    expect(cancelled).toMatchObject({ status: 'cancelled', code_url: null })
    expect((await expectCallError(pay(client, first))).body.code).toBe('order_closed')
    const second = await order(client)
    await age(second, 20)
    expect((await read(client, second)).status).toBe('expired')
    expect((await expectCallError(pay(client, second))).body.code).toBe('order_closed')
    expect(await getBalance(client)).toBe(0)
  })

  test('a payment whose notification got lost is found by who waits for it', async () => {
    const client = await world.user()
    const created = await order(client)
    await pay(client, created, { notify: false })
    expect(await getBalance(client)).toBe(0)
    await age(created, 1)
    expect((await read(client, created)).status).toBe('paid')
    expect(await getBalance(client)).toBe(1000)
  })

  test('a payment whose notification got lost is found by the job, also one of the last second', async () => {
    const client = await world.user()
    const [created, late] = [await order(client), await order(client, 'coins-50')]
    for (const one of [created, late]) await pay(client, one, { notify: false })
    await age(created, 2)
    await age(late, 20)
    // The job runs every minute, and at the start.
    await world.restart()
    await expect.poll(() => getBalance(client)).toBe(6000)
  })

  test('nobody sees or pays an order of somebody else', async () => {
    const [owner, other] = [await world.user(), await world.user()]
    const created = await order(owner)
    const params = { id: created.id }
    for (const call of [
      () => read(other, created),
      () => pay(other, created),
      () => other.call('POST /api/credit/orders/{id}/cancel', { params }),
    ])
      expect((await expectCallError(call())).body.code).toBe('not_found')
  })

  test('what is not sold, or in a way that is not there, cannot be ordered', async () => {
    const client = await world.user()
    expect((await expectCallError(order(client, 'none'))).body.code).toBe('plan_not_found')
    const body = { plan_id: 'coins-10', pay_type: 'alipay' } as const
    expect((await expectCallError(client.call('POST /api/credit/orders', { body }))).body.code).toBe(
      'pay_type_unavailable',
    )
  })
})

describe('a notification', () => {
  /** Creates a paid order whose notification got lost. */
  async function payUnnoticed(how: object = {}) {
    const client = await world.user()
    const created = await order(client)
    const { notification } = await pay(client, created, { notify: false, ...how })
    return { client, created, notification }
  }
  const secret = createHmac('sha256', APP_SECRET).update('payment-sandbox').digest()
  /** Signs a notification as the holder of a key would. */
  function sign(body: string, key: Buffer | string = secret, timestamp = Date.now() / 1000): Signed {
    const [at, nonce] = [String(Math.floor(timestamp)), 'nonce']
    const signature = createHmac('sha256', key).update(`${at}\n${nonce}\n${body}\n`).digest('base64')
    return {
      body,
      headers: {
        'X-Sandbox-Timestamp': at,
        'X-Sandbox-Nonce': nonce,
        'X-Sandbox-Signature': signature,
      },
    }
  }

  test('counts once, however often and at whatever moment it comes', async () => {
    const { client, created, notification } = await payUnnoticed()
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, nth) => {
        if (nth % 5 === 0) await read(client, created)
        return notify(notification)
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([204]))
    expect(await getBalance(client)).toBe(1000)
    expect(await notify(notification)).toBe(204)
    expect(await getBalance(client)).toBe(1000)
    const { rows } = await world
      .db()
      .execute(sql`SELECT kind, amount::text FROM ledger_transfers WHERE id = ${created.id}`)
    expect(rows).toEqual([{ kind: 'recharge', amount: '1000000000' }])
  })

  test.each<[string, (signed: Signed) => Signed]>([
    ['without a signature', ({ body }) => ({ body, headers: {} })],
    [
      'with an empty signature',
      ({ body, headers }) => ({ body, headers: { ...headers, 'X-Sandbox-Signature': '' } }),
    ],
    ['signed with an empty secret', ({ body }) => sign(body, '')],
    ['signed with another key', ({ body }) => sign(body, 'another key')],
    ['with a changed body', ({ body, headers }) => ({ body: body.replace('1000', '1001'), headers })],
    [
      'with another time than the signed one',
      ({ body, headers }) => ({
        body,
        headers: { ...headers, 'X-Sandbox-Timestamp': String(Number(headers['X-Sandbox-Timestamp']) + 1) },
      }),
    ],
    ['that is stale', ({ body }) => sign(body, secret, Date.now() / 1000 - 301)],
    ['from the future', ({ body }) => sign(body, secret, Date.now() / 1000 + 400)],
  ])('%s is refused', async (_, forge) => {
    const { client, created, notification } = await payUnnoticed()
    expect(await notify(forge(notification))).toBe(401)
    expect(await getBalance(client)).toBe(0)
    // The right one still works.
    expect(await notify(notification)).toBe(204)
    expect((await read(client, created)).status).toBe('paid')
  })

  test.each([
    ['of another amount', { amount: 1 }],
    ['of a hundredth more', { amount: 1001 }],
    ['in another currency', { currency: 'USD' }],
  ])('%s is refused, and querying finds no payment either', async (_, how) => {
    const { client, created, notification } = await payUnnoticed(how)
    expect(await notify(notification)).toBe(409)
    await age(created, 20)
    expect((await read(client, created)).status).toBe('expired')
    expect(await getBalance(client)).toBe(0)
  })

  test('of an order that is not there yet is refused, and works when it is', async () => {
    const { notification } = await payUnnoticed()
    const client = await world.user()
    const id = createId()
    const early = sign(JSON.stringify({ ...(JSON.parse(notification.body) as object), order_id: id }))
    expect(await notify(early)).toBe(409)
    const created = await order(client)
    await world.db().execute(sql`UPDATE credit_orders SET id = ${id} WHERE id = ${created.id}`)
    expect(await notify(early)).toBe(204)
    expect(await getBalance(client)).toBe(1000)
  })

  test('of a payment that failed changes nothing', async () => {
    const { client, created, notification } = await payUnnoticed({ status: 'fail' })
    expect(await notify(notification)).toBe(204)
    expect((await read(client, created)).status).toBe('pending')
    expect(await getBalance(client)).toBe(0)
  })

  test('of another order credits that one alone', async () => {
    const [first, second] = [await payUnnoticed(), await payUnnoticed()]
    expect(await notify(first.notification)).toBe(204)
    expect([await getBalance(first.client), await getBalance(second.client)]).toEqual([1000, 0])
  })

  test('that comes after the order was closed still counts: the money was taken', async () => {
    const { client, created, notification } = await payUnnoticed()
    await world.db().execute(sql`UPDATE credit_orders SET status = 'expired' WHERE id = ${created.id}`)
    expect(await notify(notification)).toBe(204)
    expect([await getBalance(client), (await read(client, created)).status]).toEqual([1000, 'paid'])
  })

  test('that comes after the account was deleted counts for the books, so that the money can be given back', async () => {
    const { client, created, notification } = await payUnnoticed()
    const { email } = await client.call('GET /api/user/info', {})
    await letTimePass(world.db(), '2 minutes')
    await client.call('POST /auth/vcode', { body: { email: email!, channel: 'setting' } })
    await client.call('POST /api/user/account/delete', { body: { code: await world.getLoginCode(email!) } })
    expect(await notify(notification)).toBe(204)
    const { rows } = await world.db().execute(sql`SELECT status FROM credit_orders WHERE id = ${created.id}`)
    expect(rows).toEqual([{ status: 'paid' }])
  })
})

test('pending orders that the provider was never asked about are looked at before the others', async () => {
  const client = await world.user()
  const asked = await order(client)
  const unasked = await order(await world.user())
  await world
    .db()
    .execute(sql`UPDATE credit_orders SET queried_at = now() - interval '1 hour' WHERE id = ${asked.id}`)
  const orders = await listUnqueried(world.db(), new Date(Date.now() + 60_000), 1_000)
  const ids = orders.map(({ id }) => id).filter((id) => id === asked.id || id === unasked.id)
  expect(ids).toEqual([unasked.id, asked.id])
})
