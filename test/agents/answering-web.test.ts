import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../world/client.ts'
import { ENGINE_KEY, startSearchEngine } from '../world/search-engine.ts'
import { useResource, useOwnWorld } from '../world/use-world.ts'
import { createAgent } from './agent.ts'

// Agents that search the web beside their sources.

const engine = useResource(
  () => startSearchEngine('bocha'),
  (started) => started.close(),
)
const world = useOwnWorld({
  env: () => ({ SEARCH_PROVIDER: 'bocha', SEARCH_BASE_URL: `${engine.url}/`, SEARCH_API_KEY: ENGINE_KEY }),
})
const TEXT = '# 水位\n\n正常水位是 3.2 米，超过 4.5 米就要开闸放水。'
const page = { title: '今日水情', url: 'https://river.example/a', text: '方塘今日水位 5.1 米。' }
let owner: Client

beforeAll(async () => {
  owner = await world.user()
  engine.script({ pages: [page] })
})

const getPrompt = () => (world.upstream.requests.at(-1)!.body as { messages: { content: string }[] }).messages
async function ask(chatbot: string, prompt: string, more: object = {}) {
  const { session } = await owner.call('POST /api/chat/session/new', { body: { chatbot } })
  const { sess_id } = await owner.ask(prompt, { chatbot, sess_id: session.id, ...more })
  const { messages } = await owner.call('GET /api/chat/messages', { query: { sess_id } })
  return messages.at(-1)!
}

test('an agent that may searches the web for each question, and numbers its cards behind the pages', async () => {
  const { chatbot } = await createAgent(world, owner, { '手册.md': TEXT }, { interneted: true })
  world.upstream.script('scripted', {
    text: '今日水位 5.1 米 [1]，超过了 4.5 米，要开闸放水 [2]。[9]',
    finish: 'length',
  })
  const { search, tools, sess_id } = await ask(chatbot, '今日水位超过放水的水位了吗？')
  expect(engine.queries.at(-1)).toBe('今日水位超过放水的水位了吗？')
  expect(tools).toEqual(['web_search'])
  expect(getPrompt()[0]!.content).toContain('知识卡片和网页')
  expect(getPrompt().at(-1)!.content).toMatch(/\[2\] 手册\.md.*\[1\] 今日水情.*问题：今日水位超过/s)
  expect(search!.sources.map(({ n, title, block }) => [n, title.slice(0, 4), block === undefined])).toEqual([
    [1, '今日水情', true],
    [2, '手册.m', false],
  ])
  expect(search!.review!.invalid).toEqual([9])

  // A continued answer keeps its pages without another search.
  const searches = engine.queries.length
  world.upstream.script('scripted', { text: '请注意安全 [1]。' })
  await owner.ask('', { chatbot, sess_id, continue: true })
  const { messages } = await owner.call('GET /api/chat/messages', { query: { sess_id } })
  expect(engine.queries).toHaveLength(searches)
  expect(messages.at(-1)!.search!.sources.map(({ n, title }) => [n, title.slice(0, 4)])).toEqual([
    [1, '今日水情'],
    [2, '手册.m'],
  ])
})

test('an agent that may not does not', async () => {
  const { chatbot } = await createAgent(world, owner, { '手册.md': TEXT })
  world.upstream.script('scripted', { text: '3.2 米 [1]。' })
  const searches = engine.queries.length
  expect((await ask(chatbot, '正常水位是多少米？')).tools).toEqual([])
  expect(engine.queries).toHaveLength(searches)
})
