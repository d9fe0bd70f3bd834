import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDefaultWelcome } from '#contract/agents/agent-defaults.ts'
import type { Agent, AgentForm } from '#contract/agents/agents.ts'
import { createId } from '#server/core/ids.ts'
import { DEFAULT_PREFERENCE } from '#server/llm/llm.ts'
import type { Assistant } from '#server/conversations/conversations.ts'
import { upload } from '../files/upload.ts'
import { expectCallError, getMessageLines } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { useOwnWorld } from '../world/use-world.ts'

/** Answers anybody who asks any agent: permissions are not tested here. */
const echo: Assistant = {
  prepareTurn: async () => ({
    getInitialModel: () => 'scripted',
    preference: DEFAULT_PREFERENCE,
    preparePrompt: () => ({ system: '', tools: [], preparation: null }),
  }),
}
const world = useOwnWorld({ assistants: { zhiku: echo } })

let owner: Client
let stranger: Client
let guest: Client
beforeAll(async () => {
  ;[owner, stranger] = [await world.user(), await world.user()]
  guest = world.visitor()
})

const create = async (client: Client, body: Partial<AgentForm> = {}): Promise<string> =>
  (await client.call('POST /api/agent', { body: { name: '方塘', ...body } })).uuid
const get = async (client: Client, id: string) =>
  (await client.call('GET /api/agent/{id}', { params: { id } })).data
const getOwn = async (client: Client, id: string) => (await get(client, id)) as Agent
const update = (client: Client, id: string, body: object) =>
  client.call('PUT /api/agent/{id}', { params: { id }, body })
const remove = (client: Client, id: string) => client.call('DELETE /api/agent/{id}', { params: { id } })
const begin = async (client: Client, agent?: string) =>
  (await client.call('POST /api/agent/draft', { body: agent ? { agent } : {} })).data
const list = async (client: Client, query: object = {}) => client.call('GET /api/agents', { query })
const listIds = async (client: Client, query: object = {}) =>
  (await list(client, { size: 100, ...query })).items.map(({ uuid }) => uuid)
/** Records that a person asked an agent. */
const use = async (client: Client, agent: string, times = 1) => {
  const { uuid } = await client.call('GET /api/user/info', {})
  await world.db().execute(sql`INSERT INTO agent_uses (user_id, agent_id) VALUES (${uuid}, ${agent})`)
  await world.db().execute(sql`UPDATE agents SET uses = uses + ${times} WHERE id = ${agent}`)
}

describe('an agent', () => {
  test('has the defaults of the form where nothing else is said', async () => {
    const uuid = await create(owner)
    expect(await getOwn(owner, uuid)).toMatchObject({
      uuid,
      name: '方塘',
      logo: '',
      desc: '',
      model: 'deepseek-chat',
      chat_level: 2,
      interneted: false,
      refer_source: false,
      related_prompts: false,
      stream: true,
      visible: 0,
      public: false,
      category_id: 0,
      store_mode: 'kb',
      status: 0,
      settings: {
        chat: {
          system_prompt: '',
          welcome_prompt: '',
          suggest_prompts: ['你能做什么？', '你可以怎样帮助我？'],
        },
      },
      embeds: [],
      owned: true,
      version: 1,
      uses: 0,
    })
  })

  test('keeps the whole form, and each change is a version', async () => {
    const uuid = await create(owner)
    const settings = {
      chat: {
        system_prompt: '你是方塘。',
        welcome_prompt: '来。',
        suggest_prompts: ['水从哪里来？', ' ', ''],
      },
    }
    const form = {
      name: '活水',
      desc: '源头',
      model: 'flat',
      chat_level: 1,
      interneted: true,
      category_id: 8,
    }
    const flags = { refer_source: true, related_prompts: true, stream: false, visible: 2, uploading: true }
    expect(await update(owner, uuid, { ...form, ...flags, settings })).toEqual({ uuid })
    expect(await getOwn(owner, uuid)).toMatchObject({
      ...form,
      refer_source: true,
      stream: false,
      visible: 2,
      public: true,
      settings: { chat: { ...settings.chat, suggest_prompts: ['水从哪里来？'] } },
      version: 2,
    })
    await update(owner, uuid, { name: '活水', settings: { chat: { suggest_prompts: [] } } })
    const saved = await getOwn(owner, uuid)
    expect(saved).toMatchObject({ chat_level: 2, version: 3, settings: { chat: { suggest_prompts: [] } } })
  })

  test('has a name, and a category that there is', async () => {
    const uuid = await create(owner)
    for (const call of [() => update(owner, uuid, { name: ' ' }), () => create(owner, { name: '' })]) {
      const refused = await expectCallError(call())
      expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_input' } })
      expect(refused.body).toHaveProperty('errors.name')
    }
    expect((await expectCallError(create(owner, { category_id: 99 }))).status).toBe(422)
    const { categories } = await owner.call('GET /api/{agent}/categories', { params: { agent: 'agent' } })
    expect(categories.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const of = (agent: 'zhiku' | 'block') => owner.call('GET /api/{agent}/categories', { params: { agent } })
    expect((await of('zhiku')).categories).toEqual(categories)
    expect((await of('block')).categories).toEqual([])
    for (const channel of ['dati', 'compare', 'fanyi'])
      expect(await (await owner.fetch(`/api/${channel}/categories`)).json()).toEqual({ categories: [] })
    expect((await owner.fetch('/api/anything/categories')).status).toBe(404)
  })

  test('has a model that there is, or the one that it had', async () => {
    const uuid = await create(owner, { model: 'scripted' })
    const draft = await begin(owner, uuid)
    const refused = [
      create(owner, { model: 'no-such-model' }),
      update(owner, uuid, { name: '方塘', model: 'no-such-model' }),
      update(owner, draft.uuid, { name: '方塘', model: 'no-such-model' }),
      create(owner, { model: 'scripted-embedding' }),
    ]
    for (const { status, body } of await Promise.all(refused.map(expectCallError)))
      expect([status, body.code]).toEqual([404, 'model_not_found'])
    expect(await getOwn(owner, uuid)).toMatchObject({ model: 'scripted', version: 1 })
    // Its model has gone meanwhile.
    await world.db().execute(sql`UPDATE agents SET model = 'gone' WHERE id IN (${uuid}, ${draft.uuid})`)
    await update(owner, draft.uuid, { name: '活水', model: 'gone' })
    await update(owner, uuid, { name: '活水', model: 'gone', draft: draft.uuid })
    expect(await getOwn(owner, uuid)).toMatchObject({ name: '活水', model: 'gone' })
  })

  test('is public as its form says, by `public` or by `visible`, whichever was changed', async () => {
    const uuid = await create(owner, { public: true })
    const save = async (form: object) => {
      await update(owner, uuid, { name: '方塘', ...form })
      const { visible, public: isPublic } = await getOwn(owner, uuid)
      expect(isPublic).toBe(visible === 2)
      return visible
    }
    expect(await getOwn(owner, uuid)).toMatchObject({ visible: 2, public: true })
    expect(await save({ public: true })).toBe(2)
    expect(await save({ visible: 2, public: false })).toBe(0)
    expect(await save({ visible: 0, public: true })).toBe(2)
    expect(await save({ visible: 0, public: true })).toBe(0)
    expect(await save({ visible: 2, public: false })).toBe(2)
    expect(await save({ public: false })).toBe(0)
    expect(await save({ visible: 2 })).toBe(2)
    expect(await save({})).toBe(0)
    expect(await getOwn(owner, await create(owner, { visible: 2, public: false }))).toMatchObject({
      visible: 0,
    })
    await owner.call('POST /api/organization', { body: { name: '同学' } })
    expect(await save({ visible: 1, public: false })).toBe(1)
    expect(await save({ public: false })).toBe(1)
    expect(await save({ visible: 1, public: true })).toBe(2)
  })

  test('shows others neither its prompt nor its sources', async () => {
    const { id } = await upload(world, owner, { name: '塘.md', content: '半亩', channel: 'zhiku' })
    const uuid = await create(owner, { visible: 2, embeds: [{ id }] })
    for (const client of [stranger, guest]) {
      const card = await get(client, uuid)
      expect(card).toMatchObject({ uuid, owned: false, owner: { name: expect.stringContaining('问渠用户') } })
      expect(card.settings.chat).toEqual({
        welcome_prompt: createDefaultWelcome({ name: '方塘' }),
        suggest_prompts: ['你能做什么？', '你可以怎样帮助我？'],
      })
      expect(card).not.toHaveProperty('embeds')
      expect(JSON.stringify(card)).not.toContain(id)
    }
  })

  test('is where its link leads, public or private', async () => {
    const uuid = await create(owner)
    const share = (client: Client, body: object) =>
      client.call('POST /api/agent/{id}/link', { params: { id: uuid }, body })
    expect((await expectCallError(share(stranger, {}))).body.code).toBe('agent_not_found')
    const { url, visible } = await share(owner, {})
    expect([new URL(url).pathname, visible]).toEqual([`/chat/agent/${uuid}`, 2])
    expect(new URL(url).searchParams.get('invite_code')).toBeTruthy()
    expect(await get(stranger, uuid)).toMatchObject({ public: true })
    expect((await share(owner, { visible: 0 })).visible).toBe(0)
    expect((await expectCallError(get(stranger, uuid))).status).toBe(404)
  })

  test('is deleted with what its owner talked with it; its sources stay, and what others talked', async () => {
    const { id } = await upload(world, owner, { name: '留.md', content: '留下', channel: 'zhiku' })
    const uuid = await create(owner, { visible: 2, embeds: [{ id }] })
    const draft = await begin(owner, uuid)
    const asked = await Promise.all([
      owner.ask('你好', { chatbot: `zhiku-${uuid}` }),
      owner.ask('你好', { chatbot: `zhiku-${draft.uuid}` }),
      stranger.ask('你好', { chatbot: `zhiku-${uuid}` }),
    ])
    await remove(owner, uuid)
    for (const { sess_id } of asked.slice(0, 2))
      expect((await expectCallError(getMessageLines(owner, sess_id))).status).toBe(404)
    expect(await getMessageLines(stranger, asked[2].sess_id)).toHaveLength(2)
    for (const gone of [uuid, draft.uuid])
      expect((await expectCallError(get(owner, gone))).body.code).toBe('agent_not_found')
    expect((await owner.call('GET /api/block/{id}', { params: { id } })).data.name).toBe('留.md')
  })

  test('is one of at most two hundred of a person, however many are created at once', async () => {
    const client = await world.user()
    const uuid = await create(client)
    await world.db().execute(sql`
      INSERT INTO agents SELECT (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid()))).*
      FROM agents a, generate_series(2, 198) WHERE a.id = ${uuid}`)
    const outcomes = await Promise.all(
      Array.from({ length: 25 }, () =>
        create(client).then(
          () => 'created',
          ({ body }: { body: { code: string } }) => body.code,
        ),
      ),
    )
    expect(outcomes.sort()).toEqual([...Array<string>(23).fill('agent_count'), 'created', 'created'])
  })
})

describe('the list', () => {
  test('has one’s own agents first, the last changed first, then public ones, the newest first', async () => {
    const [client, other] = [await world.user(), await world.user()]
    const [first, second] = [await create(client), await create(client)]
    const [older, newer] = [await create(other, { visible: 2 }), await create(other, { visible: 2 })]
    const hidden = await create(other)
    await update(client, first, { name: '方塘' })
    expect((await listIds(client)).slice(0, 4)).toEqual([first, second, newer, older])
    expect(await listIds(client)).not.toContain(hidden)
    expect((await listIds(guest)).slice(0, 2)).toEqual([newer, older])
  })

  test('of popular ones has public ones alone, those that others ask most first', async () => {
    const client = await world.user()
    const [asked, more] = [await create(client, { visible: 2 }), await create(client, { visible: 2 })]
    const hidden = await create(client)
    for (const [agent, times] of [
      [asked, 5_000],
      [more, 6_000],
      [hidden, 9_000],
    ] as const)
      await use(client, agent, times)
    expect((await listIds(client, { tab: 'popular' })).slice(0, 2)).toEqual([more, asked])
    expect(await listIds(client, { tab: 'popular' })).not.toContain(hidden)
    const { items } = await guest.call('GET /api/agents/popular', {})
    expect(items.slice(0, 2).map(({ uuid, uses }) => [uuid, uses])).toEqual([
      [more, 6_000],
      [asked, 5_000],
    ])
  })

  test('finds every word in name or description, whatever its signs mean elsewhere', async () => {
    const client = await world.user()
    const uuid = await create(client, { name: '合同_审查 100%', desc: 'Read CONTRACTS' })
    const find = async (q: string) => (await listIds(client, { q })).includes(uuid)
    for (const q of ['合同', '审查 contracts', '合同_审', '100%', 'read 100'])
      expect(await find(q), q).toBe(true)
    for (const q of ['合同%审', '合同 发票', '\\']) expect(await find(q), q).toBe(false)
    expect(await listIds(client, { q: '合同_审查', category_id: 5 })).toEqual([])
  })

  test('comes in parts that say where the next one is', async () => {
    const client = await world.user()
    for (const n of [1, 2, 3]) await create(client, { name: `分页${n}`, category_id: 3 })
    const query = { q: '分页', category_id: 3, size: 2 }
    const first = await list(client, query)
    expect(first).toMatchObject({ total: 3, prev_url: null, cur_page: 1, from: 1, to: 2 })
    const second = await list(client, { ...query, offset: 2 })
    expect(second).toMatchObject({ total: 3, next_url: null, cur_page: 2, from: 3, to: 3 })
    expect(await (await client.fetch(first.next_url!)).json()).toEqual(second)
    expect(await (await client.fetch(second.prev_url!)).json()).toEqual(first)
    expect(await list(client, { ...query, offset: 9 })).toMatchObject({ items: [], from: 0, to: 0 })
  })

  test('of those that one asked has what one may still ask, the last asked first', async () => {
    const [client, other] = [await world.user(), await world.user()]
    const [mine, theirs] = [await create(client), await create(other, { visible: 2 })]
    const later = await create(other, { visible: 2 })
    for (const agent of [mine, theirs, later]) await use(client, agent)
    const listUsed = async () =>
      (await client.call('GET /api/agents/history', {})).items.map(({ uuid }) => uuid)
    expect(await listUsed()).toEqual([later, theirs, mine])
    await other.call('POST /api/agent/{id}/link', { params: { id: later }, body: { visible: 0 } })
    expect(await listUsed()).toEqual([theirs, mine])
    expect((await expectCallError(guest.call('GET /api/agents/history', {}))).status).toBe(401)
  })
})

describe('an unsaved form', () => {
  test('is begun once, saves itself without a name, and becomes the agent', async () => {
    const client = await world.user()
    const [draft, again] = await Promise.all([begin(client), begin(client)])
    expect(again.uuid).toBe(draft.uuid)
    expect(draft).toMatchObject({ name: '', draft_of: null, model: 'deepseek-chat', embeds: [] })
    await update(client, draft.uuid, { name: '', desc: '还没有名字' })
    expect(await begin(client)).toMatchObject({ uuid: draft.uuid, desc: '还没有名字' })
    expect(await listIds(client)).not.toContain(draft.uuid)
    const { sess_id } = await client.ask('试一试', { chatbot: `zhiku-${draft.uuid}` })
    const uuid = await create(client, { name: '有了', draft: draft.uuid })
    expect((await expectCallError(get(client, draft.uuid))).status).toBe(404)
    expect((await expectCallError(getMessageLines(client, sess_id))).status).toBe(404)
    expect(await getOwn(client, uuid)).not.toHaveProperty('draft_of')
    const twice = await expectCallError(create(client, { draft: draft.uuid }))
    expect(twice.body.code).toBe('agent_not_found')
    expect((await begin(client)).uuid).not.toBe(draft.uuid)
  })

  test('of an agent has its fields and sources, and changes it when it is saved', async () => {
    const client = await world.user()
    const { id } = await upload(world, client, { name: '源.md', content: '活水', channel: 'zhiku' })
    const uuid = await create(client, { name: '原来', embeds: [{ id }], visible: 2 })
    const draft = await begin(client, uuid)
    expect(draft).toMatchObject({ name: '原来', draft_of: uuid, visible: 2, embeds: [{ id }] })
    expect((await begin(client)).uuid).not.toBe(draft.uuid)
    await update(client, draft.uuid, { name: '后来', visible: 2 })
    expect(await getOwn(client, uuid)).toMatchObject({ name: '原来', embeds: [{ id }] })
    expect((await expectCallError(get(stranger, draft.uuid))).status).toBe(404)
    expect((await expectCallError(begin(client, draft.uuid))).status).toBe(404)
    await update(client, uuid, { name: '后来', draft: draft.uuid })
    expect(await getOwn(client, uuid)).toMatchObject({ name: '后来', embeds: [], version: 2 })
    expect((await begin(client, uuid)).uuid).not.toBe(draft.uuid)
  })

  test('can be thrown away; an agent is none', async () => {
    const client = await world.user()
    const draft = await begin(client)
    await remove(client, draft.uuid)
    expect((await begin(client)).uuid).not.toBe(draft.uuid)
    const uuid = await create(client)
    expect((await expectCallError(create(client, { draft: uuid }))).body.code).toBe('agent_not_found')
    expect(await listIds(client)).toContain(uuid)
  })
})

describe('what is somebody else’s', () => {
  test('reads like what never was, and cannot become a source', async () => {
    const uuid = await create(owner)
    const { id } = await upload(world, owner, { name: '私.md', content: '我的', channel: 'zhiku' })
    const mine = await create(stranger)
    const read = (asked: string) => expectCallError(get(stranger, asked)).then(({ body }) => body.message)
    expect(await read(uuid)).toBe(await read(createId()))
    const refuse = async (body: Partial<AgentForm>, code: string) => {
      const form = { name: '改', ...body }
      expect((await expectCallError(update(stranger, mine, form))).body.code).toBe(code)
      expect((await expectCallError(create(stranger, form))).body.code).toBe(code)
    }
    for (const embed of [id, createId()]) await refuse({ embeds: [{ id: embed }] }, 'not_found')
    const foreign = await begin(owner)
    await refuse({ draft: foreign.uuid }, 'agent_not_found')
    expect(await getOwn(stranger, mine)).toMatchObject({ name: '方塘', embeds: [], version: 1 })
    expect((await begin(owner)).uuid).toBe(foreign.uuid)
  })
})
