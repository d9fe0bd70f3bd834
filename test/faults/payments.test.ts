import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useAppProcess } from '../world/use-world.ts'

const KILLS = process.env.FAULTS_FULL ? 60 : 2
const COINS = 1000

const app = useAppProcess({ SIGNUP_COINS: '0' })

test(`a payment is credited once though the process dies between its notification and its coins, ${KILLS} times`, async () => {
  const client = await app.user('payer@example.com')
  for (let round = 1; round <= KILLS; round++) {
    const { id } = await client.call('POST /api/credit/orders', { body: { plan_id: 'coins-10' } })
    const { notification } = await client.call('POST /api/credit/sandbox/pay', {
      body: { order_id: id, notify: false },
    })
    const notify = async () =>
      (await fetch(`${app.url}/api/credit/notify/sandbox`, { method: 'POST', ...notification })).status
    const sent = Array.from({ length: 10 }, () => notify().catch(() => 0))
    await sleep(Math.random() * 20)
    await app.kill()
    await Promise.all(sent)
    await app.start()
    // The platform repeats unconfirmed notifications; here it repeats a confirmed one, too.
    expect(await Promise.all([notify(), notify(), notify()])).toEqual([204, 204, 204])
    expect((await client.call('GET /api/credit/orders/{id}', { params: { id } })).status).toBe('paid')
    expect((await client.call('GET /api/user/info', {})).balance).toBe(round * COINS)
  }
})
