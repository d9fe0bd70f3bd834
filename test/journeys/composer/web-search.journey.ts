import { afterAll, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { ENGINE_KEY, startSearchEngine } from '../../world/search-engine.ts'
import type { SearchEngine } from '../../world/search-engine.ts'
import { expectAnswer, answers, ask, button, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

// The engine starts first, since the app needs its address.
const engine: SearchEngine = await startSearchEngine('bocha')
const world = useBrowserWorld({
  SEARCH_PROVIDER: 'bocha',
  SEARCH_BASE_URL: engine.url,
  SEARCH_API_KEY: ENGINE_KEY,
})
afterAll(() => engine.close())

const PAGE = { title: '渠水今日清澈', url: 'https://river.example/a', text: '水位三米。', site: '水文站' }
const sources = (page: Page) => page.getByRole('list', { name: webSearchText.sources }).getByRole('link')

test('a question is answered from a search, which is shown, after a reload too, and then its sources; the switch stays as it was left, and a search that failed is told', async () => {
  world.upstream.script('scripted', { text: '三米[1]。' })
  engine.script({ pages: [PAGE], stall: true })
  const page = await world.visit('/chat', { client: await world.user() })
  const webSearch = button(page, chatText.webSearch)
  await expect(webSearch).toHaveAttribute('aria-pressed', 'false')
  await webSearch.click()
  await expect(webSearch).toHaveAttribute('aria-pressed', 'true')
  await ask(page, '水位？')
  await expect(answers(page)).toHaveText([webSearchText.searching])
  await page.reload()
  await expect(answers(page)).toHaveText([webSearchText.searching])
  engine.release()
  const cite = answers(page).getByRole('link', { name: markdownText.cite(1, PAGE.title) })
  await expect(cite).toHaveAttribute('href', PAGE.url)
  await expect(sources(page)).toHaveText([/1渠水今日清澈水文站/])
  await expect(sources(page)).toHaveAttribute('href', PAGE.url)

  await expect(webSearch).toHaveAttribute('aria-pressed', 'true')
  engine.script({ status: 500 })
  await ask(page, '还有呢？')
  await expect(answers(page).last()).toContainText('三米[1]。')
  await expect(answers(page).last()).toContainText(webSearchText.failed)
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false')

  await webSearch.click()
  await expect(webSearch).toHaveAttribute('aria-pressed', 'false')
  engine.script({ pages: [PAGE] })
  const before = engine.queries.length
  await ask(page, '水位是多少？')
  await expect(answers(page)).toHaveCount(3)
  await expectAnswer(page, '三米[1]。')
  expect(engine.queries).toHaveLength(before)
})
