import { sql } from 'drizzle-orm'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { expectLedgerInvariants } from '../ledger/invariants.ts'
import { grant } from '../organizations/organization.ts'
import { letTimePass, signIn } from '../world/sign-in.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

const getInfo = (client: Client) => client.call('GET /api/user/info', {})
const deleteAccount = (client: Client, code?: string) =>
  client.call('POST /api/user/account/delete', { body: code === undefined ? {} : { code } })
const requestCode = async (client: Client, email: string): Promise<string> => {
  await letTimePass(world.db(), '2 minutes')
  await client.call('POST /auth/vcode', { body: { email, channel: 'setting' } })
  return world.getLoginCode(email)
}
/** Counts, by table with a column of users, the rows that name this user. */
const countRows = async (userId: string): Promise<Record<string, number>> => {
  const tables = await world.db().execute<{ name: string }>(sql`
    SELECT table_name AS name FROM information_schema.columns
    WHERE column_name = 'user_id' AND table_schema = 'public' ORDER BY 1`)
  const counts: Record<string, number> = {}
  for (const { name } of tables.rows) {
    const { rows } = await world
      .db()
      .execute<{ count: number }>(
        sql`SELECT count(*)::int AS count FROM ${sql.identifier(name)} WHERE user_id = ${userId}`,
      )
    if (rows[0]!.count) counts[name] = rows[0]!.count
  }
  return counts
}

test('an account is deleted by the code of its address: all is gone but the books, at once and everywhere', async () => {
  const email = 'leaver@example.com'
  const [client, bystander] = [await world.user(email), await world.user()]
  const { uuid } = await getInfo(client)
  world.upstream.script('scripted', { text: '好。' })
  const { sess_id } = await client.ask('我的秘密问题')
  await bystander.ask('别人的问题')
  const agent = await client.call('POST /api/agent', { body: { name: '渠', visible: 2 } })
  const { share } = await client.call('GET /api/chat/session/link', { query: { chatbot: 'dati', sess_id } })
  const { raw_value } = await client.call('POST /api/api_keys', { body: { name: '程序' } })
  const { id } = await client.call('POST /api/credit/orders', { body: { plan_id: 'coins-10' } })
  await client.call('POST /api/credit/sandbox/pay', { body: { order_id: id } })
  const elsewhere = world.visitor()
  elsewhere.cookie = client.cookie
  const others = await countRows((await getInfo(bystander)).uuid)

  // An answer that is being written, and its reader.
  world.upstream.script('scripted', { text: '水'.repeat(400), chars: 1, stall: 5 })
  const { chat_message } = await client.call('POST /api/chat/create', { body: { prompt: '问' } })

  expect((await expectCallError(deleteAccount(client))).body.code).toBe('old_code_required')
  const code = await requestCode(client, email)
  const wrong = code === '000000' ? '111111' : '000000'
  expect((await expectCallError(deleteAccount(client, wrong))).body.code).toBe('code_invalid')
  const seen: string[] = []
  for await (const { data } of elsewhere.events(chat_message.chat_id)) {
    if (!seen.length) expect(await deleteAccount(client, code)).toEqual({ redirect_to: '/' })
    seen.push(data)
  }

  for (const browser of [client, elsewhere]) {
    expect((await browser.fetch('/api/user/info')).status).toBe(401)
  }
  const models = await fetch(`${world.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${raw_value}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', messages: [{ role: 'user', content: '问' }] }),
  })
  expect(models.status).toBe(401)
  expect((await bystander.fetch(`/share/${share.id}`)).status).toBe(404)
  expect((await bystander.fetch(`/api/agent/${agent.uuid}`)).status).toBe(404)
  expect(await countRows(uuid)).toEqual({
    credit_orders: 1,
    ledger_accounts: 1,
    runs: expect.any(Number) as number,
  })
  const { rows } = await world.db().execute(sql`
    SELECT id FROM users WHERE id = ${uuid} OR email = ${email}
    UNION ALL SELECT id FROM login_codes WHERE target = ${email}
    UNION ALL SELECT id FROM runs WHERE user_id = ${uuid} AND state = 'running'`)
  expect(rows).toEqual([])
  expect(await countRows((await getInfo(bystander)).uuid)).toEqual(others)

  // A person who comes again is a new account, whose mailbox has had its first coins.
  await signIn(world.visitor(), email, world.data_dir)
  const again = world.visitor()
  await letTimePass(world.db(), '2 minutes')
  await signIn(again, email, world.data_dir)
  const info = await getInfo(again)
  expect(info.uuid).not.toBe(uuid)
  expect(info.balance).toBe(0)
})

test('an account with WeChat alone is deleted by who has signed in a moment ago', async () => {
  const client = await world.user('wechat-alone@example.com')
  await world.db().execute(sql`
    UPDATE users SET email = NULL, wechat = 'o-alone' WHERE email = 'wechat-alone@example.com'`)
  const { uuid } = await getInfo(client)
  const age = (interval: string) =>
    world.db().execute(sql`
      UPDATE auth_sessions SET created_at = now() - ${interval}::interval WHERE user_id = ${uuid}`)
  await age('16 minutes')
  expect((await expectCallError(deleteAccount(client))).body.code).toBe('login_again')
  await age('14 minutes')
  await deleteAccount(client)
  expect(await countRows(uuid)).toEqual({ ledger_accounts: 1 })
})

test('the last owner of an organization with others stays until another one is there', async () => {
  const email = 'last-owner@example.com'
  const [owner, member] = [await world.user(email), await world.user()]
  const organization = await owner.call('POST /api/organization', { body: { name: '渠社' } })
  const { uuid } = await getInfo(member)
  await world.db().execute(sql`
    INSERT INTO organization_members (id, organization_id, user_id, role)
    VALUES (gen_random_uuid(), ${organization.uuid}, ${uuid}, 'member')`)
  const code = await requestCode(owner, email)
  const refused = await expectCallError(deleteAccount(owner, code))
  expect(refused.body.code).toBe('last_owner')
  await world.db().execute(sql`UPDATE organization_members SET role = 'owner' WHERE user_id = ${uuid}`)
  // The refused code is still good.
  await deleteAccount(owner, code)
  const { rows } = await world.db().execute(sql`
    SELECT role FROM organization_members WHERE organization_id = ${organization.uuid}`)
  expect(rows).toEqual([{ role: 'owner' }])
})

test('who is alone in an organization dissolves it; the coins of both are booked back to the operator', async () => {
  const email = 'founder@example.com'
  const client = await world.user(email)
  const organization = await client.call('POST /api/organization', { body: { name: '一人社' } })
  await grant(world, client, 30)
  await client.call('POST /api/organization/{id}/deposit', {
    params: { id: organization.uuid },
    body: { coins: 20 },
  })
  const { uuid } = await getInfo(client)
  await deleteAccount(client, await requestCode(client, email))
  const { rows } = await world.db().execute(sql`
    SELECT t.kind, t.amount::text, t.gift::text, a.house FROM ledger_transfers t JOIN ledger_accounts a ON a.id = t.credit_account_id
    WHERE t.debit_account_id = (SELECT id FROM ledger_accounts WHERE user_id = ${uuid}) ORDER BY t.id`)
  expect(rows).toMatchObject([
    { kind: 'transfer', gift: '0' },
    { kind: 'forfeit', amount: '80000000', gift: '50000000', house: 'grants' },
  ])
  const left = await world.db().execute(sql`
    SELECT balance::text, gift::text FROM ledger_accounts WHERE user_id = ${uuid} OR organization_id = ${organization.uuid}`)
  expect(left.rows).toEqual([
    { balance: '0', gift: '0' },
    { balance: '0', gift: '0' },
  ])
  await expectLedgerInvariants(world.db())
})

test('a guest has no account to delete or to take along', async () => {
  const guest = world.visitor()
  await guest.call('POST /api/chat/session/new', { body: {} })
  expect((await expectCallError(deleteAccount(guest))).status).toBe(401)
  expect((await guest.fetch('/api/user/account/export')).status).toBe(401)
})

test('all that is a person’s own is exported as one archive, and nothing of anybody else', async () => {
  const [client, other] = [await world.user('export@example.com'), await world.user()]
  world.upstream.script('scripted', { text: '活水。' })
  const { sess_id } = await client.ask('什么是活水？')
  for (let nth = 0; nth < 3; nth++) await client.ask(`第 ${nth} 问`, { sess_id })
  const { messages: asked } = await client.call('GET /api/chat/messages', { query: { sess_id } })
  await client.call('PUT /api/chat/message/{id}/feedback', {
    params: { id: asked[1]!.id },
    body: { rating: 'down', text: '太短' },
  })
  const { folder } = await client.call('POST /api/chat/folders', { body: { name: '读书' } })
  await client.call('POST /api/chat/sessions/move', { body: { sess_ids: [sess_id], folder_id: folder.id } })
  await other.call('POST /api/chat/folders', { body: { name: '别人的文件夹' } })
  await other.ask('别人的问题')
  await client.call('POST /api/agent', {
    body: { name: '我的渠', settings: { chat: { system_prompt: '只说水' } } },
  })
  await other.call('POST /api/agent', { body: { name: '别人的渠', visible: 2 } })
  await client.call('POST /api/chat/prompts', { body: { title: '常用', text: '请解释' } })

  const response = await client.fetch('/api/user/account/export')
  expect(response.headers.get('Content-Disposition')).toMatch(
    /^attachment; filename="wenqu-\d{4}-\d\d-\d\d\.zip"$/,
  )
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  expect(Object.keys(files)).toEqual([
    '说明.txt',
    'profile.json',
    'agents.json',
    'documents.json',
    'prompts.json',
    'glossary.json',
    'transactions.csv',
    'folders.json',
    `conversations/${sess_id}.json`,
  ])
  const read = (name: string) => strFromU8(files[name]!)
  expect(JSON.parse(read('profile.json'))).toMatchObject({
    email: 'export@example.com',
    chat_setting: { enabled: false },
  })
  expect(JSON.parse(read('agents.json'))).toMatchObject([
    { name: '我的渠', settings: { chat: { system_prompt: '只说水' } } },
  ])
  expect(JSON.parse(read('prompts.json'))).toMatchObject([{ title: '常用' }])
  expect([JSON.parse(read('documents.json')), JSON.parse(read('glossary.json'))]).toEqual([[], []])
  expect(read('transactions.csv').split('\r\n')).toHaveLength(7)
  const { session, messages } = JSON.parse(read(`conversations/${sess_id}.json`)) as {
    session: object
    messages: { text: string; feedback: object | null }[]
  }
  expect(JSON.parse(read('folders.json'))).toEqual([folder])
  expect(session).toMatchObject({ id: sess_id, chatbot: 'dati', folder_id: folder.id })
  expect(messages.map(({ text }) => text)).toEqual([
    '什么是活水？',
    '活水。',
    '第 0 问',
    '活水。',
    '第 1 问',
    '活水。',
    '第 2 问',
    '活水。',
  ])
  expect(messages[1]?.feedback).toEqual({ rating: 'down', reasons: [], text: '太短' })
  expect(Object.keys(files).map(read).join()).not.toContain('别人')
})

// The server reads a hundred messages at a time.
test(
  'a conversation of more messages than are read at a time is exported from its beginning',
  { timeout: 240_000 },
  async () => {
    const client = await world.user()
    world.upstream.script('scripted', { text: '活水。' })
    const { sess_id } = await client.ask('第 0 问')
    for (let nth = 1; nth < 51; nth++) await client.ask(`第 ${nth} 问`, { sess_id })
    const files = unzipSync(
      new Uint8Array(await (await client.fetch('/api/user/account/export')).arrayBuffer()),
    )
    const { messages } = JSON.parse(strFromU8(files[`conversations/${sess_id}.json`]!)) as {
      messages: { text: string }[]
    }
    const questions = messages.map(({ text }) => text).filter((text) => text !== '活水。')
    expect(questions).toEqual(Array.from({ length: 51 }, (_, nth) => `第 ${nth} 问`))
  },
)
