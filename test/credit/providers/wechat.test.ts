import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { CreditOrder } from '#contract/credit/credit.ts'
import { expectCallError } from '../../world/client.ts'
import type { Client } from '../../world/client.ts'
import { useResource, useOwnWorld } from '../../world/use-world.ts'
import { startWechatDouble } from './wechat-double.ts'
import type { SignedMessage } from './wechat-double.ts'

const wechat = useResource(startWechatDouble, (double) => double.close())
const world = useOwnWorld({ env: () => ({ SIGNUP_COINS: '0', ...wechat.env }) })

const order = (by: Client, planId = 'coins-10') =>
  by.call('POST /api/credit/orders', { body: { plan_id: planId } })
const toOutTradeNo = ({ id }: CreditOrder) => id.replaceAll('-', '')
const read = (by: Client, { id }: CreditOrder) => by.call('GET /api/credit/orders/{id}', { params: { id } })
const getBalance = async (by: Client) => (await by.call('GET /api/user/info', {})).balance
const notify = async ({ body, headers }: SignedMessage) =>
  (
    await fetch(`${world.url}/api/credit/notify/wechat`, {
      method: 'POST',
      body,
      headers: { ...headers, 'Content-Type': 'application/json' },
    })
  ).status
/** Moves an order some minutes into the past. */
const age = ({ id }: CreditOrder, minutes: number) =>
  world.db().execute(sql`UPDATE credit_orders SET created_at = created_at - ${`${minutes} minutes`}::interval,
    expires_at = expires_at - ${`${minutes} minutes`}::interval,
    queried_at = queried_at - ${`${minutes} minutes`}::interval WHERE id = ${id}`)

async function payOrder() {
  const client = await world.user()
  const created = await order(client)
  wechat.pay(toOutTradeNo(created))
  return { client, created, out_trade_no: toOutTradeNo(created) }
}

describe('WeChat Pay', () => {
  test('an order is made there, signed by the merchant, and its code is what WeChat shows', async () => {
    const client = await world.user()
    const created = await order(client)
    const outTradeNo = toOutTradeNo(created)
    expect(created).toMatchObject({
      sandbox: false,
      pay_type: 'native',
      code_url: `weixin://wxpay/bizpayurl?pr=${outTradeNo}`,
    })
    expect(wechat.orders.get(outTradeNo)).toMatchObject({
      total: 1000,
      description: '1000 金币',
      notify_url: expect.stringMatching(/\/api\/credit\/notify\/wechat$/) as string,
    })
    expect((await world.visitor().call('GET /api/credit/plans', {})).pay_types).toEqual(['native'])
  })

  test('its notification is decrypted and counts once, 50 times at once', async () => {
    const { client, created, out_trade_no } = await payOrder()
    const notification = wechat.createNotification(out_trade_no)
    const statuses = await Promise.all(Array.from({ length: 50 }, () => notify(notification)))
    expect(new Set(statuses)).toEqual(new Set([204]))
    expect([await getBalance(client), (await read(client, created)).status]).toEqual([1000, 'paid'])
  })

  test.each<[string, (signed: SignedMessage) => SignedMessage]>([
    ['no signature', ({ body }) => ({ body, headers: {} })],
    ['a changed body', ({ body, headers }) => ({ body: `${body} `, headers })],
    [
      'an unknown certificate',
      ({ body, headers }) => ({ body, headers: { ...headers, 'Wechatpay-Serial': '00' } }),
    ],
    [
      'another time than was signed',
      ({ body, headers }) => ({
        body,
        headers: { ...headers, 'Wechatpay-Timestamp': String(Number(headers['Wechatpay-Timestamp']) + 1) },
      }),
    ],
    [
      'a probe for a signature that is wrong',
      ({ body, headers }) => ({
        body,
        headers: { ...headers, 'Wechatpay-Signature': 'WECHATPAY/SIGNTEST/x' },
      }),
    ],
  ])('a notification with %s is refused', async (_, forge) => {
    const { client, out_trade_no } = await payOrder()
    expect(await notify(forge(wechat.createNotification(out_trade_no)))).toBe(401)
    expect(await getBalance(client)).toBe(0)
  })

  test('a stale notification, and one signed with another key, are refused', async () => {
    const { client, out_trade_no } = await payOrder()
    expect(await notify(wechat.createNotification(out_trade_no, { age_s: 301 }))).toBe(401)
    wechat.setForged(true)
    const forged = wechat.createNotification(out_trade_no)
    wechat.setForged(false)
    expect(await notify(forged)).toBe(401)
    expect(await getBalance(client)).toBe(0)
  })

  test.each([
    ['another amount', { amount: { total: 1, currency: 'CNY' } }],
    ['another currency', { amount: { total: 1000, currency: 'USD' } }],
    ['another merchant', { mchid: '1900000002' }],
    ['another application', { appid: 'wx0000000000000000' }],
    ['no order of ours', { out_trade_no: '0'.repeat(32) }],
    ['a number that is none of ours', { out_trade_no: 'x' }],
  ])('a notification of %s is refused', async (_, changes) => {
    const { client, out_trade_no } = await payOrder()
    expect(await notify(wechat.createNotification(out_trade_no, { changes }))).toBe(409)
    expect(await getBalance(client)).toBe(0)
  })

  test('a notification of anything but a payment changes nothing', async () => {
    const { client, out_trade_no } = await payOrder()
    for (const how of [{ changes: { trade_state: 'PAYERROR' } }, { event_type: 'REFUND.SUCCESS' }])
      expect(await notify(wechat.createNotification(out_trade_no, how))).toBe(204)
    expect(await getBalance(client)).toBe(0)
  })

  test('a new certificate is fetched when it is first used, and unknown ones are not asked for again and again', async () => {
    const before = wechat.countDownloads()
    const { client, out_trade_no } = await payOrder()
    const old = wechat.createNotification(out_trade_no)
    wechat.rotate('5157F09EFDC096DE15EBE81A47057A72AA000002')
    // The next order makes the new certificate known; until then the old one's signatures count.
    expect(await notify(old)).toBe(204)
    await world.restart()
    const other = await payOrder()
    expect(await notify(wechat.createNotification(other.out_trade_no))).toBe(204)
    expect([await getBalance(client), await getBalance(other.client)]).toEqual([1000, 1000])
    for (let nth = 0; nth < 5; nth++)
      await notify({ ...old, headers: { ...old.headers, 'Wechatpay-Serial': `0${nth}` } })
    expect(wechat.countDownloads() - before).toBe(1)
  })

  test('a payment whose notification never came is found by querying; one that was not paid is closed', async () => {
    const { client, created } = await payOrder()
    await age(created, 1)
    // The job of every minute may be running at this moment.
    await expect.poll(async () => (await read(client, created)).status).toBe('paid')
    expect(await getBalance(client)).toBe(1000)
    const unpaid = await order(client)
    await age(unpaid, 20)
    await expect.poll(async () => (await read(client, unpaid)).status).toBe('expired')
    expect(wechat.orders.get(toOutTradeNo(unpaid))!.trade_state).toBe('CLOSED')
    const cancelled = await order(client)
    await client.call('POST /api/credit/orders/{id}/cancel', { params: { id: cancelled.id } })
    expect(wechat.orders.get(toOutTradeNo(cancelled))!.trade_state).toBe('CLOSED')
  })

  test('answers that it has not signed, and none at all, are no payments', async () => {
    const { client, created } = await payOrder()
    await age(created, 1)
    wechat.setForged(true)
    expect((await read(client, created)).status).toBe('pending')
    const other = await world.user()
    expect((await expectCallError(order(other))).body.code).toBe('payment_failed')
    wechat.setForged(false)
    wechat.setDown(true)
    await age(created, 20)
    expect((await read(client, created)).status).toBe('pending')
    expect((await expectCallError(order(other))).body.code).toBe('payment_failed')
    wechat.setDown(false)
    await age(created, 1)
    expect((await read(client, created)).status).toBe('paid')
  })
})
