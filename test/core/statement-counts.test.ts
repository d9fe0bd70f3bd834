import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createAgent } from '../agents/agent.ts'
import { createComparison } from '../compare/comparison.ts'
import { createCaller, userMessages } from '../gateway/caller.ts'
import type { Client } from '../world/client.ts'
import { useStatements } from '../world/statements.ts'
import { useOwnWorld } from '../world/use-world.ts'

// The table of docs/request-costs.md, measured. A request that takes more or fewer statements than its row says fails here.

const statements = useStatements()
const world = useOwnWorld({ env: { GUEST_TURNS: '50' } })
let client: Client
beforeAll(async () => {
  client = await world.user()
})

/** Request → the numbers of the table's second column: one, or from–to. */
const table = new Map(
  [
    ...readFileSync('docs/request-costs.md', 'utf8').matchAll(/^\| (.+?) \| \**(\d+)(?:–(\d+))?\**[^|]*\|/gm),
  ].map(([, request = '', from, to = from]) => [request, [Number(from), Number(to)] as const]),
)

async function expectCost(request: string, act: () => Promise<unknown>): Promise<void> {
  statements.take()
  await act()
  const list = statements.take()
  const [from, to] = table.get(request) ?? []
  expect(from, `docs/request-costs.md has a row "${request}"`).toBeDefined()
  expect(list.length, `${request}:\n${list.join('\n')}`).toBeGreaterThanOrEqual(from!)
  expect(list.length, `${request}:\n${list.join('\n')}`).toBeLessThanOrEqual(to!)
}

/** Asks, and holds the answer back until it is released, so that its end is not counted with the question. */
async function ask(asker: Client, body: object, headers = {}): Promise<{ chat_id: string; sess_id: string }> {
  world.upstream.script('scripted', { text: '好', stall: 'headers' })
  const { chat_message } = await asker.call(
    'POST /api/chat/create',
    { body: { prompt: '源头在哪里？', ...body } },
    { headers },
  )
  return chat_message
}

async function finish(asker: Client, chatId: string): Promise<void> {
  world.upstream.release()
  await asker.call('POST /api/chat/completions', { query: { chat_id: chatId } })
}

const read = (asker: Client, path: string) => async (): Promise<void> => {
  const response = await asker.fetch(path)
  expect(response.status).toBe(200)
  await response.text()
}

test('a question', async () => {
  const first = await ask(client, {})
  await finish(client, first.chat_id)
  const { sess_id } = first
  let turn = first
  const cost = async (request: string, body: object, headers = {}): Promise<void> => {
    await expectCost(request, async () => {
      turn = await ask(client, body, headers)
    })
    await finish(client, turn.chat_id)
  }
  await cost('`POST /api/chat/create` in a named session', { sess_id })
  await cost('… in the current session', {})
  await cost('… again (`regen`)', { sess_id, regen: true })
  const key = { 'Idempotency-Key': 'statements' }
  await cost('… with an Idempotency-Key, as the page sends it', { sess_id }, key)
  await expectCost('… with a key that was used', () =>
    client.call('POST /api/chat/create', { body: { prompt: '源头在哪里？', sess_id } }, { headers: key }),
  )
})

test('a question to four models side by side', async () => {
  const models = ['scripted', 'flat', 'thinker', 'farui-scripted']
  for (const model of models) world.upstream.script(model, { text: '好', stall: 'headers' })
  const { chatbot } = await createComparison(client, models)
  let chatId = ''
  await expectCost('… of a comparison, whatever the number of its columns', async () => {
    const body = { chatbot, prompt: '源头在哪里？' }
    chatId = (await client.call('POST /api/chat/create', { body })).chat_message.chat_id
  })
  await finish(client, chatId)
  await expectCost('`GET /api/chat/completions`', async () => {
    for await (const event of client.events(chatId)) void event
  })
  await expectCost('`GET /api/compare/messages`', read(client, `/api/compare/messages?chatbot=${chatbot}`))
  await expectCost('`POST /api/compare/estimate`', () =>
    client.call('POST /api/compare/estimate', { body: { chatbot, prompt: '源头在哪里？' } }),
  )
})

test('a question of a guest', async () => {
  const guest = world.visitor()
  let turn = { chat_id: '', sess_id: '' }
  await expectCost('… as a guest without a cookie or a session', async () => {
    turn = await ask(guest, {})
  })
  await finish(guest, turn.chat_id)
  await expectCost('… as a guest, in a named session', async () => {
    turn = await ask(guest, { sess_id: turn.sess_id })
  })
  await finish(guest, turn.chat_id)
})

test('an answer', async () => {
  const { chat_id } = await ask(client, {})
  const readAll = async (): Promise<void> => {
    for await (const event of client.events(chat_id)) void event
  }
  statements.take()
  // Who comes after the end reads the run and its log: it is to wait for the end.
  const waiting = client.call('POST /api/chat/completions', { query: { chat_id } })
  await expect.poll(() => statements.take().some((text) => text.includes('"chat_messages"'))).toBe(true)
  world.upstream.release()
  await waiting
  // Beside the end: two statements of the call that waits for it, before and after.
  const end = statements.take().filter((text) => !/auth_sessions|^select .*"chat_messages"/is.test(text))
  const [from, to] = table.get('the end of an answer')!
  expect(end.length, end.join('\n')).toBeGreaterThanOrEqual(from)
  expect(end.length, end.join('\n')).toBeLessThanOrEqual(to)
  await expectCost('`GET /api/chat/completions`', readAll)
  await expectCost('`GET /api/chat/explain`', read(client, `/api/chat/explain?chat_id=${chat_id}`))
  await expectCost('`POST /api/chat/cancel`', () =>
    client.call('POST /api/chat/cancel', { body: { chat_id } }),
  )
  const { messages } = await client.call('GET /api/chat/messages', {})
  await expectCost('`PUT /api/chat/message/{id}/feedback`', () =>
    client.call('PUT /api/chat/message/{id}/feedback', {
      params: { id: messages.at(-1)!.id },
      body: { rating: 'up' },
    }),
  )
})

test('what a page reads', async () => {
  await expectCost('`GET /api/chat/messages`', read(client, '/api/chat/messages'))
  await expectCost('`GET /api/chat/sessions`', read(client, '/api/chat/sessions'))
  await expectCost('`GET /api/chat/folders`', read(client, '/api/chat/folders'))
  await expectCost('`GET /api/chat/models`', read(client, '/api/chat/models'))
  await expectCost('`GET /api/user/info`', read(client, '/api/user/info'))
  await expectCost('`GET /api/notifications/unread`', read(client, '/api/notifications/unread'))
  await expectCost('a page', read(client, '/chat'))
  await expectCost('a page of somebody without a cookie', read(world.visitor(), '/chat'))
  for (const path of ['/api/models', '/api/platforms']) {
    await expectCost('`GET /api/models`, `GET /api/platforms`, `POST /api/token/costs`', read(client, path))
  }
  await read(client, '/api/stats')()
  await expectCost('`GET /api/stats`', read(client, '/api/stats'))
})

test('where conversations lie', async () => {
  let sessId = ''
  await expectCost('`POST /api/chat/session/new`', async () => {
    sessId = (await client.call('POST /api/chat/session/new', { body: {} })).session.id
  })
  await expectCost('`POST /api/chat/session/switch`', () =>
    client.call('POST /api/chat/session/switch', { body: { sess_id: sessId } }),
  )
  const { folder } = await client.call('POST /api/chat/folders', { body: { name: '活水' } })
  await expectCost('`POST /api/chat/sessions/move`, whatever the number of sessions', () =>
    client.call('POST /api/chat/sessions/move', { body: { sess_ids: [sessId], folder_id: folder.id } }),
  )
})

test('a choice', async () => {
  const request = '`PUT /api/user/model`, `PUT /api/user/provider_sort`'
  await expectCost(request, () => client.call('PUT /api/user/model', { body: { model: 'scripted' } }))
  await expectCost(request, () => client.call('PUT /api/user/provider_sort', { body: { sort: 'price' } }))
})

test('a call of the gateway', async () => {
  const caller = await createCaller(world)
  const post = async (): Promise<void> => {
    world.upstream.script('scripted', { text: '好' })
    await caller.complete({ model: 'scripted', messages: userMessages('问') })
  }
  // The first call notes when the key was used last.
  await post()
  await expectCost('a call of the gateway', post)
  await expectCost('… of `responses` that is kept', async () => {
    const response = await caller.post({ model: 'scripted', input: '问' }, { path: '/api/v1/responses' })
    expect(response.status).toBe(200)
  })
})

test('an agent', async () => {
  const { uuid, chatbot, blocks } = await createAgent(world, client, { '渠.md': '# 源头\n\n活水从源头来。' })
  const caller = await createCaller(world, {}, client)
  const countAsked = (): number => world.upstream.requests.length
  const askByKey = async (): Promise<void> => {
    world.upstream.script('scripted', { text: '从源头来 [1]。' })
    const body = { uuid, question: '活水从哪里来？' }
    expect((await caller.post(body, { path: '/api/v1/agent/chat' })).status).toBe(200)
  }
  // The first question reads the segment of the document.
  await askByKey()
  await expectCost('`POST /api/v1/agent/chat`', askByKey)
  const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot } })
  let turn = { chat_id: '' }
  await expectCost('`POST /api/chat/create` to an agent, until its model is asked', async () => {
    const before = countAsked()
    turn = await ask(client, { prompt: '活水从哪里来？', chatbot, sess_id: session.id })
    await expect.poll(countAsked).toBe(before + 1)
  })
  await finish(client, turn.chat_id)
  await expectCost(
    '`GET /api/agent/{id}/passage`',
    read(client, `/api/agent/${uuid}/passage?block=${blocks[0]}&chunk=1`),
  )
  await expectCost('`GET /api/agents`', read(client, '/api/agents'))
  await expectCost('`GET /api/agent/{id}`, of its owner', read(client, `/api/agent/${uuid}`))
  const form = { name: '渠水', model: 'scripted', embeds: blocks.map((id) => ({ id })) }
  await expectCost('`PUT /api/agent/{id}`, as its form saves itself', () =>
    client.call('PUT /api/agent/{id}', { params: { id: uuid }, body: form }),
  )
})

test('a translation', async () => {
  const translate = async (prompt: string): Promise<string> => {
    world.upstream.script('flat', { text: 'Running water', stall: 'headers' })
    const body = { prompt, model: 'flat', target_lang: 'en' } as const
    return (await client.call('POST /api/translate', { body })).chat_id
  }
  await finish(client, await translate('活水'))
  let chatId = ''
  await expectCost('`POST /api/translate` of a text', async () => {
    chatId = await translate('源头')
  })
  await finish(client, chatId)
})

test('a list of tasks', async () => {
  const request = '`GET /api/tasks`, whatever the number of tasks'
  const user = await world.user()
  const { uuid } = await user.call('GET /api/user/info', {})
  for (const count of [1, 10]) {
    // Rows that nothing works on any more, so that only the request is counted.
    await world.db().execute(sql`
      INSERT INTO tasks (id, user_id, account_id, kind, name, payload, state, ended_at)
      SELECT gen_random_uuid(), ${uuid}, ${uuid}, 'reading', 'n', '{}', 'done', now() FROM generate_series(1, ${count}::int)`)
    await expectCost(request, read(user, '/api/tasks'))
  }
})

test('coins', async () => {
  const user = await world.user()
  await expectCost('`GET /api/credit/plans`', read(user, '/api/credit/plans'))
  const { plans } = await user.call('GET /api/credit/plans', {})
  const body = { plan_id: plans.find(({ type }) => type === 'recharge')!.id, pay_type: 'native' as const }
  let id = ''
  await expectCost('`POST /api/credit/orders`', async () => {
    ;({ id } = await user.call('POST /api/credit/orders', { body }))
  })
  await expectCost('`GET /api/credit/orders/{id}`', read(user, `/api/credit/orders/${id}`))
  await expectCost('`POST /api/credit/sandbox/pay`', () =>
    user.call('POST /api/credit/sandbox/pay', { body: { order_id: id } }),
  )
  await expectCost('`GET /api/user/notify_setting`', read(user, '/api/user/notify_setting'))
  const transactions = '/api/user/transactions'
  await expectCost('… that rolls up, once an hour', read(user, transactions))
  await expectCost('`GET /api/user/transactions`, whatever page, filter and number', read(user, transactions))
  await expectCost('`GET /api/user/transactions/{id}`', read(user, `${transactions}/${id}`))
  for (const name of ['chat_stats', 'amount_stats', 'model_amounts', 'charge_amounts', 'chat_tokens'])
    await expectCost('figures of the dashboard, each', read(user, `/api/user/${name}`))
  await expectCost('`GET /api/user/balance/{platform}`', read(user, '/api/user/balance/all'))
})
