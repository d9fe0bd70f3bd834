import { expect, test } from 'vitest'
import { rewardInviters } from '#server/commerce/credit/invite-rewards.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

const COINS = 12.5
// The app's own job may run in between.
const world = useOwnWorld({ env: { SIGNUP_COINS: '0', INVITE_COINS: String(COINS) } })

const getInfo = (by: Client) => by.call('GET /api/user/info', {})
const pay = async (by: Client) => {
  const { id } = await by.call('POST /api/credit/orders', { body: { plan_id: 'coins-10' } })
  await by.call('POST /api/credit/sandbox/pay', { body: { order_id: id } })
}
/** Runs the job of each minute, in two processes at once. */
const sweep = () => Promise.all([rewardInviters(world.db(), COINS), rewardInviters(world.db(), COINS)])

test('whoever invited an account gets coins once it has paid, and once only', async () => {
  const inviter = await world.user()
  const { invite_url } = await getInfo(inviter)
  const invited = world.visitor()
  const { pathname, search } = new URL(invite_url)
  await invited.fetch(pathname + search)
  await invited.call('POST /auth/vcode', { body: { email: 'invited@example.com' } })
  const code = await world.getLoginCode('invited@example.com')
  await invited.call('POST /login', { body: { email: 'invited@example.com', code } })
  await sweep()
  expect((await getInfo(inviter)).balance).toBe(0)

  await pay(invited)
  await sweep()
  await pay(invited)
  await sweep()
  expect([(await getInfo(inviter)).balance, (await getInfo(invited)).balance]).toEqual([12.5, 2000])
  const { notifications } = await inviter.call('GET /api/notifications/unread', {})
  expect(notifications.map(({ text }) => text)).toEqual([
    '你邀请的朋友完成了首次付款，12.5 金币的奖励已经到账。',
  ])
  const { items } = await inviter.call('GET /api/user/transactions', {})
  expect(items.map(({ action, amount }) => [action, amount])).toEqual([['reward', 12.5]])

  expect(await inviter.call('GET /api/user/invitations', {})).toEqual({
    reward: COINS,
    invited: 1,
    rewarded: 1,
    earned: COINS,
    items: [{ created_at: expect.stringMatching(/^\d{4}-.*Z$/), rewarded: true }],
  })
  const nobody = { invited: 0, rewarded: 0, earned: 0, items: [] }
  expect(await invited.call('GET /api/user/invitations', {})).toMatchObject(nobody)

  // Nobody invited the inviter.
  await pay(inviter)
  await sweep()
  expect((await getInfo(inviter)).balance).toBe(1012.5)
})
