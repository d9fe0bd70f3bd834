import { afterAll, test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { ENGINE_KEY, startSearchEngine } from '../../world/search-engine.ts'
import { answers, ask, button, expect } from '../screen/chat-screen.ts'
import { expectNoBarriers, expectNoBarriersOnPhone } from './barriers.ts'

// The engine starts first, since the app needs its address.
const engine = await startSearchEngine('bocha')
const world = useBrowserWorld({
  SEARCH_PROVIDER: 'bocha',
  SEARCH_BASE_URL: engine.url,
  SEARCH_API_KEY: ENGINE_KEY,
})
afterAll(() => engine.close())

test('the web is searched, and an answer has its sources', async () => {
  engine.script({
    pages: [{ title: '渠水今日清澈', url: 'https://river.example/a', text: '水位三米。', site: '水文站' }],
  })
  world.upstream.script('scripted', { text: '三米[1]。' })
  const page = await world.visit('/chat', { client: await world.user() })
  await button(page, chatText.webSearch).click()
  await ask(page, '水位？')
  await expect(page.getByRole('list', { name: webSearchText.sources }).getByRole('link')).toHaveCount(1)
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
  await expectNoBarriers(page, 'an answer with sources')
  await expectNoBarriersOnPhone(page, 'an answer with sources')
})
