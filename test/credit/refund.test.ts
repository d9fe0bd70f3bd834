import { beforeAll, expect, test } from 'vitest'
import { sendAdminCommand } from '#server/admin/socket.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld({ env: { SIGNUP_COINS: '0' } })
let client: Client
beforeAll(async () => {
  client = await world.user()
})

/** Asks the running server for the answer that `npm run admin -- refund <order>` prints. */
const refund = async (id: string) => (await sendAdminCommand(world.data_dir, ['refund', id]))!
async function buy(planId: string): Promise<string> {
  const { id } = await client.call('POST /api/credit/orders', { body: { plan_id: planId } })
  await client.call('POST /api/credit/sandbox/pay', { body: { order_id: id } })
  return id
}
const read = async () => {
  const { balance, level } = await client.call('GET /api/user/info', {})
  return [balance, level]
}

test('a refund takes the coins and the level of its order, once, and leaves those of others', async () => {
  const [first, second] = [await buy('geek-monthly'), await buy('team-monthly')]
  expect(await read()).toEqual([18_000, 'pro-3'])
  expect(await refund(second)).toEqual({ ok: true, output: expect.stringContaining('199') as string })
  expect(await read()).toEqual([2_000, 'pro-1'])
  expect(await refund(second)).toMatchObject({
    ok: false,
    output: expect.stringContaining('refunded') as string,
  })
  expect(await read()).toEqual([2_000, 'pro-1'])

  // Coins that were spent cannot be given back.
  world.upstream.script('scripted-paid', { text: '好' })
  await client.ask('一个问题', { model: 'scripted-paid' })
  expect((await refund(first)).output).toContain('余额不足')
  expect((await client.call('GET /api/credit/orders/{id}', { params: { id: first } })).status).toBe('paid')
  expect((await refund('x')).output).toContain('usage')
})
