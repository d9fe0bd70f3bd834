import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { upload } from '../files/upload.ts'
import { createCaller } from '../gateway/caller.ts'
import { expectCallError } from '../world/client.ts'
import type { CallError, Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { lockRows, waitForWaiting } from '../world/locks.ts'
import { chooseOrganization, grant, join } from './organization.ts'

const world = useOwnWorld({ env: { SIGNUP_COINS: '10' } })

const getUser = (client: Client) => client.call('GET /api/user/info', {})
const ask = (client: Client) => client.ask('一个问题', { model: 'flat' })
const setLimit = (owner: Client, id: string, userId: string, creditLimit: number) =>
  owner.call('PUT /api/organization/{id}/members/{userId}', {
    params: { id, userId },
    body: { credit_limit: creditLimit },
  })
const getMember = async (owner: Client, id: string, userId: string) => {
  const { items } = await owner.call('GET /api/organization/{id}/members', { params: { id } })
  return items.find((member) => member.user_id === userId)!
}

/** Creates an organization with coins, and a member for whom it pays. */
async function createTeam(coins: number) {
  const [owner, member] = [await world.user(), await world.user()]
  const { uuid: id } = await owner.call('POST /api/organization', { body: { name: '付费组织' } })
  await grant(world, owner, coins)
  await owner.call('POST /api/organization/{id}/deposit', { params: { id }, body: { coins } })
  const memberId = await join(world, owner, id, member)
  await chooseOrganization(member)
  return { id, owner, member, member_id: memberId }
}
/** Lists the charges of an account: the kinds of runs with their askers. */
async function listRuns(organizationId: string) {
  const { rows } = await world.db().execute<{ kind: string; user_id: string; amount: string }>(sql`
    SELECT r.kind, r.user_id, r.amount::text FROM runs r JOIN ledger_accounts a ON a.id = r.account_id
    WHERE a.organization_id = ${organizationId} ORDER BY r.id`)
  return rows
}

test('who chose so asks at the cost of the organization, and the bill says who asked', async () => {
  const { id, owner, member, member_id } = await createTeam(20)
  expect((await ask(member)).end).toBe('[DONE]')
  expect(await listRuns(id)).toEqual([{ kind: 'chat', user_id: member_id, amount: '1000000' }])
  const user = await getUser(member)
  expect([user.balance, user.organization]).toMatchObject([10, { pays: true, balance: 19, credit_used: 1 }])
  expect(await getMember(owner, id, member_id)).toMatchObject({
    credit_used: 1,
    used_this_month: 1,
    calls_this_month: 1,
  })
  expect(await owner.call('GET /api/organization/{id}', { params: { id } })).toMatchObject({
    used_this_month: 1,
  })
  // Bills of the member's own account do not have it.
  expect((await member.call('GET /api/user/transactions', { query: { action: 'charge' } })).total).toBe(0)

  await member.call('PUT /api/user/payer', { body: { payer: 'self' } })
  await ask(member)
  expect((await getUser(member)).balance).toBe(9)
  const stranger = await world.user()
  expect((await expectCallError(chooseOrganization(stranger))).status).toBe(404)
})

test('as many requests at once as a minute allows, against a limit for one: one is paid', async () => {
  const { id, owner, member, member_id } = await createTeam(200)
  await setLimit(owner, id, member_id, 1)
  const sessions: string[] = []
  for (let nth = 0; nth < 60; nth++)
    sessions.push((await member.call('POST /api/chat/session/new', { body: {} })).session.id)
  const asking = [
    ...sessions.map((sessId) =>
      member.call('POST /api/chat/create', { body: { prompt: '?', model: 'flat', sess_id: sessId } }),
    ),
    ...Array.from({ length: 20 }, () =>
      member.call('POST /api/agent/system_prompt', { body: { name: '?', desc: '', model: 'flat' } }),
    ),
  ]
  const outcomes = await Promise.all(
    asking.map((call: Promise<unknown>) =>
      call.then(
        () => 'paid',
        (error: CallError) => error.body.code,
      ),
    ),
  )
  expect(outcomes.toSorted()).toEqual([...Array<string>(79).fill('organization_limit_reached'), 'paid'])
  await expect.poll(async () => (await getMember(owner, id, member_id)).credit_used).toBe(1)
  await setLimit(owner, id, member_id, 0)
  expect((await getUser(member)).organization!.credit_limit).toBe(0)
})

test('the shared balance is never below zero, whoever asks at the same moment', async () => {
  const { id, owner, member } = await createTeam(5)
  await chooseOrganization(owner)
  const askAtOnce = (client: Client) =>
    Array.from({ length: 8 }, async () => {
      const { session } = await client.call('POST /api/chat/session/new', { body: {} })
      return client.ask('?', { model: 'flat', sess_id: session.id })
    })
  const outcomes = await Promise.allSettled([...askAtOnce(owner), ...askAtOnce(member)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect((await getUser(owner)).organization!.balance).toBe(0)
  expect(await listRuns(id)).toHaveLength(5)
})

test('who is removed or leaves pays by himself at once, also for what he asked before and nobody holds coins for', async () => {
  const { id, owner, member, member_id } = await createTeam(20)
  await ask(member)
  await owner.call('DELETE /api/organization/{id}/members/{userId}', { params: { id, userId: member_id } })
  await ask(member)
  expect(await getUser(member)).toMatchObject({ balance: 9, organization: null })
  expect(await listRuns(id)).toHaveLength(1)
  // The use of the month stays on the organization's bill.
  expect(await owner.call('GET /api/organization/{id}', { params: { id } })).toMatchObject({
    used_this_month: 1,
    members: 1,
  })
  // A request that still names the membership's budget gets nothing for it.
  const { rows } = await world.db().execute<{ spend_limit: string }>(sql`
    SELECT b.spend_limit::text FROM runs r JOIN ledger_budgets b ON b.id = ANY (r.budgets)
    JOIN ledger_accounts a ON a.id = r.account_id WHERE a.organization_id = ${id}`)
  expect(rows).toEqual([{ spend_limit: '0' }])
})

test('coins that were given are spent first, stay with whom they were given to, and are told apart', async () => {
  const [first, second] = [await world.user(), await world.user()]
  const { uuid: id } = await first.call('POST /api/organization', { body: { name: '钱袋' } })
  const secondId = await join(world, first, id, second)
  const deposit = (client: Client, coins: number) =>
    client.call('POST /api/organization/{id}/deposit', { params: { id }, body: { coins } })
  expect(await getUser(first)).toMatchObject({ balance: 10, gift_balance: 10 })
  const refused = await expectCallError(deposit(first, 0.01))
  expect([refused.status, refused.body.code]).toEqual([402, 'gift_untransferable'])
  await grant(world, first, 5)
  const { message } = (await expectCallError(deposit(first, 5.01))).body
  expect(message).toBe('现在可以转入组织的有 5 金币；赠送的金币只能由你自己使用，不能转入')
  expect((await expectCallError(deposit(first, 15.01))).body.code).toBe('insufficient_balance')

  await ask(first)
  expect(await getUser(first)).toMatchObject({ balance: 14, gift_balance: 9 })
  const { items } = await first.call('GET /api/user/transactions', { query: { action: 'charge' } })
  const charge = await first.call('GET /api/user/transactions/{id}', { params: { id: items[0]!.id } })
  expect(charge).toMatchObject({ amount: -1, bill: { gift: 1 } })
  expect(await first.call('GET /api/user/balance/{platform}', { params: { platform: 'all' } })).toMatchObject(
    { balance: 14, gift_balance: 9 },
  )

  await deposit(first, 5)
  const params = { id, userId: secondId }
  await first.call('PUT /api/organization/{id}/members/{userId}', { params, body: { role: 'owner' } })
  expect((await expectCallError(deposit(second, 1))).body.code).toBe('gift_untransferable')
  const dissolved = await second.call('DELETE /api/organization/{id}', {
    params: { id },
    body: { name: '钱袋' },
  })
  expect(dissolved).toEqual({ returned: 5 })
  expect(await getUser(first)).toMatchObject({ balance: 9, gift_balance: 9 })
  expect(await getUser(second)).toMatchObject({ balance: 15, gift_balance: 10 })
})

test('what is read aloud is paid within the limit as well', async () => {
  const { id, owner, member, member_id } = await createTeam(200)
  await setLimit(owner, id, member_id, 1)
  // 20 coins by the cheapest platform.
  const speech = member.call('POST /api/block/tts', { body: { text: '字'.repeat(1_000) } })
  expect((await expectCallError(speech)).body.code).toBe('organization_limit_reached')
  expect(await listRuns(id)).toEqual([])
})

test('tasks are paid by whoever pays when they begin, within the limit; API keys by their owner', async () => {
  const { id, owner, member, member_id } = await createTeam(50)
  const block = await upload(world, member, { name: '文章.md', content: '# 标题\n\n一段文字。' })
  const getStatus = async () =>
    (await member.call('GET /api/block/{id}', { params: { id: block.id } })).data.status
  await expect.poll(getStatus).toBe(2)
  const { chat_id } = await member.call('POST /api/translate', {
    body: { block: block.id, model: 'flat', target_lang: 'en', biz_type: 'file' },
  })
  const readTask = async () =>
    (await member.call('GET /api/task/{id}/result', { params: { id: chat_id } })).status
  await expect.poll(readTask).toBeGreaterThanOrEqual(2)
  const kinds = await listRuns(id)
  expect(kinds.length).toBeGreaterThan(0)
  expect(new Set(kinds.map(({ kind, user_id }) => `${kind} ${user_id}`))).toEqual(
    new Set([`translation ${member_id}`]),
  )
  const billed = kinds.reduce((total, { amount }) => total + Number(amount), 0) / 1_000_000
  expect((await getMember(owner, id, member_id)).credit_used).toBe(billed)

  const program = await createCaller(world, {}, member)
  await program.complete({ model: 'flat', messages: [{ role: 'user', content: '?' }] })
  expect((await listRuns(id)).filter(({ kind }) => kind === 'gateway')).toEqual([])
})

test.runIf(process.env.DATABASE_URL)(
  'coins that are deposited while the organization is dissolved stay with their owner',
  async () => {
    const owner = await world.user()
    const { uuid: userId } = await getUser(owner)
    const { uuid: id } = await owner.call('POST /api/organization', { body: { name: '渠社' } })
    const params = { id }
    await grant(world, owner, 5)
    await owner.call('POST /api/organization/{id}/deposit', { params, body: { coins: 2 } })
    const lock = await lockRows(
      world.db(),
      sql`SELECT FROM ledger_accounts WHERE user_id = ${userId} FOR UPDATE`,
    )
    const dissolving = owner.call('DELETE /api/organization/{id}', { params, body: { name: '渠社' } })
    await waitForWaiting(world.db(), 1)
    const depositing = owner.call('POST /api/organization/{id}/deposit', { params, body: { coins: 3 } })
    const settled = Promise.allSettled([dissolving, depositing])
    await waitForWaiting(world.db(), 2)
    await lock.release()
    const [, deposited] = await settled
    expect(deposited).toMatchObject({ status: 'rejected', reason: { status: 404 } })
    expect((await getUser(owner)).balance).toBe(15)
  },
)
