import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import { shellText } from '#web/text/shell.ts'
import type { Client } from '../../world/client.ts'
import {
  answers,
  ask,
  button,
  composer,
  createSentences,
  expect,
  expectAnswer,
  expectNotice,
  questions,
} from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

const list = (page: Page) => page.getByRole('region', { name: chatText.messages })
const toEnd = (page: Page) => page.locator('button:not([inert])', { hasText: chatText.toLatest })
const getDistanceToEnd = (page: Page) =>
  list(page).evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
    Math.round(scrollHeight - scrollTop - clientHeight),
  )
const getScrollTop = (page: Page) => list(page).evaluate(({ scrollTop }) => scrollTop)
/** Returns the list's position once it has stayed the same for ten frames, however long these take: a wheel moves it in each. */
const readScrollTopAtRest = (page: Page) =>
  list(page).evaluate(
    (region) =>
      new Promise<number>((resolve) => {
        let top = Number.NaN
        let frames = 0
        const look = () => {
          frames = region.scrollTop === top ? frames + 1 : 0
          top = region.scrollTop
          if (frames < 10) requestAnimationFrame(look)
          else resolve(top)
        }
        look()
      }),
  )
const scrollBy = async (page: Page, by: number) => {
  await list(page).hover()
  await page.mouse.wheel(0, by)
}

/** Creates a conversation of some long turns. */
async function createLongConversation(client: Client, topic: string, turns: number): Promise<string> {
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  for (let nth = 1; nth <= turns; nth += 1) {
    world.upstream.script('scripted', { text: `答${nth}：${createSentences(60)}`, chars: 400 })
    await client.ask(`${topic} ${nth}`, { sess_id: session.id })
  }
  return session.id
}

/** Waits until the end of a conversation is on the screen. */
async function waitForEnd(page: Page, question: string): Promise<void> {
  await expect(questions(page).last()).toHaveText(question)
  await expect(answers(page).last()).toContainText('第60句')
  await expect.poll(() => getDistanceToEnd(page)).toBeLessThan(48)
}

/** Turns the wheel until the list is at its very top, and at rest. */
async function scrollToTop(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const top = await getScrollTop(page)
      if (top >= 2) await scrollBy(page, -4_000)
      return top
    })
    .toBeLessThan(2)
  await readScrollTopAtRest(page)
}

/** Returns the first message that is seen, and where it stands. */
const readPlace = (page: Page) =>
  list(page).evaluate((region) => {
    const { top } = region.getBoundingClientRect()
    const first = [...region.querySelectorAll('article')].find(
      (article) => article.getBoundingClientRect().bottom > top,
    )
    return {
      text: first?.textContent.slice(0, 20),
      y: Math.round((first?.getBoundingClientRect().top ?? 0) - top),
    }
  })

test('what is pressed while the list scrolls is pressed; a button that is pressed while the answer ends, or grows many lines a second, stays under the pointer; the end is followed only while the person is there, what comes meanwhile is counted, and End and Ctrl+End go there, but not out of a text; older messages that could not be read are asked for again by the next turn of the wheel, and not before; a conversation is entered again where it was left, after another one and after a reload; messages that come while one waits at the very top push nothing away', async () => {
  const client = await world.user()
  // Three pages of messages.
  await createLongConversation(client, '远的', 11)
  const sessId = await createLongConversation(client, '近的', 3)
  const page = await world.visit(`/chat?sess_id=${sessId}`, { client, expectedErrors: /status of 503/ })
  await waitForEnd(page, '近的 3')
  for (const by of [-200, -300]) {
    const before = await readScrollTopAtRest(page)
    await scrollBy(page, by)
    await expect.poll(() => getScrollTop(page), { intervals: [5] }).toBeLessThan(before)
  }
  await page.mouse.down()
  // The pressed element is any part of the messages, and not the list itself.
  expect(await list(page).evaluate((region) => region.querySelector(':scope > * > :active') !== null)).toBe(
    true,
  )
  await page.mouse.up()

  // Messages from another device do not move a reader who is further up.
  await expect(toEnd(page)).toBeVisible()
  const readAt = await readScrollTopAtRest(page)
  world.upstream.script('scripted', { text: '别处的回答。' })
  await client.ask('别处的问题', { sess_id: sessId })
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(toEnd(page)).toContainText(chatText.newMessages(2))
  expect(await getScrollTop(page)).toBe(readAt)
  await toEnd(page).click()
  await expectAnswer(page, '别处的回答。')
  for (const key of ['End', 'Control+End']) {
    await expect.poll(() => getDistanceToEnd(page)).toBeLessThan(48)
    await scrollBy(page, -600)
    await expect(toEnd(page)).toBeVisible()
    await readScrollTopAtRest(page)
    await composer(page).fill('写到一半')
    await page.keyboard.press(key)
    await expect(toEnd(page)).toBeVisible()
    await composer(page).fill('')
    await page.keyboard.press(key)
    await expect(toEnd(page)).toBeHidden()
  }

  const code = Array.from({ length: 8 }, (_, n) => `value_${n} = ${n}`).join('\n')
  const written = `\`\`\`python\n${code}\n\`\`\`\n\n${createSentences(20)}`
  world.upstream.script('scripted', { text: written, chars: 20, stall: 12 })
  await ask(page, '请写')
  const answer = answers(page).last()
  // All text before the stall: nothing grows between finding the button and pressing it.
  await expect(answer).toContainText('第11句，渠水清')
  await expect.poll(() => getDistanceToEnd(page)).toBeLessThan(48)
  await readScrollTopAtRest(page)
  const copy = answer.getByRole('button', { name: chatText.copy, exact: true })
  await copy.hover()
  await page.mouse.down()
  const top = await getScrollTop(page)
  world.upstream.release()
  await expect(answer).toHaveAttribute('aria-busy', 'false')
  await expect(button(page, chatText.copyAnswer).last()).toBeAttached()
  await expect(answer).toContainText('第20句')
  expect(await getScrollTop(page)).toBe(top)
  await expectNotice(page, markdownText.copied, () => page.mouse.up())
  await expect.poll(() => getDistanceToEnd(page)).toBeLessThan(48)

  // Longer than a busy machine needs.
  const text = Array.from({ length: 30_000 }, (_, n) => `- 第${n}条\n`).join('')
  world.upstream.script('scripted', { text, chars: 24, every_ms: 60 })
  await ask(page, '请列出')
  const readGrownBy = async (lines: number) => {
    const items = answers(page).last().getByRole('listitem')
    const count = (await items.count()) + lines
    await expect.poll(() => items.count()).toBeGreaterThan(count)
    return getScrollTop(page)
  }
  await readGrownBy(20)
  await expect.poll(() => getDistanceToEnd(page)).toBeLessThan(48)
  await list(page).hover()
  await page.mouse.down()
  const pressed = await getScrollTop(page)
  expect(await readGrownBy(10)).toBe(pressed)
  await page.mouse.up()
  await expect.poll(() => getDistanceToEnd(page)).toBeLessThan(48)
  await scrollBy(page, -600)
  await expect(toEnd(page)).toContainText(/\d+ 个新字/)
  const readingAt = await readScrollTopAtRest(page)
  expect(await readGrownBy(10)).toBe(readingAt)
  await toEnd(page).click()
  await expect.poll(() => getDistanceToEnd(page)).toBeLessThan(48)
  await expect(page.getByText(/\d+ 个新字/)).toBeHidden()
  await readGrownBy(10)
  await expect.poll(() => getDistanceToEnd(page)).toBeLessThan(48)
  await button(page, chatText.stop).click()

  await page.getByRole('link', { name: '远的 1', exact: true }).click()
  await waitForEnd(page, '远的 11')
  const older = '**/api/chat/messages?*before=*'
  const height = () => list(page).evaluate(({ scrollHeight }) => scrollHeight)
  let asked = 0
  await page.route(older, async (route) => {
    asked += 1
    await route.fulfill({ status: 503, json: {} })
  })
  const refused = page.waitForEvent('requestfinished', (request) => request.url().includes('before='))
  await scrollToTop(page)
  await refused
  await readScrollTopAtRest(page)
  const failed = asked
  expect(failed).toBeLessThan(20)
  await readScrollTopAtRest(page)
  expect(asked).toBe(failed)
  await page.unroute(older)
  const was = await height()
  await scrollBy(page, -100)
  await expect.poll(height).toBeGreaterThan(was + 1_000)

  // A place is reached when the messages above have their sizes.
  await readScrollTopAtRest(page)
  const kept = await readPlace(page)
  expect(kept.text).not.toContain('答11')
  await page.getByRole('link', { name: shellText.newChat }).click()
  await expect(questions(page)).toHaveCount(0)
  await page.getByRole('link', { name: '远的 1', exact: true }).click()
  await expect.poll(() => readPlace(page)).toEqual(kept)
  const held = Promise.withResolvers<void>()
  await page.reload()
  await expect.poll(() => readPlace(page)).toEqual(kept)
  await expect(toEnd(page)).toBeVisible()

  await page.route(older, async (route) => {
    await held.promise
    await route.continue()
  })
  await scrollToTop(page)
  const [seen, loaded] = [await readPlace(page), await height()]
  held.resolve()
  await expect.poll(height).toBeGreaterThan(loaded + 200)
  await expect.poll(async () => (await readPlace(page)).text).toBe(seen.text)
  await expect.poll(async () => Math.abs((await readPlace(page)).y - seen.y)).toBeLessThan(8)
})
