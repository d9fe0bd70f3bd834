import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { CreditOrder } from '#contract/credit/credit.ts'
import type { Client } from '../../world/client.ts'
import { useResource, useOwnWorld } from '../../world/use-world.ts'
import { startAlipayDouble } from './alipay-double.ts'

const alipay = useResource(startAlipayDouble, (double) => double.close())
const world = useOwnWorld({ env: () => ({ SIGNUP_COINS: '0', ...alipay.env }) })

const order = (by: Client) =>
  by.call('POST /api/credit/orders', { body: { plan_id: 'coins-10', pay_type: 'alipay' } })
const toOutTradeNo = ({ id }: CreditOrder) => id.replaceAll('-', '')
const read = (by: Client, { id }: CreditOrder) => by.call('GET /api/credit/orders/{id}', { params: { id } })
const getBalance = async (by: Client) => (await by.call('GET /api/user/info', {})).balance
async function notify(body: string): Promise<[number, string]> {
  const response = await fetch(`${world.url}/api/credit/notify/alipay`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
  })
  return [response.status, response.ok ? await response.text() : '']
}
const age = ({ id }: CreditOrder, minutes: number) =>
  world.db().execute(sql`UPDATE credit_orders SET created_at = created_at - ${`${minutes} minutes`}::interval,
    expires_at = expires_at - ${`${minutes} minutes`}::interval,
    queried_at = queried_at - ${`${minutes} minutes`}::interval WHERE id = ${id}`)
async function payOrder() {
  const client = await world.user()
  const created = await order(client)
  alipay.pay(toOutTradeNo(created))
  return { client, created, out_trade_no: toOutTradeNo(created) }
}

describe('Alipay', () => {
  test('an order is made there, signed by the application, beside the sandbox', async () => {
    const created = await order(await world.user())
    expect(created).toMatchObject({
      sandbox: false,
      pay_type: 'alipay',
      code_url: `https://qr.alipay.com/${toOutTradeNo(created)}`,
    })
    expect(alipay.trades.get(toOutTradeNo(created))).toMatchObject({
      total_amount: '10.00',
      notify_url: expect.stringMatching(/\/api\/credit\/notify\/alipay$/) as string,
    })
    expect((await world.visitor().call('GET /api/credit/plans', {})).pay_types).toEqual(['native', 'alipay'])
  })

  test('its notification counts once, 50 times at once, and is answered with the word that it waits for', async () => {
    const { client, created, out_trade_no } = await payOrder()
    const body = alipay.createNotification(out_trade_no)
    const answers = await Promise.all(Array.from({ length: 50 }, () => notify(body)))
    for (const answer of answers) expect(answer).toEqual([200, 'success'])
    expect([await getBalance(client), (await read(client, created)).status]).toEqual([1000, 'paid'])
  })

  test.each<[string, (body: string) => string]>([
    ['no signature', (body) => body.replace(/&sign=[^&]*/, '')],
    ['a changed field', (body) => body.replace('total_amount=10.00', 'total_amount=10.01')],
    ['an added field', (body) => `${body}&more=1`],
    ['another kind of signature', (body) => body.replace('sign_type=RSA2', 'sign_type=RSA')],
  ])('a notification with %s is refused', async (_, forge) => {
    const { client, out_trade_no } = await payOrder()
    expect(await notify(forge(alipay.createNotification(out_trade_no)))).toEqual([401, ''])
    expect(await getBalance(client)).toBe(0)
  })

  test.each([
    ['another amount', { total_amount: '0.01' }],
    ['no amount', { total_amount: 'x' }],
    ['another application', { app_id: '2021000000000002' }],
    ['no order of ours', { out_trade_no: '0'.repeat(32) }],
  ])('a notification of %s is refused', async (_, changes: Record<string, string>) => {
    const { client, out_trade_no } = await payOrder()
    expect(await notify(alipay.createNotification(out_trade_no, changes))).toEqual([409, ''])
    expect(await getBalance(client)).toBe(0)
  })

  test('a notification from days ago is refused, and one of a trade that is not paid changes nothing', async () => {
    const { client, out_trade_no } = await payOrder()
    const old = new Date(Date.now() - 27 * 3_600_000)
    expect(await notify(alipay.createNotification(out_trade_no, {}, old))).toEqual([401, ''])
    const waiting = alipay.createNotification(out_trade_no, { trade_status: 'WAIT_BUYER_PAY' })
    expect(await notify(waiting)).toEqual([200, 'success'])
    expect(await getBalance(client)).toBe(0)
  })

  test('a payment whose notification never came is found by querying; a code that nobody scanned expires', async () => {
    const { client, created } = await payOrder()
    await age(created, 1)
    expect([(await read(client, created)).status, await getBalance(client)]).toEqual(['paid', 1000])
    const unpaid = await order(client)
    await age(unpaid, 20)
    expect((await read(client, unpaid)).status).toBe('expired')
  })
})
