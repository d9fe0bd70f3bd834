import { execFile } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../world/client.ts'
import { useAppProcess } from '../world/use-world.ts'

const app = useAppProcess({ SIGNUP_COINS: '0' })
let client: Client
beforeAll(async () => {
  client = await app.user('buyer@example.com')
})

/** Runs `npm run admin -- refund <order>`. */
const refund = (id: string): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const words = ['scripts/admin.ts', 'refund', id]
    execFile(process.execPath, words, { env: app.env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
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
  expect(await refund(second)).toEqual({ code: 0, output: expect.stringContaining('199') as string })
  expect(await read()).toEqual([2_000, 'pro-1'])
  expect(await refund(second)).toMatchObject({
    code: 1,
    output: expect.stringContaining('refunded') as string,
  })
  expect(await read()).toEqual([2_000, 'pro-1'])

  // Coins that were spent cannot be given back.
  app.upstream.script('scripted-paid', { text: '好' })
  await client.ask('一个问题', { model: 'scripted-paid' })
  expect((await refund(first)).output).toContain('余额不足')
  expect((await client.call('GET /api/credit/orders/{id}', { params: { id: first } })).status).toBe('paid')
  expect((await refund('x')).output).toContain('usage')
})
