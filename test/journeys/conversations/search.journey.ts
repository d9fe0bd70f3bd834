import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
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
/** More than three pages of messages: those around a hit are not the newest. */
const TURNS = 16
const list = (page: Page) => page.getByRole('navigation', { name: historyText.sessions })
const field = (page: Page) => page.getByLabel(historyText.searchSessions)
const messages = (page: Page) => page.getByRole('region', { name: chatText.messages })

const createAnswer = (nth: number): string => `第${nth}答。${'渠水清如许，'.repeat(30)}`

/** Creates a long conversation whose fourth question names a pearl, and a short one after it. */
async function createLongConversation(client: Client): Promise<void> {
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  for (let nth = 1; nth <= TURNS; nth++) {
    world.upstream.script('scripted', { text: createAnswer(nth), chars: 500 })
    await client.ask(nth === 4 ? '沧海月明珠有泪' : `第${nth}问`, { sess_id: session.id })
  }
  await client.call('POST /api/chat/session/new', { body: {} })
  world.upstream.script('scripted', { text: '渠水另一段[^1]。\n\n[^1]: 注。' })
  await client.ask('另一个会话')
}

type MarkedWindow = Window & { marked?: string[] }

/** Records the words that are marked next: the mark lasts only a moment. */
const watchMarked = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const here = window as MarkedWindow
    delete here.marked
    const look = () => {
      const ranges = [...(CSS.highlights.get('found') ?? [])]
      if (ranges.length) here.marked = ranges.map(String)
      else requestAnimationFrame(look)
    }
    look()
  })
const getMarked = (page: Page) => page.evaluate(() => (window as MarkedWindow).marked)

/** Turns the wheel until a question is there; returns the questions on the way, in order. */
async function readOnTo(page: Page, question: string, step: number): Promise<string[]> {
  await messages(page).hover()
  const seen = new Set<string>()
  const note = async () => {
    for (const text of await questions(page).allTextContents()) seen.add(text)
    return seen.has(question)
  }
  // The visible questions leave the page with the first turn of the wheel.
  await note()
  const turn = async () => {
    await page.mouse.wheel(0, step)
    await waitForFrames(page)
    return note()
  }
  await expect.poll(turn, { intervals: [80] }).toBe(true)
  return [...seen]
}

test('a word leads to its message, where it is marked for a moment; one reads on, goes to the end, asks there, and reads upwards with none left out; whoever goes on to the conversation while a message of it is on its way is shown its end', async () => {
  const client = await world.user()
  await createLongConversation(client)
  const page = await world.visit('/chat', { client })
  await expect(list(page).getByRole('link')).toHaveText(['另一个会话', '第1问'])
  // A word is marked although a note stands behind it.
  await watchMarked(page)
  await field(page).fill('一段')
  await list(page).locator('mark').click()
  await expect.poll(() => getMarked(page)).toEqual(['一段'])

  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/around=/, async (route) => {
    hold()
    await released
    await route.continue()
  })
  await field(page).fill('月明')
  // The results are those of the word before until then.
  await expect(list(page).locator('mark')).toHaveText('月明')
  await list(page).locator('mark').click()
  await expect(page).toHaveURL(/message=/)
  await held
  await field(page).press('Escape')
  await list(page).getByRole('link', { name: '第1问' }).click()
  const newest = questions(page).filter({ hasText: `第${TURNS}问` })
  await expect(newest).toBeVisible()
  const late = page.waitForResponse(/around=/)
  release()
  await (await late).finished()
  await expect(newest).toBeVisible()
  await list(page).getByRole('link', { name: '另一个会话' }).click()
  await expect(questions(page)).toHaveText(['另一个会话'])

  const hit = questions(page).filter({ hasText: '沧海月明珠有泪' })
  const newestAnswer = answers(page).filter({ hasText: `第${TURNS}答` })
  await field(page).fill('月明')
  await expect(list(page).getByRole('link')).toHaveText(['第1问沧海月明珠有泪'])
  await expect(list(page).getByRole('status')).toHaveText(historyText.found(1))
  await expect(list(page).locator('mark')).toHaveText('月明')
  await watchMarked(page)
  await list(page).getByRole('link').click()
  await expect(hit).toBeInViewport()
  await expect(page.locator('[data-target]')).toContainText('沧海月明珠有泪')
  await expect(page.locator('[data-target]')).toBeFocused()
  await expect.poll(() => getMarked(page)).toEqual(['月明'])
  await expect(page).not.toHaveURL(/message=/)
  await expect(page.locator('[data-found]')).toHaveCount(0)
  await expect(hit).toBeInViewport()
  // Down, through pages that were not loaded, with nothing left out.
  const seen = await readOnTo(page, `第${TURNS}问`, 500)
  for (let nth = 5; nth <= TURNS; nth++) expect(seen).toContain(`第${nth}问`)
  await field(page).press('Escape')
  await expect(list(page).getByRole('link')).toHaveText(['另一个会话', '第1问'])
  await page.goBack()
  await page.goForward()
  await expect(hit).toBeInViewport()

  await expect(newestAnswer).toHaveCount(0)
  await button(page, chatText.toLatest).click()
  await expect(newestAnswer).toBeInViewport()
  await page.goBack()
  await field(page).fill('珠有')
  await list(page).locator('mark').click()
  await expect(page.locator('[data-target]')).toBeInViewport()
  world.upstream.script('scripted', { text: '新的回答。' })
  await ask(page, '新的问题')
  await expectAnswer(page, '新的回答。')
  await expect(answers(page).last()).toBeInViewport()
  await expect(questions(page).last()).toHaveText('新的问题')
  await expect(newestAnswer).toHaveCount(1)
  // Up, from the end that was read anew.
  expect(await readOnTo(page, '第1问', -500)).toHaveLength(TURNS + 1)
  await expect(questions(page).first()).toHaveText('第1问')
})
