import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { chatCalls } from '#contract/chat.ts'
import { createCompareAssistant } from '#server/assistants/compare/assistant.ts'
import { conversationCompletionHooks, createConversations } from '#server/conversations/conversations.ts'
import type { Assistant } from '#server/conversations/conversations.ts'
import { AppError } from '#server/core/app-error.ts'
import { createLog } from '#server/core/log.ts'
import { createLlm, DEFAULT_PREFERENCE, loadCatalogue } from '#server/llm/llm.ts'
import { createRuns } from '#server/runs/runs.ts'
import { findAccountId } from '../ledger/hold-and-settle.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'
import { NO_HOOKS } from '../world/world.ts'
import { createComparison } from './comparison.ts'

// The cost of answers side by side is held together, before any of them starts. Each of the two models costs a coin, and an
// account begins with enough for one comparison and not for two.

const world = useOwnWorld({ env: { SIGNUP_COINS: '3.5' } })
const MODELS = ['flat', 'seeing']
beforeAll(() => {
  for (const model of MODELS) world.upstream.script(model, { text: '好' })
})

const getBalance = async (client: Client) => (await client.call('GET /api/user/info', {})).balance
const countRuns = async (): Promise<number> =>
  (await world.db().execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM runs`)).rows[0]!.n

test('of fifty comparisons at once against a balance for one, one runs', async () => {
  const client = await world.user()
  const chatbots: string[] = []
  for (let n = 0; n < 50; n++) chatbots.push((await createComparison(client, [])).chatbot)
  const before = await countRuns()
  const outcomes = await Promise.allSettled(
    chatbots.map((chatbot) =>
      client.call('POST /api/chat/create', { body: { chatbot, prompt: '问', models: MODELS } }),
    ),
  )
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toHaveLength(49)
  for (const error of refused) {
    expect(error).toMatchObject({
      status: 402,
      body: { code: 'insufficient_balance', shortage: { needed: 2 } },
    })
  }
  const [created] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const { chat_id } = created!.chat_message
  await client.call('POST /api/chat/completions', { query: { chat_id } })
  expect([(await countRuns()) - before, await getBalance(client)]).toEqual([2, 1.5])
  // The refused question left nothing behind: neither a message nor a column.
  const { total } = await client.call('GET /api/chat/sessions', { query: { chatbot: 'compare' } })
  expect(total).toBe(1)
  const columns = await world.db().execute(sql`SELECT models FROM comparisons WHERE models <> '[]'`)
  expect(columns.rows).toHaveLength(1)
})

test('of a hundred at once, without a limit of questions before them, one runs', async () => {
  const client = await world.user()
  const { uuid: userId } = await client.call('GET /api/user/info', {})
  const db = world.db()
  const log = createLog('silent')
  const env = { SCRIPTED_KEY: 'k', WENQU_OLLAMA: 'off' }
  const catalogue = loadCatalogue({ file: join(world.data_dir, 'models.json'), env, log })
  const completionHooks = { ...NO_HOOKS, ...conversationCompletionHooks }
  const runs = createRuns({
    max_given: 1_000_000_000n,
    alert: () => undefined,
    db,
    llm: createLlm({ catalogue, log }),
    log,
    completion_hooks: completionHooks,
    exclusive: false,
  })
  await runs.recover()
  const general: Assistant = {
    prepareTurn: async () => ({
      getInitialModel: () => null,
      preference: DEFAULT_PREFERENCE,
      preparePrompt: () => ({ system: '', tools: [], preparation: null }),
    }),
  }
  const assistants = { compare: createCompareAssistant({ general, catalogue }) }
  const conversations = createConversations({ db, runs, catalogue, assistants, title_model: 'off' })
  const visitor = { user_id: userId, account_id: await findAccountId(db, userId), budgets: [], guest: false }
  const context = { visitor, client: '127.0.0.1', idempotency: null }
  const before = await countRuns()
  const sessions: string[] = []
  for (let n = 0; n < 100; n++) sessions.push((await conversations.sessions.create(visitor, 'compare')).id)
  const outcomes = await Promise.allSettled(
    sessions.map((id) =>
      conversations.createTurn(
        context,
        chatCalls['POST /api/chat/create'].body.parse({
          chatbot: `compare-${id}`,
          prompt: '问',
          models: MODELS,
        }),
      ),
    ),
  )
  const created = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(created).toHaveLength(1)
  for (const error of errors) {
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'insufficient_balance', shortage: { needed: 2 } })
  }
  const { chat_id } = created[0]!.question
  await conversations.waitForAnswers(userId, { chat_id }, new AbortController().signal)
  expect([(await countRuns()) - before, await getBalance(client)]).toEqual([2, 1.5])
  await runs.stop()
  catalogue.close()
})

test('a refusal says what all of them need together, and nothing is stored', async () => {
  const client = await world.user()
  const { chatbot } = await createComparison(client, ['flat', 'seeing', 'scripted'])
  const before = await countRuns()
  const ask = (models: string[]) =>
    client.call('POST /api/chat/create', { body: { chatbot, prompt: '问', models } })
  const more = { model: 'twofold', chatbot, settings: { max_tokens: 1000 } }
  await client.call('POST /api/compare/models', { body: more })
  const { body } = await expectCallError(ask(['flat', 'twofold', 'seeing']))
  // The dearest platform of `twofold` takes 0.002 coins a token; the hold of a prompt has a margin.
  expect(body).toMatchObject({ code: 'insufficient_balance', shortage: { needed: 4.02, available: 3.5 } })
  // The server never shortens an answer to fit the balance.
  const alone = { ...more, settings: { max_tokens: 4000 } }
  await client.call('POST /api/compare/models', { body: alone })
  expect((await expectCallError(ask(['twofold']))).status).toBe(402)
  expect([await countRuns(), await getBalance(client)]).toEqual([before, 3.5])
  expect((await expectCallError(ask(['flat', 'absent']))).body.code).toBe('model_unavailable')
  expect((await client.call('GET /api/compare/messages', { query: { chatbot } })).groups).toMatchObject(
    ['flat', 'seeing', 'scripted', 'twofold'].map((model) => ({ model, messages: [] })),
  )
})

test('an estimate says what is held, what is expected, and what is missing', async () => {
  const client = await world.user()
  const { chatbot } = await createComparison(client, ['flat', 'seeing', 'twofold'])
  const settings = { max_tokens: 1000 }
  await client.call('POST /api/compare/models', { body: { model: 'twofold', chatbot, settings } })
  const estimate = (body: object = {}) =>
    client.call('POST /api/compare/estimate', { body: { chatbot, prompt: '问', ...body } })
  const all = await estimate()
  expect(all.models).toMatchObject([
    { model: 'flat', output_tokens: 500, amount: 1, max_amount: 1 },
    { model: 'seeing', output_tokens: 500, amount: 1, max_amount: 1 },
    { model: 'twofold', output_tokens: 500 },
  ])
  const twofold = all.models[2]!
  // The router asks the cheaper platform first.
  expect(twofold.amount).toBeCloseTo((twofold.input_tokens + 500) / 1000, 6)
  expect(all.total).toBeCloseTo(2 + twofold.amount, 6)
  expect(all.max_total).toBeCloseTo(2 + twofold.max_amount, 6)
  expect(all.missing).toBeCloseTo(Math.ceil((all.max_total - 3.5) * 100) / 100, 6)
  const refused = await expectCallError(
    client.call('POST /api/chat/create', { body: { chatbot, prompt: '问' } }),
  )
  const { shortage } = refused.body as unknown as { shortage: { needed: number } }
  expect(shortage.needed).toBeCloseTo(Math.ceil(all.max_total * 100) / 100, 6)
  // The estimate expects the length of the model's earlier answers.
  world.upstream.script('twofold-cheap', { text: '好', usage: { prompt_tokens: 10, completion_tokens: 40 } })
  const { chat_message } = await client.call('POST /api/chat/create', {
    body: { chatbot, prompt: '问', model: 'twofold' },
  })
  await client.call('POST /api/chat/completions', { query: { chat_id: chat_message.chat_id } })
  const next = await estimate({ models: ['twofold', 'scripted'] })
  expect(next.models).toMatchObject([
    { model: 'twofold', output_tokens: 40 },
    { model: 'scripted', amount: 0, max_amount: 0 },
  ])
  expect(next.missing).toBe(0)
  // An estimate creates no columns.
  expect((await client.call('GET /api/compare/messages', { query: { chatbot } })).models).toHaveLength(3)
  expect((await expectCallError(estimate({ models: ['no-such-model'] }))).body.code).toBe('model_not_found')
})
