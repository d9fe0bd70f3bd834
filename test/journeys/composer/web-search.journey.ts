import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import type { Look } from '../../world/browser.ts'
import { ENGINE_KEY, startSearchEngine } from '../../world/search-engine.ts'
import type { SearchEngine } from '../../world/search-engine.ts'
import { expectAnswer, answers, ask, button, composer, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

// The engine is there before the app that is told its address.
const engine: SearchEngine = await startSearchEngine('bocha')
const world = useBrowserWorld({
  SEARCH_PROVIDER: 'bocha',
  SEARCH_BASE_URL: engine.url,
  SEARCH_API_KEY: ENGINE_KEY,
})
afterAll(() => engine.close())

const PAGE = { title: '渠水今日清澈', url: 'https://river.example/a', text: '水位三米。', site: '水文站' }
const sources = (page: Page) => page.getByRole('list', { name: webSearchText.sources }).getByRole('link')

beforeAll(() => {
  world.upstream.script('scripted', { text: '三米[1]。' })
})

async function focusComposer(look: Look = 'light'): Promise<Page> {
  const page = await world.visit('/chat', { look, client: await world.user() })
  await expect(composer(page)).toBeVisible()
  await expect(button(page, chatText.webSearch)).toHaveAttribute('aria-pressed', 'false')
  await button(page, chatText.webSearch).click()
  await expect(button(page, chatText.webSearch)).toHaveAttribute('aria-pressed', 'true')
  return page
}

test('shows that it searches, then the answer with its sources, also after a reload', async () => {
  engine.script({ pages: [PAGE], stall: true })
  const page = await focusComposer()
  await ask(page, '水位？')
  await expect(answers(page)).toHaveText(webSearchText.searching)
  await page.reload()
  await expect(answers(page)).toHaveText(webSearchText.searching)
  engine.release()
  const seen = async () => {
    await expect(answers(page).getByRole('link', { name: markdownText.cite(1, PAGE.title) })).toHaveAttribute(
      'href',
      PAGE.url,
    )
    await expect(sources(page)).toHaveText([/1渠水今日清澈水文站/])
    await expect(sources(page)).toHaveAttribute('href', PAGE.url)
  }
  await seen()
  await page.reload()
  await seen()
})

test('says when the search failed, and answers all the same', async () => {
  engine.script({ status: 500 })
  const page = await focusComposer()
  await ask(page, '水位？')
  await expect(answers(page)).toContainText('三米[1]。')
  await expect(answers(page)).toContainText(webSearchText.failed)
})

test('is switched off again, and stays as it was left', async () => {
  engine.script({ pages: [PAGE] })
  const page = await focusComposer()
  await page.reload()
  await expect(button(page, chatText.webSearch)).toHaveAttribute('aria-pressed', 'true')
  await button(page, chatText.webSearch).click()
  const before = engine.queries.length
  await ask(page, '水位？')
  await expectAnswer(page, '三米[1]。')
  expect(engine.queries).toHaveLength(before)
})

describe.each(['light', 'dark', 'phone'] as const)('%s', (look) => {
  test('nobody stumbles over the switch and the sources', async () => {
    engine.script({ pages: [PAGE] })
    const page = await focusComposer(look)
    await ask(page, '水位？')
    await expect(sources(page)).toHaveCount(1)
    await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
    expect(await findAccessibilityViolations(page)).toEqual([])
  })
})
