import { beforeAll, describe, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { shellText } from '#web/text/shell.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import type { Look } from '../../world/browser.ts'
import type { Client } from '../../world/client.ts'
import {
  expectAnswer,
  answers,
  ask,
  button,
  expect,
  questions,
  waitForFrames,
} from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()
const TURNS = 24
const list = (page: Page) => page.getByRole('navigation', { name: historyText.sessions })
const field = (page: Page) => page.getByLabel(historyText.searchSessions)
const messages = (page: Page) => page.getByRole('region', { name: chatText.messages })

const createAnswer = (nth: number): string => `第${nth}答。${'渠水清如许，'.repeat(30)}`

/** A long conversation whose fourth question names a pearl, and a short one after it. */
async function createLongConversation(client: Client): Promise<string> {
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  for (let nth = 1; nth <= TURNS; nth++) {
    world.upstream.script('scripted', { text: createAnswer(nth), chars: 500 })
    await client.ask(nth === 4 ? '沧海月明珠有泪' : `第${nth}问`, { sess_id: session.id })
  }
  await client.call('POST /api/chat/session/new', { body: {} })
  world.upstream.script('scripted', { text: '渠水另一段[^1]。\n\n[^1]: 注。' })
  await client.ask('另一个会话')
  return session.id
}

/** Who only looks around in the conversation: those who do can share it. */
let reader: Client
beforeAll(async () => {
  reader = await world.user()
  await createLongConversation(reader)
})

async function openSearch(look: Look = 'light', client = reader): Promise<Page> {
  const page = await world.visit('/chat', { client, look })
  if (look === 'phone') await button(page, shellText.openNav).click()
  await expect(list(page).getByRole('link')).toHaveText(['另一个会话', '第1问'])
  return page
}

test('a word leads to its message, from where one reads on in both directions, to the end and back to the list', async () => {
  const page = await openSearch()
  await field(page).fill('月明')
  await expect(list(page).getByRole('link')).toHaveText(['第1问沧海月明珠有泪'])
  await expect(list(page).getByRole('status')).toHaveText(historyText.found(1))
  await expect(list(page).locator('mark')).toHaveText('月明')
  await list(page).getByRole('link').click()
  const hit = questions(page).filter({ hasText: '沧海月明珠有泪' })
  await expect(hit).toBeInViewport()
  await expect(page.locator('[data-target]')).toContainText('沧海月明珠有泪')
  await expect(page.locator('[data-target]')).toBeFocused()
  // Down, through pages that are not loaded yet, with nothing left out.
  await messages(page).hover()
  const seen = new Set<string>()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 250)
      await waitForFrames(page)
      for (const text of await questions(page).allTextContents()) seen.add(text)
      return questions(page)
        .filter({ hasText: `第${TURNS}问` })
        .count()
    })
    .toBe(1)
  for (const text of await questions(page).allTextContents()) seen.add(text)
  for (let nth = 5; nth <= TURNS; nth++) expect([...seen]).toContain(`第${nth}问`)
  await field(page).press('Escape')
  await expect(list(page).getByRole('link')).toHaveText(['另一个会话', '第1问'])
  await page.goBack()
  await page.goForward()
  await expect(hit).toBeInViewport()
})

test('whoever goes on to the conversation while a message of it is on its way is shown its end', async () => {
  const page = await openSearch()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/around=/, async (route) => {
    await released
    await route.continue()
  })
  await field(page).fill('月明')
  await list(page).locator('mark').click()
  await expect(page).toHaveURL(/message=/)
  await field(page).press('Escape')
  await list(page).getByRole('link', { name: '第1问' }).click()
  const newest = questions(page).filter({ hasText: `第${TURNS}问` })
  await expect(newest).toBeVisible()
  const late = page.waitForResponse(/around=/)
  release()
  await (await late).finished()
  await expect(newest).toBeVisible()
})

type MarkedWindow = Window & { marked?: string[] }

/** Notes the words that are marked from now on: they are so for a moment only. */
const watchMarked = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const here = window as MarkedWindow
    const look = () => {
      const ranges = [...(CSS.highlights.get('found') ?? [])]
      if (ranges.length) here.marked = ranges.map(String)
      requestAnimationFrame(look)
    }
    look()
  })
const getMarked = (page: Page) => page.evaluate(() => (window as MarkedWindow).marked)

test('the word is marked in its message for a moment, and the address stays the conversation', async () => {
  const page = await openSearch()
  await watchMarked(page)
  await field(page).fill('月明')
  await list(page).locator('mark').click()
  await expect.poll(() => getMarked(page)).toEqual(['月明'])
  await expect(page).not.toHaveURL(/message=/)
  await expect(page.locator('[data-found]')).toHaveCount(0)
  await expect(questions(page).filter({ hasText: '沧海月明珠有泪' })).toBeInViewport()
})

test('a word is marked although a note stands behind it', async () => {
  const page = await openSearch()
  await watchMarked(page)
  await field(page).fill('一段')
  await list(page).locator('mark').click()
  await expect.poll(() => getMarked(page)).toEqual(['一段'])
})

test('back to the end goes to the newest message, and so does a question', async () => {
  const client = await world.user()
  await createLongConversation(client)
  const page = await openSearch('light', client)
  await field(page).fill('珠有')
  await list(page).locator('mark').click()
  await expect(page.locator('[data-target]')).toBeInViewport()
  await expect(answers(page).filter({ hasText: `第${TURNS}答` })).toHaveCount(0)
  await button(page, chatText.toLatest).click()
  await expect(answers(page).filter({ hasText: `第${TURNS}答` })).toBeInViewport()
  await page.goBack()
  await list(page).locator('mark').click()
  await expect(page.locator('[data-target]')).toBeInViewport()
  world.upstream.script('scripted', { text: '新的回答。' })
  await ask(page, '新的问题')
  await expectAnswer(page, '新的回答。')
  await expect(answers(page).last()).toBeInViewport()
  await expect(questions(page).last()).toHaveText('新的问题')
  await expect(answers(page).filter({ hasText: `第${TURNS}答` })).toHaveCount(1)
})

test('messages come as one scrolls upwards, with none left out', async () => {
  const page = await openSearch()
  await list(page).getByRole('link', { name: '第1问' }).click()
  await expect(questions(page).filter({ hasText: `第${TURNS}问` })).toBeVisible()
  await messages(page).hover()
  const seen: string[] = []
  const note = async () => {
    for (const text of await questions(page).allTextContents()) if (!seen.includes(text)) seen.push(text)
  }
  // Those at the end leave the page with the first turn of the wheel.
  await note()
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, -250)
        await waitForFrames(page)
        await note()
        return seen.includes('第1问')
      },
      { intervals: [80] },
    )
    .toBe(true)
  expect(seen).toHaveLength(TURNS)
  await expect(questions(page).first()).toHaveText('第1问')
})

describe.each(['light', 'dark', 'phone'] as const)('%s', (look) => {
  test('the results, none of them, and the message that was found can be used by everybody', async () => {
    const page = await openSearch(look)
    await field(page).fill('没有这个词')
    await expect(list(page).getByRole('status')).toHaveText(historyText.nothingFound)
    expect(await findAccessibilityViolations(page)).toEqual([])
    await field(page).fill('月明')
    await expect(list(page).locator('mark')).toHaveText('月明')
    expect(await findAccessibilityViolations(page)).toEqual([])
    await list(page).getByRole('link').click()
    await expect(page.locator('[data-target]')).toBeInViewport()
    expect(await findAccessibilityViolations(page)).toEqual([])
  })
})
