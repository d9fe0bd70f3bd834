import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { createId } from '#server/core/ids.ts'
import { expectCallError, getMessageLines } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

const world = useOwnWorld({ env: { TITLE_MODEL: 'scripted-paid' } })

const listTitles = async (client: Client): Promise<string[]> =>
  (await client.call('GET /api/chat/sessions', {})).items.map(({ title }) => title)
const updateSession = (client: Client, id: string, body: { title?: string; pinned?: boolean }) =>
  client.call('PATCH /api/chat/session/{id}', { params: { id }, body })
const createSession = async (client: Client): Promise<string> =>
  (await client.call('POST /api/chat/session/new', { body: {} })).session.id

/** Creates a session with this number of turns, 问1/答1 and on. */
async function createConversation(client: Client, turns: number): Promise<string> {
  const sessId = await createSession(client)
  for (let nth = 1; nth <= turns; nth++) {
    world.upstream.script('scripted', { text: `答${nth}` })
    await client.ask(`问${nth}`, { sess_id: sessId, model: 'scripted' })
  }
  return sessId
}

/** Returns the body of the upstream's latest request. */
const getLastBody = () =>
  world.upstream.requests.at(-1)!.body as {
    messages: { role: string; content: string }[]
    temperature?: number
    max_tokens: number
  }

test('a copy of a share keeps the title that it came with: the house pays for no other', async () => {
  const client = await world.user()
  const sessId = await createConversation(client, 1)
  const { share } = await client.call('GET /api/chat/session/link', { query: { sess_id: sessId } })
  const before = world.upstream.requests.length
  for (let copy = 0; copy < 3; copy++) {
    const params = { id: share.id }
    const { session } = await client.call('POST /api/session/{id}/continue', { params })
    await client.call('POST /api/chat/session/{id}/title', { params: { id: session.id } })
  }
  expect(world.upstream.requests.length).toBe(before)
})

describe('a session', () => {
  test('is renamed and pinned without losing its place in time', async () => {
    const client = await world.user()
    const [first, second] = [await createConversation(client, 1), await createConversation(client, 1)]
    await updateSession(client, second, { title: '  第二个  ' })
    await updateSession(client, first, { title: '第一个' })
    expect(await listTitles(client)).toEqual(['第二个', '第一个'])
    expect((await updateSession(client, first, { pinned: true })).session).toMatchObject({
      pinned: true,
      title: '第一个',
    })
    expect(await listTitles(client)).toEqual(['第一个', '第二个'])
    await client.ask('还是第二个', { sess_id: second })
    expect(await listTitles(client)).toEqual(['第一个', '第二个'])
    await updateSession(client, first, { pinned: false })
    expect(await listTitles(client)).toEqual(['第二个', '第一个'])
    expect((await updateSession(client, first, {})).session.title).toBe('第一个')
    expect((await updateSession(client, first, { title: '   ' })).session.title).toBe('第一个')
    expect((await expectCallError(updateSession(client, first, { title: '长'.repeat(61) }))).status).toBe(422)
  })

  test('is switched to with its settings; an expired sign-in is told so', async () => {
    const client = await world.user()
    const sessId = await createConversation(client, 1)
    const settings = { system_prompt: '简短', temperature: 0.2, max_tokens: 100, stream: false }
    await client.call('POST /api/chat/session/settings', { body: { sess_id: sessId, ...settings } })
    await createSession(client)
    const switched = await client.call('POST /api/chat/session/switch', { body: { sess_id: sessId } })
    expect(switched).toMatchObject({ settings, session: { id: sessId, current: true } })
    const error = await expectCallError(
      world.visitor().call('POST /api/chat/session/switch', { body: { sess_id: sessId } }),
    )
    expect([error.status, error.body.message]).toEqual([401, '用户已退出登录状态，请登录后切换'])
  })
})

describe('settings', () => {
  test('are the specification’s where none are set', async () => {
    const client = await world.user()
    const defaults = { system_prompt: '', temperature: null, max_tokens: 4096, stream: true }
    const { settings } = await client.call('GET /api/chat/session/settings', {})
    expect(settings).toEqual(defaults)
    expect((await world.visitor().call('GET /api/chat/session/settings', {})).settings).toEqual(defaults)
    await createConversation(client, 1)
    expect(getLastBody()).toMatchObject({ max_tokens: 4096, messages: [{ role: 'user', content: '问1' }] })
    expect(getLastBody()).not.toHaveProperty('temperature')
  })

  test('of a session reach the model, in that session only', async () => {
    const client = await world.user()
    const [plain, set] = [await createConversation(client, 1), await createConversation(client, 1)]
    const body = { sess_id: set, system_prompt: '你是一位船夫。', temperature: 0.3, max_tokens: 77 }
    const saved = await client.call('POST /api/chat/session/settings', { body })
    expect(saved).toMatchObject({ session: { id: set }, settings: { temperature: 0.3, stream: true } })
    await client.ask('再问', { sess_id: set })
    expect(getLastBody()).toMatchObject({ temperature: 0.3, max_tokens: 77 })
    expect(getLastBody().messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'system: 你是一位船夫。',
      'user: 问1',
      'assistant: 答1',
      'user: 再问',
    ])
    await client.ask('再问', { sess_id: plain })
    expect(getLastBody().messages[0]!.role).toBe('user')
    expect(getLastBody().max_tokens).toBe(4096)
  })

  test('without stream make the answer come whole, through the call that waits for it', async () => {
    const client = await world.user()
    const sessId = await createConversation(client, 1)
    await client.call('POST /api/chat/session/settings', { body: { sess_id: sessId, stream: false } })
    world.upstream.script('scripted', { text: '整段的回答', chars: 1, stall: 3 })
    const { chat_message } = await client.call('POST /api/chat/create', {
      body: { sess_id: sessId, prompt: '整段' },
    })
    expect(chat_message.stream).toBe(false)
    const whole = client.call('POST /api/chat/completions', { query: { chat_id: chat_message.chat_id } })
    world.upstream.release()
    expect((await whole).chat_message).toMatchObject({ text: '整段的回答', status: 'done', stream: false })
    const streamed = await client.call('POST /api/chat/create', {
      body: { sess_id: sessId, prompt: '逐字', stream: true },
    })
    expect(streamed.chat_message.stream).toBe(true)
  })

  test('of the person are what new sessions begin with; old ones keep theirs', async () => {
    const client = await world.user()
    const old = await createConversation(client, 1)
    const body = { scope: 'user', system_prompt: '都用文言。', max_tokens: 500 } as const
    expect(await client.call('POST /api/chat/session/settings', { body })).toMatchObject({ session: null })
    const read = (query: object) => client.call('GET /api/chat/session/settings', { query })
    expect((await read({ sess_id: old })).settings.system_prompt).toBe('')
    const fresh = await createSession(client)
    expect((await read({ sess_id: fresh })).settings).toMatchObject({
      system_prompt: '都用文言。',
      max_tokens: 500,
    })
    expect((await read({ scope: 'user' })).settings.max_tokens).toBe(500)
  })

  test('that are not sent stay as they are, of a session and of the person', async () => {
    const client = await world.user()
    const save = (body: object) => client.call('POST /api/chat/session/settings', { body })
    const sessId = await createConversation(client, 1)
    for (const scope of ['session', 'user'] as const) {
      const where = scope === 'session' ? { sess_id: sessId } : { scope }
      await save({ ...where, system_prompt: '简短', temperature: 0.2 })
      const settings = { system_prompt: '简短', temperature: 0.2, max_tokens: 99, stream: true }
      expect(await save({ ...where, max_tokens: 99 })).toMatchObject({ scope, settings })
      const query = { ...where }
      expect((await client.call('GET /api/chat/session/settings', { query })).settings).toEqual(settings)
      expect(await save({ ...where, temperature: null })).toMatchObject({ settings: { temperature: null } })
    }
  })

  test('may be saved before there is a session, and stay with a guest who signs in', async () => {
    const guest = world.visitor()
    const { session } = await guest.call('POST /api/chat/session/settings', { body: { system_prompt: '甲' } })
    await guest.call('POST /api/chat/session/settings', { body: { scope: 'user', system_prompt: '乙' } })
    await guest.call('POST /auth/vcode', { body: { email: 'settled@example.com' } })
    const code = await world.getLoginCode('settled@example.com')
    await guest.call('POST /login', { body: { email: 'settled@example.com', code } })
    const read = async (query: object) =>
      (await guest.call('GET /api/chat/session/settings', { query })).settings.system_prompt
    expect(await read({ sess_id: session!.id })).toBe('甲')
    expect(await read({ scope: 'user' })).toBe('乙')
  })
})

describe('a fork', () => {
  test('copies the turns up to a message, and both go their own ways', async () => {
    const client = await world.user()
    const sessId = await createConversation(client, 3)
    await client.call('POST /api/chat/session/settings', { body: { sess_id: sessId, system_prompt: '简短' } })
    const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id: sessId } })
    const { session } = await client.call('POST /api/chat/session/fork', {
      body: { sess_id: sessId, message_id: messages[2]!.id },
    })
    expect(session).toMatchObject({ title: '分支 · 问1', current: true })
    const copied = ['human: 问1', 'ai: 答1', 'human: 问2', 'ai: 答2']
    expect(await getMessageLines(client, session.id)).toEqual(copied)
    world.upstream.script('scripted', { text: '别的' })
    await client.ask('岔开', { sess_id: session.id })
    expect(getLastBody().messages.map(({ content }) => content)).toEqual([
      '简短',
      '问1',
      '答1',
      '问2',
      '答2',
      '岔开',
    ])
    expect(await getMessageLines(client, sessId)).toEqual([...copied, 'human: 问3', 'ai: 答3'])
    await client.call('DELETE /api/chat/session/{id}', { params: { id: sessId } })
    expect(await getMessageLines(client, session.id)).toEqual([...copied, 'human: 岔开', 'ai: 别的'])
    expect((await client.call('GET /api/chat/sessions', { query: { keywords: '答1' } })).total).toBe(1)
  })

  test('copies all of it without a message, and only answers that stand', async () => {
    const client = await world.user()
    const sessId = await createConversation(client, 2)
    world.upstream.script('scripted', { text: '答二' })
    await client.ask('', { sess_id: sessId, regen: true })
    const { session } = await client.call('POST /api/chat/session/fork', { body: {} })
    expect(await getMessageLines(client, session.id)).toEqual([
      'human: 问1',
      'ai: 答1',
      'human: 问2',
      'ai: 答二',
    ])
  })

  test('of an agent’s session wants an agent; a running answer has to end first', async () => {
    const client = await world.user()
    const sessId = await createConversation(client, 1)
    const agent = await expectCallError(
      client.call('POST /api/chat/session/fork', { body: { sess_id: sessId, chatbot: 'zhiku' } }),
    )
    expect([agent.status, agent.body.message]).toEqual([422, '请先选择智能体'])
    const absent = { sess_id: sessId, chatbot: `zhiku-${createId()}` }
    expect((await expectCallError(client.call('POST /api/chat/session/fork', { body: absent }))).status).toBe(
      404,
    )
    world.upstream.script('scripted', { text: '慢慢地说', chars: 1, stall: 2 })
    await client.call('POST /api/chat/create', { body: { sess_id: sessId, prompt: '慢' } })
    const running = await expectCallError(
      client.call('POST /api/chat/session/fork', { body: { sess_id: sessId } }),
    )
    expect(running.body.code).toBe('turn_running')
    world.upstream.release()
  })
})

describe('a title', () => {
  const title = (client: Client, id: string) =>
    client.call('POST /api/chat/session/{id}/title', { params: { id } })

  test('is made once, by a run that the operator pays for', async () => {
    const client = await world.user()
    const id = await createConversation(client, 1)
    world.upstream.script('scripted-paid', { text: '标题：“问答之始”。\n' }, { text: '第二次' })
    const { balance } = await client.call('GET /api/user/info', {})
    const [one, other] = await Promise.all([title(client, id), title(client, id)])
    expect([one.session.title, other.session.title]).toContain('问答之始')
    expect(getLastBody().messages.at(-1)!.content).toBe('问：问1\n\n答：答1')
    expect((await title(client, id)).session.title).toBe('问答之始')
    expect(await listTitles(client)).toEqual(['问答之始'])
    expect((await client.call('GET /api/user/info', {})).balance).toBe(balance)
    const { rows } = await world
      .db()
      .execute(sql`SELECT state FROM runs WHERE kind = 'title' AND subject_id = ${id}`)
    expect(rows).toEqual([{ state: 'done' }])
  })

  test('is made fifty times a day for a person at the house’s cost, then the question’s words stay', async () => {
    const client = await world.user()
    const ids: string[] = []
    for (let nth = 0; nth < 51; nth++) ids.push(await createConversation(client, 1))
    world.upstream.script('scripted-paid', { text: '短题' })
    const titles = await Promise.all(ids.map(async (id) => (await title(client, id)).session.title))
    expect(titles.filter((one) => one === '短题')).toHaveLength(50)
    expect(titles.filter((one) => one === '问1')).toHaveLength(1)
  })

  test('never takes the place of one that a person wrote, not even while it is being made', async () => {
    const client = await world.user()
    const [named, renamed] = [await createConversation(client, 1), await createConversation(client, 1)]
    await updateSession(client, named, { title: '我的' })
    expect((await title(client, named)).session.title).toBe('我的')
    const before = world.upstream.requests.length
    world.upstream.script('scripted-paid', { text: '机器写的', stall: 'headers' })
    const making = title(client, renamed)
    await expect.poll(() => world.upstream.requests.length).toBe(before + 1)
    await updateSession(client, renamed, { title: '也是我的' })
    world.upstream.release()
    expect((await making).session.title).toBe('也是我的')
  })

  test('stays the question’s words when the run fails or says nothing, and before an answer is whole', async () => {
    const client = await world.user()
    const [failing, silent] = [await createConversation(client, 1), await createConversation(client, 1)]
    world.upstream.script('scripted-paid', { status: 500 }, { text: '“”' })
    expect((await title(client, failing)).session.title).toBe('问1')
    expect((await title(client, silent)).session.title).toBe('问1')
    const asked = world.upstream.requests.length
    expect((await title(client, await createSession(client))).session.title).toBe('')
    expect(world.upstream.requests).toHaveLength(asked)
  })
})

test('a foreign session is answered exactly like one that never was', async () => {
  const [owner, other] = [await world.user(), await world.user()]
  const sessId = await createConversation(owner, 1)
  const { messages } = await owner.call('GET /api/chat/messages', { query: { sess_id: sessId } })
  const own = await createConversation(other, 1)
  const attempts = (id: string, messageId: string) => [
    other.call('PATCH /api/chat/session/{id}', { params: { id }, body: { title: '偷' } }),
    other.call('PATCH /api/chat/session/{id}', { params: { id }, body: {} }),
    other.call('POST /api/chat/session/{id}/title', { params: { id } }),
    other.call('DELETE /api/chat/session/{id}', { params: { id } }),
    other.call('POST /api/chat/session/switch', { body: { sess_id: id } }),
    other.call('POST /api/chat/session/settings', { body: { sess_id: id, system_prompt: '偷' } }),
    other.call('GET /api/chat/session/settings', { query: { sess_id: id } }),
    other.call('POST /api/chat/session/fork', { body: { sess_id: id } }),
    other.call('POST /api/chat/session/fork', { body: { sess_id: own, message_id: messageId } }),
    other.call('GET /api/chat/messages', { query: { sess_id: id, around: messageId } }),
    other.call('GET /api/chat/messages', { query: { sess_id: own, around: messageId } }),
    world.visitor().call('GET /api/chat/session/settings', { query: { sess_id: id } }),
  ]
  const ids = [
    [sessId, messages[0]!.id],
    [createId(), createId()],
  ] as const
  for (const { status, body } of await Promise.all(
    ids.flatMap((some) => attempts(...some)).map(expectCallError),
  )) {
    expect([status, body.code, body.message]).toEqual([404, 'not_found', errors.not_found.message])
  }
  expect(await listTitles(owner)).toEqual(['问1'])
  expect(await getMessageLines(owner, sessId)).toEqual(['human: 问1', 'ai: 答1'])
})

test('messages are read around one of them, and on from there in both directions', async () => {
  const client = await world.user()
  const sessId = await createConversation(client, 9)
  const read = (query: object) =>
    client.call('GET /api/chat/messages', { query: { sess_id: sessId, ...query } })
  const all = (await read({ size: 100 })).messages
  const page = await read({ around: all[8]!.id, size: 6 })
  expect(page.messages).toEqual(all.slice(5, 11))
  expect([page.has_more, page.has_newer]).toEqual([true, true])
  const after = await read({ after: all[10]!.id, size: 6 })
  expect(after.messages).toEqual(all.slice(11, 17))
  expect([after.has_more, after.has_newer]).toEqual([true, true])
  const end = await read({ after: all[16]!.id, size: 6 })
  expect([end.messages, end.has_newer]).toEqual([all.slice(17), false])
  const first = await read({ around: all[0]!.id, size: 6 })
  expect([first.messages, first.has_more, first.has_newer]).toEqual([all.slice(0, 3), false, true])
  const last = await read({ around: all.at(-1)!.id, size: 6 })
  expect([last.messages, last.has_more, last.has_newer]).toEqual([all.slice(-4), true, false])
  expect((await read({})).has_newer).toBe(false)
})
