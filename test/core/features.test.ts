import { expect, test } from 'vitest'
import { sendAdminCommand } from '#server/admin/socket.ts'
import { upload, waitUntilRead } from '../files/upload.ts'
import { useWorld } from '../world/use-world.ts'

const world = useWorld()

// Each feature whose own tests run on PostgreSQL alone, once on every database.

test('a person asks, asks again, looks through conversations, shares one and deletes it', async () => {
  const client = await world.user()
  world.upstream.script('scripted', { text: '答一' }, { text: '答二' }, { text: '答三' })
  const { sess_id } = await client.ask('问一', { sess_id: null })
  await client.ask('', { sess_id, regen: true })
  expect((await client.ask('问二', { sess_id })).text).toBe('答三')
  const query = { sess_id, size: 100 }
  const { messages } = await client.call('GET /api/chat/messages', { query })
  expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    'human: 问一',
    'ai: 答二',
    'human: 问二',
    'ai: 答三',
  ])
  await client.call('PATCH /api/chat/session/{id}', { params: { id: sess_id }, body: { title: '渠' } })
  const list = async () => (await client.call('GET /api/chat/sessions', { query: {} })).items
  expect((await list()).map(({ title }) => title)).toContain('渠')

  const { share } = await client.call('GET /api/chat/session/link', { query: { sess_id } })
  const shared = await world.visitor().call('GET /api/session/{id}/messages', { params: { id: share.id } })
  expect(shared.messages.map(({ text }) => text)).toEqual(['问一', '答二', '问二', '答三'])
  await client.call('DELETE /api/chat/session/{id}', { params: { id: sess_id } })
  expect((await list()).map(({ id }) => id)).not.toContain(sess_id)
})

test('a document is stored, read, and made an assistant’s source; the assistant is asked, found and deleted', async () => {
  const client = await world.user()
  const { id } = await upload(world, client, { name: '诗.txt', content: '问渠那得清如许', channel: 'zhiku' })
  expect(await waitUntilRead(client, id)).toMatchObject({ status: 2, chars: 7 })
  const { data } = await client.call('GET /api/block/{id}/detail', { params: { id }, query: {} })
  expect(data.items.map(({ text }) => text)).toEqual(['问渠那得清如许'])

  const body = { name: '方塘', visible: 2 as const, model: 'scripted', embeds: [{ id }] }
  const { uuid } = await client.call('POST /api/agent', { body })
  const getStatus = async () =>
    (await client.call('GET /api/agent/{id}/status', { params: { id: uuid } })).embeds[0]
  await expect.poll(getStatus).toMatchObject({ status: 2, chunks: 1 })
  await client.call('PUT /api/agent/{id}', { params: { id: uuid }, body: { name: '半亩方塘' } })
  const find = async () => (await client.call('GET /api/agents', { query: { q: '半亩' } })).items
  expect(await find()).toMatchObject([{ uuid, name: '半亩方塘' }])
  await client.call('DELETE /api/agent/{id}', { params: { id: uuid } })
  expect(await find()).toEqual([])
})

test('an operator grants coins, tells one person and publishes release notes', async () => {
  const email = 'features@example.com'
  const client = await world.user(email)
  const { balance } = await client.call('GET /api/user/info', {})
  expect(await sendAdminCommand(world.data_dir, ['grant', email, '12.50'])).toMatchObject({ ok: true })
  expect((await client.call('GET /api/user/info', {})).balance).toBe(balance + 12.5)
  await sendAdminCommand(world.data_dir, ['notice', '--to', email, '退款', '已经退回。'])
  const { notifications } = await client.call('GET /api/notifications/unread', {})
  expect(notifications).toMatchObject([{ title: '退款', text: '已经退回。' }])
  await sendAdminCommand(world.data_dir, ['release', '特别的新功能', '- 一'])
  const { releases } = await client.call('GET /api/releases', { query: {} })
  expect(releases.map(({ title }) => title)).toContain('特别的新功能')
})

test('a person writes a prompt, changes it, finds it and deletes it', async () => {
  const client = await world.user()
  const { id } = await client.call('POST /api/chat/prompts', { body: { title: '润色', text: '请润色' } })
  await client.call('PUT /api/chat/prompts/{id}', { params: { id }, body: { title: '半亩方塘' } })
  const find = async () => (await client.call('GET /api/chat/prompts', { query: { q: '半亩' } })).items
  expect(await find()).toMatchObject([{ id, title: '半亩方塘', text: '请润色' }])
  await client.call('DELETE /api/chat/prompts/{id}', { params: { id } })
  expect(await find()).toEqual([])
})
