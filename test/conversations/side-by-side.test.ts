import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatCalls } from '#contract/chat.ts'
import { conversationCompletionHooks, createConversations } from '#server/conversations/conversations.ts'
import type { Assistant, Conversations } from '#server/conversations/conversations.ts'
import { AppError } from '#server/core/app-error.ts'
import { createLog } from '#server/core/log.ts'
import { createLlm, DEFAULT_PREFERENCE, loadCatalogue } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import { createRuns } from '#server/runs/runs.ts'
import type { Runs } from '#server/runs/runs.ts'
import type { Client } from '../world/client.ts'
import { findAccountId } from '../ledger/hold-and-settle.ts'
import { useWorld } from '../world/use-world.ts'
import { NO_HOOKS } from '../world/world.ts'

// Several answers to one question, each by a run of its own, through the entry point of conversations.

const assistant: Assistant = {
  getLanes: async (_, __, models) => (models ?? []).map((model) => ({ model, settings: null })),
  prepareTurn: async () => ({
    getInitialModel: () => null,
    preference: DEFAULT_PREFERENCE,
    preparePrompt: () => ({ system: '', tools: [], preparation: null }),
  }),
}

const world = useWorld()
let catalogue: Catalogue
let runs: Runs
let conversations: Conversations
beforeAll(async () => {
  const log = createLog('silent')
  const env = { SCRIPTED_KEY: 'k', WENQU_OLLAMA: 'off' }
  catalogue = loadCatalogue({ file: join(world.data_dir, 'models.json'), env, log })
  const db = world.db()
  const llm = createLlm({ catalogue, log })
  const completionHooks = { ...NO_HOOKS, ...conversationCompletionHooks }
  runs = createRuns({
    db,
    llm,
    max_given: 1_000_000_000n,
    alert: () => undefined,
    log,
    completion_hooks: completionHooks,
    exclusive: false,
  })
  await runs.recover()
  const assistants = { compare: assistant }
  conversations = createConversations({ db, runs, catalogue, assistants, title_model: 'off' })
})
afterAll(async () => {
  await runs.stop()
  catalogue.close()
})

/** Creates a signed-in user, and a function by which it asks models side by side. */
async function createUser() {
  const client = await world.user()
  const { uuid: userId } = await client.call('GET /api/user/info', {})
  const accountId = await findAccountId(world.db(), userId)
  const visitor = { user_id: userId, account_id: accountId, budgets: [], guest: false }
  const context = { visitor, client: '127.0.0.1', idempotency: null }
  const ask = (prompt: string, models: string[], more: object = {}) =>
    conversations.createTurn(
      context,
      chatCalls['POST /api/chat/create'].body.parse({ chatbot: 'compare', prompt, models, ...more }),
    )
  const waitFor = async (chatId: string, model?: string) =>
    (await conversations.waitForAnswers(userId, { chat_id: chatId, model }, new AbortController().signal))[0]
  return { client, user_id: userId, ask, waitFor }
}

const readSession = async (client: Client, sessId: string) =>
  (await client.call('GET /api/chat/messages', { query: { chatbot: 'compare', sess_id: sessId } })).messages

const getPrompts = (model: string) =>
  world.upstream.requests
    .map(({ body }) => body as { model: string; messages: { content: string }[] })
    .filter((body) => body.model === model)
    .map(({ messages }) => messages.map(({ content }) => content))

test('two models answer one question, each by its own run, and the session shows both', async () => {
  const { client, ask, waitFor } = await createUser()
  world.upstream.script('scripted', { text: '一' })
  world.upstream.script('flat', { text: '二' })
  const { chat_messages, question, session } = await ask('问', ['scripted', 'flat'])
  expect(chat_messages.map(({ model, chat_id }) => [model, chat_id])).toEqual([
    ['scripted', question.chat_id],
    ['flat', question.chat_id],
  ])
  expect(await waitFor(question.chat_id, 'flat')).toMatchObject({ model: 'flat', text: '二', status: 'done' })
  expect(await waitFor(question.chat_id)).toMatchObject({ model: 'scripted', text: '一', status: 'done' })
  const messages = await readSession(client, session.id)
  expect(messages.map(({ role, model, text }) => [role, model, text])).toEqual([
    ['human', 'scripted', '问'],
    ['ai', 'scripted', '一'],
    ['ai', 'flat', '二'],
  ])
  // The answers are no versions of each other.
  expect(messages.map(({ versions }) => versions.length)).toEqual([1, 1, 1])
  const { rows } = await world.db().execute(sql`
    SELECT r.model, r.state FROM chat_messages m JOIN runs r ON r.id = m.run_id
    WHERE m.chat_id = ${question.chat_id} ORDER BY m.id`)
  expect(rows).toEqual([
    { model: 'scripted', state: 'done' },
    { model: 'flat', state: 'done' },
  ])
})

test('each model goes on from its own answers', async () => {
  const { ask, waitFor } = await createUser()
  world.upstream.script('scripted', { text: '甲一' }, { text: '甲二' })
  world.upstream.script('flat', { text: '乙一' }, { text: '乙二' })
  const first = await ask('问一', ['scripted', 'flat'])
  await Promise.all([waitFor(first.question.chat_id, 'scripted'), waitFor(first.question.chat_id, 'flat')])
  const second = await ask('问二', ['scripted', 'flat'], { sess_id: first.session.id })
  await Promise.all([waitFor(second.question.chat_id, 'scripted'), waitFor(second.question.chat_id, 'flat')])
  expect(getPrompts('scripted').at(-1)).toEqual(['问一', '甲一', '问二'])
  expect(getPrompts('flat').at(-1)).toEqual(['问一', '乙一', '问二'])
})

test('answering again makes a version of each', async () => {
  const { client, user_id, ask, waitFor } = await createUser()
  const { question, session } = await ask('问', ['scripted', 'flat'])
  await Promise.all([waitFor(question.chat_id, 'scripted'), waitFor(question.chat_id, 'flat')])
  world.upstream.script('scripted', { text: '甲·新' })
  world.upstream.script('flat', { text: '乙·新' })
  const again = await ask('', ['scripted', 'flat'], { sess_id: session.id, regen: true })
  expect(again.chat_messages.map(({ versions }) => versions.length)).toEqual([2, 2])
  await Promise.all([waitFor(question.chat_id, 'scripted'), waitFor(question.chat_id, 'flat')])
  await conversations.chooseVersion(user_id, again.chat_messages[1]!.versions[0]!)
  const shown = await readSession(client, session.id)
  expect(shown.map(({ model, text }) => [model, text])).toEqual([
    ['scripted', '问'],
    ['flat', expect.not.stringContaining('新')],
    ['scripted', '甲·新'],
  ])
})

test('all are held together, or none', async () => {
  const { client, ask } = await createUser()
  const before = world.upstream.requests.length
  const { balance } = await client.call('GET /api/user/info', {})
  const refused = await ask('问', ['scripted-paid', 'absent']).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(AppError)
  expect(refused).toMatchObject({ code: 'model_unavailable' })
  const { items } = await client.call('GET /api/chat/sessions', { query: { chatbot: 'compare' } })
  expect(items).toEqual([])
  expect((await client.call('GET /api/user/info', {})).balance).toBe(balance)
  expect(world.upstream.requests).toHaveLength(before)
})

test('cancelling the turn stops every answer', async () => {
  const { client, user_id, ask } = await createUser()
  world.upstream.script('scripted', { text: '慢慢说', stall: 'headers' })
  world.upstream.script('flat', { text: '慢慢说', stall: 'headers' })
  const { question, session } = await ask('问', ['scripted', 'flat'])
  await conversations.cancel(user_id, { chat_id: question.chat_id })
  const [, ...answers] = await readSession(client, session.id)
  expect(answers.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  world.upstream.release()
})

test('a fork keeps them side by side', async () => {
  const { client, ask, waitFor } = await createUser()
  const { question, session } = await ask('问', ['scripted', 'flat'])
  await Promise.all([waitFor(question.chat_id, 'scripted'), waitFor(question.chat_id, 'flat')])
  const { session: forked } = await client.call('POST /api/chat/session/fork', {
    body: { sess_id: session.id, chatbot: 'compare' },
  })
  const { rows } = await world.db().execute(sql`
    SELECT lane, parent_id = (SELECT id FROM chat_messages q WHERE q.sess_id = ${forked.id} AND q.role = 'human') AS below
    FROM chat_messages WHERE sess_id = ${forked.id} AND role = 'ai' ORDER BY id`)
  expect(rows).toEqual([
    { lane: 'scripted', below: true },
    { lane: 'flat', below: true },
  ])
})
