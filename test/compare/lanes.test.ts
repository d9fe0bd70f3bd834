import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'
import { askAll, createComparison, getPrompts, readGroups, readTurn } from './comparison.ts'

const world = useWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
})

/** Returns the ledger's charge for each run of a turn, coins by model. */
async function readCharges(chatId: string): Promise<Record<string, number>> {
  const { rows } = await world.db().execute<{ model: string; charged: string }>(sql`
    SELECT model, sum(amount)::text AS charged FROM runs WHERE subject_id = ${chatId} GROUP BY model`)
  return Object.fromEntries(rows.map(({ model, charged }) => [model, Number(charged) / 1e6]))
}

test('one stalls, one fails, one is cumulative, one is fast; figures equal the ledger', async () => {
  const models = ['flat', 'scripted-paid', 'farui-scripted', 'twofold']
  const { chatbot } = await createComparison(client, models)
  world.upstream.script('flat', { text: '慢慢地说一段话，说到一半就停住了', stall: 3 })
  world.upstream.script('scripted-paid', { status: 400, body: '{"error":{"message":"no"}}' })
  world.upstream.script('farui-scripted', { text: '一句一句重复的话，每次都从头说起', cumulative: true })
  world.upstream.script('twofold-cheap', { text: '很快就说完了' })
  const { chat_messages, question } = await client.call('POST /api/chat/create', {
    body: { chatbot, prompt: '问' },
  })
  expect(chat_messages.map(({ model, status }) => [model, status])).toEqual(
    models.map((model) => [model, 'typing']),
  )
  const { chat_id } = question
  // The others have ended, and the stalled one has said something: hang up, and come back.
  const { columns } = await readTurn(client, chat_id, {
    until: (all) => models.every((model) => all[model]?.end ?? (model === 'flat' && all[model]?.text)),
  })
  expect(columns['twofold']).toMatchObject({ text: '很快就说完了', end: 'done' })
  expect(columns['farui-scripted']).toMatchObject({ text: '一句一句重复的话，每次都从头说起', end: 'done' })
  expect(columns['scripted-paid']).toMatchObject({ text: '', end: 'request_rejected' })
  const cancelling = client.call('POST /api/chat/cancel', { body: { chat_id, model: 'flat' } })
  const texts = Object.fromEntries(models.map((model) => [model, columns[model]?.text]))
  const back = await readTurn(client, chat_id, { columns })
  expect((await cancelling).chat_message).toMatchObject({ model: 'flat', status: 'cancelled' })
  expect(back.done).toBe(true)
  expect(back.columns['flat']!.end).toBe('cancelled')
  // Nothing was sent twice.
  expect('慢慢地说一段话，说到一半就停住了').toContain(back.columns['flat']!.text)
  expect(back.columns['twofold']!.text).toBe(texts['twofold'])
  expect(back.columns['farui-scripted']!.text).toBe(texts['farui-scripted'])
  world.upstream.release()

  const { groups } = await client.call('GET /api/compare/messages', { query: { chatbot } })
  expect(groups.map(({ model }) => model)).toEqual(models)
  const charges = await readCharges(chat_id)
  for (const { model, messages } of groups) {
    expect(messages.map(({ role }) => role)).toEqual(['human', 'ai'])
    expect(messages[1]!.figures?.amount ?? 0).toBe(charges[model])
  }
  expect(charges).toMatchObject({ flat: 1, 'scripted-paid': 0 })
  expect(charges['twofold']).toBeGreaterThan(0)
  const failed = groups[1]!.messages[1]!
  const { message: error } = errors.request_rejected
  expect(failed).toMatchObject({ status: 'failed', text: error, error, figures: null })
  const { figures } = groups[3]!.messages[1]!
  expect(figures!.duration_ms).toBeGreaterThanOrEqual(figures!.first_text_ms!)
})

test('one column is stopped, asked again and followed up while another one runs', async () => {
  const { chatbot } = await createComparison(client, ['scripted', 'flat', 'farui-scripted'])
  world.upstream.script('scripted', { text: '停着', stall: 'headers' })
  world.upstream.script('flat', { text: '乙一' })
  world.upstream.script('farui-scripted', { text: '丙一' })
  const { chat_message } = await client.call('POST /api/chat/create', { body: { chatbot, prompt: '问一' } })
  const { chat_id } = chat_message
  const wait = (model: string) => client.call('POST /api/chat/completions', { query: { chat_id, model } })
  await Promise.all([wait('flat'), wait('farui-scripted')])
  const refused = await expectCallError(
    client.call('POST /api/chat/create', { body: { chatbot, prompt: '问二', models: ['flat', 'scripted'] } }),
  )
  expect(refused.body.code).toBe('turn_running')
  const edited = await expectCallError(
    client.call('POST /api/chat/create', {
      body: { chatbot, prompt: '另问', chat_id, edit: true, models: ['flat'] },
    }),
  )
  expect(edited.body.code).toBe('turn_running')

  world.upstream.script('flat', { text: '乙一·新' }, { text: '乙二' })
  const again = await askAll(client, { chatbot, chat_id, regen: true, model: 'flat' })
  expect(again.answers).toMatchObject([
    { chat_id, text: '乙一·新', versions: [expect.any(String), expect.any(String)] },
  ])
  const follow = await askAll(client, { chatbot, prompt: '只问乙', model: 'flat' })
  expect(follow.answers).toMatchObject([{ model: 'flat', text: '乙二' }])
  expect(getPrompts(world.upstream, 'flat').at(-1)).toEqual(['问一', '乙一·新', '只问乙'])
  expect(await readGroups(client, chatbot)).toMatchObject({
    flat: ['human: 问一', 'ai: 乙一·新', 'human: 只问乙', 'ai: 乙二'],
    'farui-scripted': ['human: 问一', 'ai: 丙一'],
  })
  await client.call('POST /api/chat/cancel', { body: { chat_id, model: 'scripted' } })
  world.upstream.release()

  // An old turn of a column is answered again without hiding later turns, and versions come back.
  world.upstream.script('farui-scripted', { text: '丙一·新' }, { text: '丙三' })
  const old = await askAll(client, { chatbot, chat_id, regen: true, models: ['farui-scripted'] })
  await client.call('POST /api/chat/versions/choose', { body: { id: old.answers[0]!.versions[0]! } })
  expect(await readGroups(client, chatbot)).toMatchObject({
    flat: ['human: 问一', 'ai: 乙一·新', 'human: 只问乙', 'ai: 乙二'],
    'farui-scripted': ['human: 问一', 'ai: 丙一'],
  })
  // A column goes on from its own answers, and does not know questions that only another one was asked.
  await askAll(client, { chatbot, prompt: '问三', models: ['farui-scripted'] })
  expect(getPrompts(world.upstream, 'farui-scripted').at(-1)).toEqual(['问一', '丙一', '问三'])
})

test('a model that joins late knows what was said before, and can answer an old turn', async () => {
  const { chatbot } = await createComparison(client, ['scripted', 'flat'])
  world.upstream.script('scripted', { status: 400, body: '{}' })
  world.upstream.script('flat', { text: '乙一' })
  const { chat_id } = await askAll(client, { chatbot, prompt: '问一' })
  await client.call('POST /api/compare/models', { body: { model: 'thinker', chatbot, replaces: 'scripted' } })
  world.upstream.script('thinker', { text: '丁二' }, { text: '丁一' }, { text: '丁三' })
  world.upstream.script('flat', { text: '乙二' })
  await askAll(client, { chatbot, prompt: '问二' })
  expect(getPrompts(world.upstream, 'thinker').at(-1)).toEqual(['问一', '乙一', '问二'])
  await askAll(client, { chatbot, chat_id, regen: true, models: ['thinker'] })
  await askAll(client, { chatbot, prompt: '问三', model: 'thinker' })
  expect(getPrompts(world.upstream, 'thinker').at(-1)).toEqual(['问一', '丁一', '问二', '丁二', '问三'])
  const groups = await readGroups(client, chatbot)
  expect(Object.keys(groups)).toEqual(['thinker', 'flat', 'scripted'])
  expect(groups['thinker']).toEqual([
    'human: 问一',
    'ai: 丁一',
    'human: 问二',
    'ai: 丁二',
    'human: 问三',
    'ai: 丁三',
  ])
})

test('another question in the place of one, and a turn that is deleted', async () => {
  const { chatbot } = await createComparison(client, ['scripted', 'flat'])
  world.upstream.script('scripted', { text: '甲' })
  world.upstream.script('flat', { text: '乙' })
  const first = await askAll(client, { chatbot, prompt: '问一' })
  const second = await askAll(client, { chatbot, prompt: '问二' })
  await askAll(client, { chatbot, prompt: '问三' })
  await askAll(client, { chatbot, prompt: '改问二', chat_id: second.chat_id, edit: true })
  const shown = async () =>
    (await readGroups(client, chatbot))['flat']!.filter((line) => line.startsWith('human'))
  expect(await shown()).toEqual(['human: 问一', 'human: 改问二'])
  const { groups } = await client.call('GET /api/compare/messages', { query: { chatbot } })
  const edited = groups[0]!.messages.findLast(({ role }) => role === 'human')!
  await client.call('POST /api/chat/versions/choose', { body: { id: edited.versions[0]! } })
  expect(await shown()).toEqual(['human: 问一', 'human: 问二', 'human: 问三'])
  await client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id: first.chat_id } })
  expect(await shown()).toEqual(['human: 问二', 'human: 问三'])
  await client.call('DELETE /api/chat/turn/{chat_id}', { params: { chat_id: second.chat_id } })
  // The other version of the deleted question takes its place.
  expect((await shown())[0]).toBe('human: 问三')
})

test('a question under an Idempotency-Key is asked once', async () => {
  const { chatbot } = await createComparison(client, ['scripted', 'flat'])
  world.upstream.script('scripted', { text: '甲' })
  world.upstream.script('flat', { text: '乙' })
  const ask = (body: object) =>
    client.call(
      'POST /api/chat/create',
      { body: { chatbot, ...body } },
      { headers: { 'Idempotency-Key': `k-${JSON.stringify(body).length}` } },
    )
  const [first, second] = await Promise.all([ask({ prompt: '问' }), ask({ prompt: '问' })])
  expect(second.chat_messages.map(({ id }) => id)).toEqual(first.chat_messages.map(({ id }) => id))
  const { chat_id } = first.chat_message
  await client.call('POST /api/chat/completions', { query: { chat_id } })
  const again = { chat_id, regen: true, model: 'flat' }
  const third = await ask(again)
  await client.call('POST /api/chat/completions', { query: { chat_id } })
  expect((await ask(again)).chat_messages.map(({ id }) => id)).toEqual([third.chat_message.id])
  expect(await readCharges(chat_id)).toEqual({ scripted: 0, flat: 2 })
})
