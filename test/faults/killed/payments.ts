import { expect } from 'vitest'
import type { StartedProcess } from '../../world/use-world.ts'
import type { StartedWork } from './work.ts'

const COINS = 1000

/** Has a person pay, and the platform say so ten times: the payment must be credited once. */
export async function preparePayment(app: StartedProcess): Promise<() => Promise<StartedWork>> {
  const client = await app.user('payer@example.com')
  const getBalance = async () => (await client.call('GET /api/user/info', {})).balance

  return async () => {
    const before = await getBalance()
    const { id } = await client.call('POST /api/credit/orders', { body: { plan_id: 'coins-10' } })
    const { notification } = await client.call('POST /api/credit/sandbox/pay', {
      body: { order_id: id, notify: false },
    })
    const notify = async () =>
      (await fetch(`${app.url}/api/credit/notify/sandbox`, { method: 'POST', ...notification })).status
    const sent = Array.from({ length: 10 }, () => notify().catch(() => 0))
    return {
      async check() {
        await Promise.all(sent)
        // The platform repeats unconfirmed notifications; here it repeats a confirmed one, too.
        expect(await Promise.all([notify(), notify(), notify()])).toEqual([204, 204, 204])
        expect((await client.call('GET /api/credit/orders/{id}', { params: { id } })).status).toBe('paid')
        expect(await getBalance()).toBe(before + COINS)
      },
    }
  }
}
