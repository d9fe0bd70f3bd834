import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import type { MessageSearch } from '#contract/web-search.ts'
import { readConfig } from '#server/core/config.ts'
import { expectCallError } from '../world/client.ts'
import type { Client } from '../world/client.ts'
import { ENGINE_KEY, startSearchEngine } from '../world/search-engine.ts'
import type { EngineKind, FoundPage } from '../world/search-engine.ts'
import { useResource, useOwnWorld, useWorld } from '../world/use-world.ts'
import type { World } from '../world/world.ts'

const PAGES: FoundPage[] = [
  {
    title: '渠水今日清澈',
    url: 'https://www.river.example/a',
    text: '水文站说，水位三米。',
    date: '2026-11-20',
  },
  { title: '另一种说法', url: 'https://news.example/b?x=1', text: '水位四米。', site: '某报' },
]

const useSearchEngine = (kind: EngineKind) =>
  useResource(
    () => startSearchEngine(kind),
    (engine) => engine.close(),
  )

const createSearchEnv = (kind: EngineKind, url: string) => ({
  SEARCH_PROVIDER: kind,
  SEARCH_BASE_URL: `${url}/`,
  SEARCH_API_KEY: ENGINE_KEY,
})

/** Returns the question as the model received it, after the search. */
const getLastPrompt = (world: World): string =>
  (world.upstream.requests.at(-1)!.body as { messages: { content: string }[] }).messages.at(-1)!.content

async function getAnswer(client: Client, sessId: string) {
  const { messages } = await client.call('GET /api/chat/messages', { query: { sess_id: sessId } })
  return messages.at(-1)!
}

const create = (client: Client, prompt: string, more = {}) =>
  client.call('POST /api/chat/create', { body: { prompt, tools: ['web_search'], ...more } })

/** Returns a reader's events: searches by their states, text, and the end. */
async function readAnswer(client: Client, chatId: string, events: string[] = []): Promise<string[]> {
  for await (const { data } of client.events(chatId)) {
    const event = data === '[DONE]' ? {} : (JSON.parse(data) as { search?: MessageSearch })
    events.push(event.search ? event.search.state : data === '[DONE]' ? data : 'text')
  }
  return events
}

describe.each(['searxng', 'bocha', 'tavily', 'brave'] as const)('%s', (kind) => {
  const engine = useSearchEngine(kind)
  const world = useOwnWorld({ env: () => createSearchEnv(kind, engine.url) })

  test('is asked, and what it finds goes with the question and stays with the answer', async () => {
    const client = await world.user()
    engine.script({ pages: PAGES })
    world.upstream.script('scripted', { text: '水位三米[1]。' })
    const { text, sess_id } = await client.ask('今天  渠水的\n水位？', { tools: ['web_search'] })
    expect(text).toBe('水位三米[1]。')
    expect(engine.queries.at(-1)).toBe('今天 渠水的 水位？')
    for (const part of ['[1] 渠水今日清澈', '水文站说，水位三米。', '[2] 另一种说法', '今天  渠水的\n水位？'])
      expect(getLastPrompt(world)).toContain(part)
    const answer = await getAnswer(client, sess_id)
    expect(answer.tools).toEqual(['web_search'])
    expect(answer.search?.state).toBe('found')
    expect(answer.search?.sources.map(({ n, title, url }) => [n, title, url])).toEqual(
      PAGES.map(({ title, url }, at) => [at + 1, title, url]),
    )
    // A site without a name is named by its host. Not every engine returns names and dates.
    expect(answer.search?.sources[0]).toMatchObject({ site: 'river.example' })
    if (kind === 'bocha' || kind === 'brave') expect(answer.search?.sources[1]!.site).toBe('某报')
    if (kind !== 'tavily') expect(answer.search?.sources[0]!.published_at).toBe('2026-11-20')
  })

  test.each([
    ['refuses', { status: 500 }],
    ['limits', { status: 429 }],
    ['talks nonsense', { body: '<html>' }],
    ['answers in another shape', { body: '{"pages":[]}' }],
    ['sends elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
    ['sends too much', { body: `{"x":"${'x'.repeat(3_000_000)}"}` }],
  ])('that %s does not fail the answer', async (_, script) => {
    const client = await world.user()
    engine.script(script)
    world.upstream.script('scripted', { text: '凭记忆作答' })
    const { text, sess_id, end } = await client.ask('问', { tools: ['web_search'] })
    expect([text, end]).toEqual(['凭记忆作答', '[DONE]'])
    expect(getLastPrompt(world)).toBe('问')
    expect((await getAnswer(client, sess_id)).search).toEqual({ state: 'failed', sources: [] })
  })
})

describe('a question with a web search', () => {
  const engine = useSearchEngine('bocha')
  const world = useOwnWorld({ env: () => createSearchEnv('bocha', engine.url) })
  beforeEach(() => {
    engine.script({ pages: PAGES })
    world.upstream.script('scripted', { text: '答' })
  })

  test('tells its readers first that it searches, then what was found, also those who come late', async () => {
    const client = await world.user()
    engine.script({ pages: PAGES, stall: true })
    const { chat_message } = await create(client, '问')
    const { chat_id } = chat_message
    const [first, second]: [string[], string[]] = [[], []]
    const readers = [readAnswer(client, chat_id, first), readAnswer(client, chat_id, second)]
    await expect.poll(() => [...first, ...second]).toEqual(['searching', 'searching'])
    engine.release()
    await Promise.all(readers)
    expect([first, second]).toEqual(Array.from({ length: 2 }, () => ['searching', 'found', 'text', '[DONE]']))
    expect(await readAnswer(client, chat_id)).toEqual(['found', 'text', '[DONE]'])
  })

  test('goes nowhere else with its key, wherever the engine points', async () => {
    const client = await world.user()
    let visits = 0
    const elsewhere = createServer((_, response) => {
      visits++
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const { port } = elsewhere.address() as AddressInfo
    engine.script({ status: 307, headers: { location: `http://127.0.0.1:${port}/web-search` } })
    const { chat_message } = await create(client, '问')
    expect(await readAnswer(client, chat_message.chat_id)).toContain('failed')
    elsewhere.close()
    expect(visits).toBe(0)
  })

  test('is stopped while it searches, and costs nothing', async () => {
    const client = await world.user()
    engine.script({ pages: PAGES, stall: true })
    const before = world.upstream.requests.length
    const searched = engine.queries.length
    const { chat_message } = await create(client, '问', { model: 'flat' })
    const left = engine.abortedCount()
    await expect.poll(() => engine.queries.slice(searched)).toEqual(['问'])
    const { chat_id } = chat_message
    const stopped = await client.call('POST /api/chat/cancel', { body: { chat_id } })
    expect(stopped.chat_message).toMatchObject({ status: 'cancelled', text: '', search: null })
    await expect.poll(() => engine.abortedCount()).toBe(left + 1)
    expect(world.upstream.requests).toHaveLength(before)
    expect((await client.call('GET /api/user/info', {})).balance).toBe(50)
    engine.release()
  })

  test('is interrupted by a restart while it searches, and asked again with its search', async () => {
    const client = await world.user()
    engine.script({ pages: PAGES, stall: true })
    const searched = engine.queries.length
    const { chat_message } = await create(client, '问')
    await expect.poll(() => engine.queries.slice(searched)).toEqual(['问'])
    await world.restart()
    engine.release()
    engine.script({ pages: PAGES })
    const { sess_id } = chat_message
    expect((await getAnswer(client, sess_id)).status).toBe('interrupted')
    await client.ask('', { sess_id, regen: true })
    expect(await getAnswer(client, sess_id)).toMatchObject({ status: 'done', search: { state: 'found' } })
  })

  test('keeps the plain question in the conversation', async () => {
    const client = await world.user()
    const { sess_id } = await client.ask('第一问', { tools: ['web_search'] })
    await client.ask('第二问', { sess_id })
    const { messages } = world.upstream.requests.at(-1)!.body as { messages: { content: string }[] }
    expect(messages.map(({ content }) => content)).toEqual(['第一问', '答', '第二问'])
    expect((await getAnswer(client, sess_id)).search).toBeNull()
  })

  test('gives the model pages that can be opened, each once and at most eight, and says when there is none', async () => {
    const client = await world.user()
    const page = (n: number) => ({
      title: `第${n}页`,
      url: `https://p.example/${n}`,
      text: '字'.repeat(2000),
    })
    const odd = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'nonsense',
      `https://p.example/${'x'.repeat(3000)}`,
    ]
    engine.script({
      pages: [
        ...odd.map((url) => ({ title: '坏', url, text: '坏' })),
        page(1),
        ...Array.from({ length: 12 }, (_, n) => page(n)),
      ],
    })
    const first = await client.ask('问', { tools: ['web_search'] })
    const sources = (await getAnswer(client, first.sess_id)).search!.sources
    expect(sources.map(({ n, title }) => [n, title])).toEqual(
      [1, 0, 2, 3, 4, 5, 6, 7].map((n, at) => [at + 1, `第${n}页`]),
    )
    expect(getLastPrompt(world).length).toBeLessThan(8 * 600)
    engine.script({ pages: [] })
    const second = await client.ask('问', { sess_id: first.sess_id, tools: ['web_search'] })
    expect((await getAnswer(client, second.sess_id)).search).toEqual({ state: 'nothing', sources: [] })
  })

  test('is held with room for what may be found, and charged for what was asked', async () => {
    const client = await world.user()
    world.upstream.script('scripted-paid', { text: '答', usage: null })
    const { sess_id, chat_id } = await client.ask('问', { model: 'scripted-paid', tools: ['web_search'] })
    const { route } = await client.call('GET /api/chat/explain', { query: { chat_id } })
    const { chat_id: plain } = await client.ask('问', { model: 'scripted-paid' })
    const without = await client.call('GET /api/chat/explain', { query: { chat_id: plain } })
    const tokens = route.bill!.input_tokens
    expect(route.bill!.usage_source).toBe('counted')
    expect(tokens).toBeGreaterThan(without.route.bill!.input_tokens)
    // The two short pages count, not the room that was held for eight long ones.
    expect(tokens).toBeLessThan(500)
    expect(sess_id).toBeTruthy()
  })

  test('is shown with a share, and taken along', async () => {
    const client = await world.user()
    const { sess_id } = await client.ask('问', { tools: ['web_search'] })
    const { share } = await client.call('GET /api/chat/session/link', { query: { sess_id } })
    const params = { id: share.id }
    const { messages } = await world.visitor().call('GET /api/session/{id}/messages', { params })
    expect(messages[1]!.search?.sources).toHaveLength(2)
    const { session } = await client.call('POST /api/session/{id}/continue', { params })
    expect((await getAnswer(client, session.id)).search?.sources).toHaveLength(2)
  })

  test('is offered to the page', async () => {
    expect(await (await world.visitor().fetch('/chat')).text()).toContain('"web_search":true')
  })
})

describe('without a search engine', () => {
  const world = useWorld()

  test('the tool is refused and not offered, and an unknown one is said to be unknown', async () => {
    const client = await world.user()
    for (const [tool, code] of [
      ['web_search', 'tool_unavailable'],
      ['shell', 'tool_unknown'],
    ] as const) {
      const refusal = await expectCallError(client.ask('问', { tools: [tool] }))
      expect([refusal.status, refusal.body.code]).toEqual([422, code])
    }
    expect((await client.call('GET /api/chat/sessions', {})).total).toBe(0)
    expect((await client.ask('问', { tools: [] })).end).toBe('[DONE]')
    expect(await (await client.fetch('/chat')).text()).toContain('"web_search":false')
  })

  test.each([
    ['searxng', {}, /SEARCH_BASE_URL/],
    ['bocha', {}, /SEARCH_API_KEY/],
    ['google', { SEARCH_API_KEY: 'x' }, /SEARCH_PROVIDER/],
    ['tavily', { SEARCH_API_KEY: 'x', SEARCH_BASE_URL: 'ftp://x' }, /SEARCH_BASE_URL/],
  ])('a wrong setting of %s stops the start with its name', (SEARCH_PROVIDER, more, name) => {
    expect(() =>
      readConfig({ NODE_ENV: 'test', APP_SECRET: 'x'.repeat(32), SEARCH_PROVIDER, ...more }),
    ).toThrow(name)
  })
})
