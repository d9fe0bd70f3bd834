import { expect, test } from 'vitest'
import { toMicroCoins } from '#server/core/coins.ts'
import { createLog } from '#server/core/log.ts'
import { createMailer, readOutbox } from '#server/core/mail.ts'
import { createLowBalance } from '#server/commerce/credit/low-balance.ts'
import { creditAccount } from '#server/ledger/ledger.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld({ env: { SIGNUP_COINS: '10' } })
const log = createLog('silent')

/** Runs the app's own job of each minute, which may also run in between. */
const sweep = () => {
  const { data_dir } = world
  const mailer = createMailer(
    { environment: 'test', data_dir, smtp_url: null, mail_from: 'a@example.com', sms: null },
    log,
  )
  return createLowBalance({ db: world.db(), mailer, log, app_url: 'https://wenqu.example' }).sweep()
}
const save = (by: Client, body: { enabled?: boolean; threshold?: number }) =>
  by.call('PUT /api/user/notify_setting', { body })
const listTexts = async (by: Client) =>
  (await by.call('GET /api/notifications/unread', {})).notifications.map(({ text }) => text)
const listMails = async (to: string) =>
  (await readOutbox(world.data_dir, 200)).filter((mail) => mail.to === to && mail.subject.includes('余额'))
/** An answer of one coin. */
const spend = (by: Client) => by.ask('一个问题', { model: 'flat' })

test('who falls below what they chose is told once for each fall, by a message and by e-mail', async () => {
  const client = await world.user('low@example.com')
  const { uuid: userId } = await client.call('GET /api/user/info', {})
  expect(await client.call('GET /api/user/notify_setting', {})).toEqual({ enabled: false, threshold: 100 })
  expect(await save(client, { enabled: true, threshold: 9.5 })).toEqual({ enabled: true, threshold: 9.5 })
  await sweep()
  expect(await listTexts(client)).toEqual([])

  await spend(client)
  await Promise.all([sweep(), sweep()])
  await spend(client)
  await sweep()
  const text = '你的余额还有 9 金币，已低于你设置的 9.5 金币。充值后可以继续使用。'
  expect(await listTexts(client)).toEqual([text])
  expect(await listMails('low@example.com')).toMatchObject([
    { channel: 'email', subject: '问渠：余额不足提醒', text: expect.stringContaining(text) as string },
  ])

  // The balance rose, and falls again.
  await creditAccount(world.db(), { user_id: userId, amount: toMicroCoins(2), kind: 'grant' })
  await sweep()
  await spend(client)
  await sweep()
  expect(await listTexts(client)).toHaveLength(2)
})

test('nobody is told who did not ask for it, or was below already', async () => {
  const [silent, below] = [await world.user(), await world.user('below@example.com')]
  await save(silent, { threshold: 100 })
  await save(below, { enabled: true, threshold: 50 })
  await spend(silent)
  await spend(below)
  await sweep()
  expect([await listTexts(silent), await listTexts(below)]).toEqual([[], []])
  expect(await listMails('below@example.com')).toEqual([])
  // A part of the setting leaves the rest as it is.
  expect(await save(below, { enabled: false })).toEqual({ enabled: false, threshold: 50 })
})

test.each([-1, 1_000_001, 0.001])('%d coins are no threshold', async (threshold) => {
  const { status } = await expectCallError(save(await world.user(), { threshold }))
  expect(status).toBe(422)
})
