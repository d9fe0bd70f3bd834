import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { scriptedModels } from '../world/world.ts'
import { askAll, createComparison, getPrompts, readGroups } from './comparison.ts'

/** Opens one more model to guests. */
const models = ({ url }: { url: string }): string => {
  const file = scriptedModels(url)
  return JSON.stringify({
    ...file,
    models: file.models.map((model) => (model.id === 'thinker' ? { ...model, guest: true } : model)),
  })
}

const world = useOwnWorld({ models, env: { GUEST_TURNS: '3' } })
let client: Client
beforeAll(async () => {
  client = await world.user()
})

const listModels = async (chatbot: string): Promise<string[]> =>
  (await client.call('GET /api/compare/messages', { query: { chatbot } })).models.map(({ model }) => model)

test('models are added, set, swapped, removed and cleared', async () => {
  const someone = world.visitor()
  expect(await someone.call('GET /api/compare/messages', {})).toMatchObject({ session: null, models: [] })
  await someone.call('POST /api/chat/session/new', { body: {} })
  const query = { model: 'scripted', chatbot: 'compare' }
  expect((await someone.call('DELETE /api/compare/models', { query })).session).toBeNull()
  expect(
    (await someone.call('POST /api/compare/models/clear', { body: { chatbot: 'compare' } })).session,
  ).toBeNull()
  const added = await someone.call('POST /api/compare/models', { body: { model: 'scripted' } })
  expect(added).toMatchObject({
    session: { chatbot: 'compare', current: true },
    models: [{ model: 'scripted', settings: null }],
    blind: false,
  })
  // The specification sends a form.
  const form = await client.fetch('/api/compare/models', {
    method: 'POST',
    body: new URLSearchParams({ model: 'scripted', chatbot: 'compare' }),
  })
  expect(form.status).toBe(200)
  const chatbot = `compare-${((await form.json()) as typeof added).session!.id}`
  await client.call('POST /api/compare/models', { body: { model: 'flat', chatbot } })
  const settings = { temperature: 0.3 }
  const set = await client.call('POST /api/compare/models', {
    body: { model: 'scripted', chatbot, settings },
  })
  expect(set.models).toEqual([
    { model: 'scripted', settings },
    { model: 'flat', settings: null },
  ])
  await client.call('POST /api/compare/models', { body: { model: 'thinker', chatbot, replaces: 'scripted' } })
  expect(await listModels(chatbot)).toEqual(['thinker', 'flat'])
  await client.call('POST /api/compare/models', { body: { model: 'flat', chatbot, replaces: 'thinker' } })
  expect(await listModels(chatbot)).toEqual(['flat'])
  await client.call('POST /api/compare/models', { body: { model: 'scripted', chatbot } })
  await client.call('DELETE /api/compare/models', { query: { model: 'flat', chatbot } })
  expect(await listModels(chatbot)).toEqual(['scripted'])
  await client.call('POST /api/compare/models/clear', { body: { chatbot } })
  expect(await listModels(chatbot)).toEqual([])
  expect((await client.call('PUT /api/compare', { body: { chatbot, blind: true } })).blind).toBe(true)
})

test('eight models fit, a ninth or one that is not there does not', async () => {
  const eight = ['scripted', 'flat', 'choosy', 'seeing', 'twofold', 'tiered', 'limited', 'thinker']
  const { chatbot } = await createComparison(client, eight)
  const add = (body: { model: string; replaces?: string }) =>
    expectCallError(client.call('POST /api/compare/models', { body: { chatbot, ...body } }))
  const { body } = await add({ model: 'farui-scripted' })
  expect(body).toMatchObject({ code: 'compare_full', message: '最多同时对比 8 个模型，请先移除一个' })
  expect((await add({ model: 'no-such-model' })).body.code).toBe('model_not_found')
  expect((await add({ model: 'scripted-tts' })).body.code).toBe('model_not_found')
  expect((await add({ model: 'farui-scripted', replaces: 'absent' })).body.code).toBe('not_found')
  expect(await listModels(chatbot)).toEqual(eight)
})

test('a session of another channel is no comparison, and a comparison no other conversation', async () => {
  const { sess_id } = await client.ask('你好')
  const query = { chatbot: `compare-${sess_id}` }
  expect((await expectCallError(client.call('GET /api/compare/messages', { query }))).status).toBe(404)
  const { chatbot, sess_id: comparison } = await createComparison(client, ['scripted', 'flat'])
  for (const body of [
    { chatbot: 'compare', sess_id, prompt: '问', models: ['scripted'] },
    { chatbot: 'dati', sess_id: comparison, prompt: '问' },
    { chatbot: `compare-${createId()}`, prompt: '问' },
  ])
    expect((await expectCallError(client.call('POST /api/chat/create', { body }))).body.code).toBe(
      'not_found',
    )
  const ask = (body: object) =>
    expectCallError(client.call('POST /api/chat/create', { body: { prompt: '问', ...body } }))
  expect((await ask({ chatbot: 'dati', models: ['scripted'] })).body.code).toBe('bad_request')
  expect((await ask({ chatbot, continue: true })).body.code).toBe('not_continuable')
  await client.call('POST /api/compare/models/clear', { body: { chatbot } })
  expect((await ask({ chatbot })).body.code).toBe('compare_empty')
})

test('a column has settings of its own beside those of all', async () => {
  const { chatbot, sess_id } = await createComparison(client, ['scripted', 'flat'])
  await client.call('POST /api/chat/session/settings', {
    body: { sess_id, system_prompt: '全体', temperature: 0.2 },
  })
  const settings = { system_prompt: '单独', max_tokens: 77 }
  await client.call('POST /api/compare/models', { body: { model: 'flat', chatbot, settings } })
  world.upstream.script('scripted', { text: '一' })
  world.upstream.script('flat', { text: '二' })
  await askAll(client, { chatbot, prompt: '问' })
  expect(getPrompts(world.upstream, 'scripted').at(-1)).toEqual(['全体', '问'])
  expect(getPrompts(world.upstream, 'flat').at(-1)).toEqual(['单独', '问'])
  const bodies = world.upstream.requests.map(({ body }) => body as { model: string })
  expect(bodies.findLast(({ model }) => model === 'flat')).toMatchObject({ max_tokens: 77, temperature: 0.2 })
})

test('turns are read page by page', async () => {
  const { chatbot } = await createComparison(client, ['scripted', 'farui-scripted'])
  world.upstream.script('scripted', { text: '答' })
  world.upstream.script('farui-scripted', { text: '答' })
  for (const prompt of ['一', '二', '三']) await askAll(client, { chatbot, prompt })
  const read = async (before?: string) => {
    const query = { chatbot, size: 2, ...(before ? { before } : {}) }
    const { groups, has_more } = await client.call('GET /api/compare/messages', { query })
    const questions = groups.map(({ messages }) => messages.filter(({ role }) => role === 'human'))
    expect(questions[1]!.map(({ text }) => text)).toEqual(questions[0]!.map(({ text }) => text))
    return { questions: questions[0]!, has_more }
  }
  const newest = await read()
  expect([newest.questions.map(({ text }) => text), newest.has_more]).toEqual([['二', '三'], true])
  const older = await read(newest.questions[0]!.chat_id)
  expect([older.questions.map(({ text }) => text), older.has_more]).toEqual([['一'], false])
})

test('guests compare models that are open to them, a turn for each column', async () => {
  const guest = world.visitor()
  const refused = await expectCallError(guest.call('POST /api/compare/models', { body: { model: 'flat' } }))
  expect(refused.body.code).toBe('guest_model')
  world.upstream.script('scripted', { text: '好' })
  world.upstream.script('thinker', { text: '也好' })
  const count = async () => {
    const { rows } = await world.db().execute<{ turns: number }>(sql`
      SELECT turns FROM guest_turns WHERE key = 'house'`)
    return rows[0]?.turns ?? 0
  }
  const ask = (...models: string[]) => askAll(guest, { chatbot: 'compare', prompt: '问', models })
  const before = await count()
  await ask('scripted', 'thinker')
  expect(await count()).toBe(before + 2)
  expect((await expectCallError(ask('scripted', 'flat'))).body.code).toBe('guest_model')
  // A guest has three turns a day: enough for one more column, not for two.
  expect((await expectCallError(ask('scripted', 'thinker'))).body.code).toBe('guest_limit')
  expect(await count()).toBe(before + 2)
  await ask('thinker')
})

test('an answer is gone on with in a conversation of its own, by its model alone', async () => {
  const { chatbot, sess_id } = await createComparison(client, ['scripted', 'flat'])
  world.upstream.script('scripted', { text: '甲' })
  world.upstream.script('flat', { text: '乙' })
  await askAll(client, { chatbot, prompt: '问一' })
  await askAll(client, { chatbot, prompt: '只问甲', model: 'scripted' })
  const { answers } = await askAll(client, { chatbot, prompt: '问三' })
  const { session } = await client.call('POST /api/chat/session/fork', {
    body: { sess_id, chatbot: 'dati', message_id: answers[1]!.id },
  })
  expect(session).toMatchObject({ chatbot: 'dati', model: 'flat' })
  const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id: session.id } })
  expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    'human: 问一',
    'ai: 乙',
    'human: 问三',
    'ai: 乙',
  ])
  world.upstream.script('flat', { text: '接着说' })
  await client.ask('再问', { sess_id: session.id, model: 'flat' })
  expect(getPrompts(world.upstream, 'flat').at(-1)).toEqual(['问一', '乙', '问三', '乙', '再问'])
  // A copy as a comparison keeps its columns.
  const copy = await client.call('POST /api/chat/session/fork', { body: { sess_id } })
  expect(copy.session.chatbot).toBe('compare')
  const copied = `compare-${copy.session.id}`
  expect(await listModels(copied)).toEqual(['scripted', 'flat'])
  expect(await readGroups(client, copied)).toEqual(await readGroups(client, chatbot))
})

test('a share shows each answer with its model', async () => {
  const { chatbot, sess_id } = await createComparison(client, ['scripted', 'flat'])
  world.upstream.script('scripted', { text: '甲' })
  world.upstream.script('flat', { text: '乙' })
  await askAll(client, { chatbot, prompt: '问' })
  const link = (query: { chatbot: string; sess_id?: string }) =>
    client.call('GET /api/chat/session/link', { query })
  const { share } = await link({ chatbot })
  expect((await link({ chatbot: 'compare', sess_id })).share).toEqual(share)
  const other = await createComparison(client, ['flat'])
  await expect(link({ chatbot, sess_id: other.sess_id })).rejects.toMatchObject({ status: 404 })
  const shared = await client.call('GET /api/session/{id}/messages', { params: { id: share.id } })
  expect(shared.messages.map(({ chat_model, text }) => [chat_model, text])).toEqual([
    ['scripted', '问'],
    ['scripted', '甲'],
    ['flat', '乙'],
  ])
})

test('a comparison is cleared, listed and deleted like every conversation', async () => {
  const own = await world.user()
  const { chatbot, sess_id } = await createComparison(own, ['scripted', 'flat'])
  world.upstream.script('scripted', { text: '找得到的甲' })
  world.upstream.script('flat', { text: '乙', stall: 'headers' })
  const { chat_message } = await own.call('POST /api/chat/create', { body: { chatbot, prompt: '问' } })
  await own.call('POST /api/chat/completions', {
    query: { chat_id: chat_message.chat_id, model: 'scripted' },
  })
  const list = (keywords: string) =>
    own.call('GET /api/chat/sessions', { query: { chatbot: 'compare', keywords } })
  expect((await list('找得到')).items).toMatchObject([{ id: sess_id, title: '问' }])
  // Answers under way are stopped.
  const { deleted } = await own.call('DELETE /api/compare/messages', { query: { chatbot } })
  expect(deleted).toBe(3)
  world.upstream.release()
  expect(await own.call('GET /api/compare/messages', { query: { chatbot } })).toMatchObject({
    // The title came from the question: the next one gives it another.
    session: { id: sess_id, title: '' },
    models: [{ model: 'scripted' }, { model: 'flat' }],
    groups: [
      { model: 'scripted', messages: [] },
      { model: 'flat', messages: [] },
    ],
  })
  const name = { params: { id: sess_id }, body: { title: '我起的名' } }
  await own.call('PATCH /api/chat/session/{id}', name)
  await own.call('DELETE /api/compare/messages', { query: { chatbot } })
  expect((await own.call('GET /api/compare/messages', { query: { chatbot } })).session?.title).toBe(
    '我起的名',
  )
  await own.call('DELETE /api/chat/session/{id}', { params: { id: sess_id } })
  const gone = await expectCallError(own.call('GET /api/compare/messages', { query: { chatbot } }))
  expect(gone.status).toBe(404)
})
