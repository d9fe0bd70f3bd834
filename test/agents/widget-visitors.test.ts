import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { WIDGET_HEADER, WIDGET_TOKEN_HEADER } from '#contract/agents/widget-visitor.ts'
import { parseCallKey } from '#contract/call.ts'
import type { Call, CallKey } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { errors } from '#contract/errors.ts'
import { createId } from '#server/core/ids.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useWorld } from '../world/use-world.ts'
import { useWidgetOwner } from './widget-owner.ts'

const world = useWorld()
const owner = useWidgetOwner(world)
const getBalance = async (): Promise<number> => (await owner.client.call('GET /api/user/info', {})).balance

let addresses = 0
/** A visitor of a site with the agent's widget; `begin` gets the token. */
async function visit(uuid: string, { address = `198.51.100.${++addresses}`, client = world.visitor() } = {}) {
  const chatbot = `zhiku-${uuid}`
  const visitor = {
    token: '',
    sess_id: '',
    getHeaders: () => ({
      [WIDGET_HEADER]: [uuid, visitor.token].filter(Boolean).join(' '),
      'X-Forwarded-For': address,
    }),
    client,
    call: ((key, sending) => client.call(key, sending, { headers: visitor.getHeaders() })) as Client['call'],
    async begin() {
      const response = await client.fetch('/api/chat/session/new', {
        method: 'POST',
        headers: { ...visitor.getHeaders(), 'Content-Type': 'application/json' },
        body: JSON.stringify({ chatbot }),
      })
      expect(response.status).toBe(200)
      expect(response.headers.getSetCookie()).toEqual([])
      visitor.token = response.headers.get(WIDGET_TOKEN_HEADER)!
      visitor.sess_id = ((await response.json()) as { session: { id: string } }).session.id
      return visitor
    },
    async ask(prompt: string, more: object = {}) {
      const body = { prompt, chatbot, sess_id: visitor.sess_id, ...more }
      const { chat_message } = await visitor.call('POST /api/chat/create', { body })
      const events: string[] = []
      for await (const { data } of client.events(chat_message.chat_id, { headers: visitor.getHeaders() }))
        events.push(data)
      const { messages } = await visitor.call('GET /api/chat/messages', {
        query: { sess_id: visitor.sess_id },
      })
      return { created: chat_message, end: events.at(-1), answer: messages.at(-1)! }
    },
  }
  return visitor
}
const begin = async (uuid: string, more?: Parameters<typeof visit>[1]) => (await visit(uuid, more)).begin()

describe('a visitor of a widget', () => {
  test('is answered with what the sources say, at the cost of the agent’s owner', async () => {
    const before = await getBalance()
    world.upstream.script('flat', { text: '正常水位是 3.2 米 [1]。' })
    const visitor = await begin(owner.agent.uuid)
    const { created, end, answer } = await visitor.ask('正常水位是多少米？', { related_prompts: true })
    expect(end).toBe('[DONE]')
    expect(answer).toMatchObject({ text: '正常水位是 3.2 米 [1]。', model: 'flat', figures: null })
    expect([created.figures, answer.wants_related]).toEqual([null, false])
    expect(await getBalance()).toBe(before - 1)
    const { data } = await owner.client.call('GET /api/agent/{id}/widget', {
      params: { id: owner.agent.uuid },
    })
    expect(data.used_today).toBe(1)

    const { block } = answer.search!.sources[0]!
    const passage = await visitor.call('GET /api/agent/{id}/passage', {
      params: { id: owner.agent.uuid },
      query: { block: block!.id, chunk: block!.chunk! },
    })
    expect(passage.data).toMatchObject({ text: expect.stringContaining('3.2 米'), url: null })
  })

  test('is somebody of their own in the owner’s bills', async () => {
    world.upstream.script('flat', { text: '三米多。' })
    const visitor = await begin(owner.agent.uuid)
    const { answer } = await visitor.ask('正常水位是多少？')
    const { rows } = await world.db().execute<{ id: string; own: boolean; paid: boolean }>(sql`
      SELECT r.id, r.user_id = a.user_id AS own, r.account_id = a.id AS paid FROM runs r
      JOIN ledger_accounts a ON a.user_id = ${(await owner.client.call('GET /api/user/info', {})).uuid}
      WHERE r.subject_id = ${answer.chat_id}`)
    expect(rows).toEqual([{ id: expect.any(String), own: false, paid: true }])
    const bill = await owner.client.call('GET /api/chat/transaction/{uuid}', {
      params: { uuid: rows[0]!.id },
    })
    expect(bill).toMatchObject({ amount: 1, channel: 'widget', event: 'chat' })
  })

  test('is kept for when they come back, and stops what is answered', async () => {
    const visitor = await begin(owner.agent.uuid)
    // Text written until then is charged to the owner.
    world.upstream.script('flat', { text: '正常水位是 3.2 米。', chars: 4, stall: 3 })
    const body = { prompt: '正常水位是多少米？', chatbot: owner.agent.chatbot, sess_id: visitor.sess_id }
    const { chat_message } = await visitor.call('POST /api/chat/create', { body })
    const readText = async () => (await visitor.call('GET /api/chat/messages', { query })).messages[1]!.text
    const query = { sess_id: visitor.sess_id }
    await expect.poll(readText).toContain('正常水位')
    const before = await getBalance()
    const stopped = await visitor.call('POST /api/chat/cancel', { body: { chat_id: chat_message.chat_id } })
    expect(stopped.chat_message).toMatchObject({ figures: null, id: chat_message.id, status: 'cancelled' })
    expect(await getBalance()).toBe(before - 1)
    const { messages } = await visitor.call('GET /api/chat/messages', { query })
    expect(messages.map(({ text }) => text)[0]).toBe('正常水位是多少米？')
    await world.db().execute(sql`UPDATE users SET created_at = now() - interval '3 days' WHERE guest`)
    await world.db().execute(sql`UPDATE auth_sessions SET renewed_at = now() - interval '2 days'`)
    const { session } = await visitor.call('GET /api/chat/messages', { query: { sess_id: visitor.sess_id } })
    expect(session!.chatbot).toBe(owner.agent.chatbot)
  })

  test('does not choose what its owner has chosen, nor ask without measure', async () => {
    const visitor = await begin(owner.agent.uuid)
    const asked = world.upstream.requests.length
    for (const [more, code] of [
      [{ model: 'scripted-paid' }, 'bad_request'],
      [{ tools: ['thinking'] }, 'bad_request'],
      [{ tools: ['web_search'] }, 'bad_request'],
      [{ block: owner.agent.blocks[0] }, 'bad_request'],
      [{ content_type: 'audio', block: owner.agent.blocks[0] }, 'bad_request'],
      [{ prompt: '水'.repeat(4_001) }, 'payload_too_large'],
    ] as const)
      expect((await expectCallError(visitor.ask('水位？', more))).body.code).toBe(code)
    expect(world.upstream.requests).toHaveLength(asked)
  })
})

describe('a visitor’s token', () => {
  const every = Object.values(calls).flatMap((feature) => Object.entries(feature)) as [CallKey, Call][]

  test('is good for a conversation with the agent, and every other call answers it 401', async () => {
    const visitor = await begin(owner.agent.uuid)
    const allowed: string[] = []
    for (const [key, call] of every) {
      if (call.widget) {
        allowed.push(key)
        continue
      }
      const { method, path } = parseCallKey(key)
      const response = await visitor.client.fetch(path.replaceAll(/\{\w+\}/g, owner.agent.uuid), {
        method,
        headers: { ...visitor.getHeaders(), 'Content-Type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      })
      expect(response.status, key).toBe(401)
      expect(response.headers.getSetCookie(), key).toEqual([])
    }
    expect(allowed).toEqual([
      'POST /api/chat/create',
      'GET /api/chat/completions',
      'POST /api/chat/cancel',
      'GET /api/chat/messages',
      'POST /api/chat/session/new',
      'GET /api/agent/{id}/passage',
    ])
  })

  test('is good for that agent alone', async () => {
    const other = await owner.createAgent({ refer_source: true })
    const visitor = await begin(owner.agent.uuid)
    const asked = world.upstream.requests.length
    for (const chatbot of ['dati', other.chatbot, `block-${owner.agent.blocks[0]}`]) {
      const body = { prompt: '水位？', chatbot }
      const attempts = [
        visitor.call('POST /api/chat/create', { body }),
        visitor.call('POST /api/chat/session/new', { body: { chatbot } }),
      ]
      for (const { body: refused } of await Promise.all(attempts.map(expectCallError)))
        expect(refused.code).toBe('not_found')
    }
    const passage = { params: { id: other.uuid }, query: { block: other.blocks[0]!, chunk: 0 } }
    expect((await expectCallError(visitor.call('GET /api/agent/{id}/passage', passage))).body.code).toBe(
      'agent_not_found',
    )
    const elsewhere = await visit(other.uuid)
    elsewhere.token = visitor.token
    const query = { sess_id: visitor.sess_id }
    expect((await expectCallError(elsewhere.call('GET /api/chat/messages', { query }))).status).toBe(404)
    expect(world.upstream.requests).toHaveLength(asked)
  })

  test('is no cookie’s, and a cookie’s is none of a visitor', async () => {
    const visitor = await begin(owner.agent.uuid)
    const thief = world.visitor()
    thief.cookie = `wenqu_session=${visitor.token}`
    expect((await expectCallError(thief.call('GET /api/user/info', {}))).status).toBe(401)
    const query = { sess_id: visitor.sess_id }
    expect((await expectCallError(thief.call('GET /api/chat/messages', { query }))).status).toBe(404)

    world.upstream.script('scripted', { text: '好' })
    const { sess_id } = await owner.client.ask('自己的话')
    const framed = await visit(owner.agent.uuid, { client: owner.client })
    const [, cookie = ''] = /wenqu_session=([^;]+)/.exec(owner.client.cookie) ?? []
    expect(cookie).toHaveLength(43)
    for (const token of ['', cookie]) {
      framed.token = token
      const attempt = framed.call('GET /api/chat/messages', { query: { sess_id } })
      expect((await expectCallError(attempt)).body.code).toBe('not_found')
      expect((await expectCallError(framed.call('GET /api/user/info', {}))).status).toBe(401)
    }
  })

  test('ends with what its owner allows, at the next call', async () => {
    const brief = await owner.createAgent()
    const visitor = await begin(brief.uuid)
    const query = { sess_id: visitor.sess_id }
    const read = () => visitor.call('GET /api/chat/messages', { query })
    for (const [end, undo] of [
      [() => owner.saveWidget(brief.uuid, { enabled: false }), () => owner.saveWidget(brief.uuid)],
      [
        () =>
          owner.client.call('POST /api/agent/{id}/link', {
            params: { id: brief.uuid },
            body: { visible: 0 },
          }),
        () =>
          owner.client.call('POST /api/agent/{id}/link', {
            params: { id: brief.uuid },
            body: { visible: 2 },
          }),
      ],
    ] as const) {
      await end()
      expect((await expectCallError(read())).body.code).toBe('widget_unavailable')
      expect((await expectCallError(visitor.ask('在吗？'))).body.code).toBe('widget_unavailable')
      await undo()
      expect((await read()).session!.id).toBe(visitor.sess_id)
    }
    await owner.client.call('DELETE /api/agent/{id}', { params: { id: brief.uuid } })
    expect((await expectCallError(read())).body.code).toBe('widget_unavailable')
  })

  test('is kept as a hash, and given only to who begins something', async () => {
    const visitor = await visit(owner.agent.uuid)
    await visitor.call('GET /api/chat/messages', { query: { chatbot: owner.agent.chatbot } })
    await expectCallError(visitor.call('POST /api/chat/cancel', { body: { chat_id: createId() } }))
    const passage = { params: { id: owner.agent.uuid }, query: { block: owner.agent.blocks[0]!, chunk: 0 } }
    expect((await expectCallError(visitor.call('GET /api/agent/{id}/passage', passage))).status).toBe(401)
    await visitor.begin()
    const { rows } = await world
      .db()
      .execute(sql`SELECT 1 FROM auth_sessions WHERE token_hash = ${visitor.token}`)
    expect(rows).toEqual([])
  })
})

describe('what visitors may cost', () => {
  const countHolds = async (agentId: string) => {
    const { rows } = await world.db().execute(sql`SELECT count(*)::int AS n FROM runs r
      JOIN agent_widgets w ON w.budget_id = ANY (r.budgets) WHERE w.agent_id = ${agentId} AND r.state = 'running'`)
    return rows[0]!.n
  }

  test('ends with the limit of the day; a higher one takes effect at once, and tomorrow has its own', async () => {
    const limited = await owner.createAgent()
    await owner.saveWidget(limited.uuid, { daily_limit: 2 })
    const before = await getBalance()
    world.upstream.script('flat', { text: '一' }, { text: '二' }, { text: '三' }, { text: '四' })
    const visitor = await begin(limited.uuid)
    await visitor.ask('正常水位是多少米？')
    await visitor.ask('超过几米就要放水？')
    const refused = await expectCallError(visitor.ask('水位还正常吗，今天？'))
    expect([refused.status, refused.body.message]).toEqual([429, errors.widget_limit.message])
    expect(refused.body).not.toHaveProperty('shortage')
    expect(await getBalance()).toBe(before - 2)
    await owner.saveWidget(limited.uuid, { daily_limit: 3 })
    await visitor.ask('水位现在是不是正常的？')
    expect((await expectCallError(visitor.ask('水位现在还是正常的吗？'))).body.code).toBe('widget_limit')
    await world
      .db()
      .execute(sql`UPDATE agent_widgets SET budget_day = '2026-01-01' WHERE agent_id = ${limited.uuid}`)
    const { data } = await owner.client.call('GET /api/agent/{id}/widget', { params: { id: limited.uuid } })
    expect(data.used_today).toBe(0)
    await visitor.ask('新的一天水位正常吗？')
    expect(await getBalance()).toBe(before - 4)
  })

  test('is nothing for an answer that failed, and a rewritten question counts too', async () => {
    const priced = await owner.createAgent({ model: 'scripted-paid' })
    const before = await getBalance()
    const visitor = await begin(priced.uuid)
    world.upstream.script('scripted-paid', { status: 400 })
    expect((await visitor.ask('正常水位是多少米？')).answer.status).toBe('failed')
    expect([await getBalance(), await countHolds(priced.uuid)]).toEqual([before, 0])
    world.upstream.script(
      'scripted-paid',
      { text: '3.2 米。' },
      { text: '水位的上限是多少米？' },
      { text: '4.5 米。' },
    )
    await visitor.ask('正常水位是多少米？')
    await visitor.ask('那上限呢？')
    const { rows } = await world.db().execute<{ kind: string; spend: string; budget: string }>(sql`
      SELECT r.kind, l.kind AS budget FROM runs r
      JOIN agent_widgets w ON w.budget_id = ANY (r.budgets) AND r.usage_source IS NOT NULL JOIN ledger_budgets l ON l.id = w.budget_id
      WHERE w.agent_id = ${priced.uuid} ORDER BY r.id`)
    expect(rows).toEqual([
      { kind: 'chat', budget: 'widget' },
      { kind: 'chat', budget: 'widget' },
      { kind: 'rewrite', budget: 'widget' },
    ])
  })

  test('is refused without a word of what the owner has', async () => {
    const visitor = await begin(owner.agent.uuid)
    const { uuid } = await owner.client.call('GET /api/user/info', {})
    const setHeld = (held: 'balance' | '0') =>
      world.db().execute(sql`UPDATE ledger_accounts SET held = ${sql.raw(held)} WHERE user_id = ${uuid}`)
    await setHeld('balance')
    const refused = await expectCallError(visitor.ask('正常水位是多少米？'))
    await setHeld('0')
    expect([refused.status, refused.body]).toEqual([
      429,
      { code: 'widget_limit', message: errors.widget_limit.message, request_id: expect.any(String) },
    ])
  })

  test('has a limit a minute and a day, for each of them and for their address; a refused question counts nothing', async () => {
    const busy = await begin(owner.agent.uuid)
    const outcomes: string[] = []
    for (let n = 0; n < 11; n++)
      outcomes.push((await expectCallError(busy.ask('水位？', { model: 'x' }))).body.code)
    expect(outcomes).toEqual([...Array.from({ length: 10 }, () => 'bad_request'), 'rate_limited'])

    const address = '203.0.113.77'
    const [one, other] = [
      await begin(owner.agent.uuid, { address }),
      await begin(owner.agent.uuid, { address }),
    ]
    world.upstream.script('flat', { text: '一' })
    await one.ask('正常水位是多少米？')
    const setTurns = (turns: number, from: number) =>
      world
        .db()
        .execute(sql`UPDATE guest_turns SET turns = ${turns} WHERE turns = ${from} AND key LIKE 'widget:%'`)
    await setTurns(50, 1)
    expect((await expectCallError(one.ask('正常水位是多少米？'))).body.code).toBe('widget_turns')
    await setTurns(200, 50)
    const refused = await expectCallError(other.ask('正常水位是多少米？'))
    expect([refused.status, refused.body.message]).toEqual([429, errors.widget_turns.message])
    const elsewhere = await begin(owner.agent.uuid)
    world.upstream.script('flat', { text: '好' })
    expect((await elsewhere.ask('正常水位是多少米？')).answer.text).toBe('好')
  })
})
