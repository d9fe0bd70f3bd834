import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { historyText } from '#web/text/history/history.ts'
import { homeText } from '#web/text/site/home.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import {
  expectAnswer,
  answers,
  waitForText,
  ask,
  button,
  composer,
  expect,
  questions,
  createSentences,
  holdSession,
  slowScript,
  waitForIdle,
} from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'

const world = useBrowserWorld()
const list = (page: Page) => page.getByRole('navigation', { name: historyText.sessions })
const startNewChat = (page: Page) => page.getByRole('link', { name: shellText.newChat, exact: true }).click()

/** Returns the messages of the model's latest request. */
const getLastMessages = () =>
  (world.upstream.requests.at(-1)!.body as { messages: { content: string }[] }).messages.map(
    ({ content }) => content,
  )

test('a new conversation begins empty; switching shows the other one, whose answer goes on meanwhile; an answer is where another may branch off; a conversation is deleted after a confirmation, and only then', async () => {
  const client = await world.user()
  const text = createSentences(20)
  world.upstream.script('scripted', { ...slowScript(text), stall: 10 })
  await client.call('POST /api/chat/create', { body: { prompt: '问河' } })
  const page = await world.visit('/chat', { client })
  world.upstream.script('scripted', { text: '湖的回答。' })
  await ask(page, '问湖')
  await expectAnswer(page, '湖的回答。')
  expect(getLastMessages()).toEqual(['问湖'])
  await expect(list(page).getByRole('link')).toHaveText(['问湖', '问河'])
  await list(page).getByRole('link', { name: '问河' }).click()
  const begun = await waitForText(page, 10)
  expect(text.slice(0, begun.length)).toBe(begun)
  await list(page).getByRole('link', { name: '问湖' }).click()
  await expect(answers(page)).toHaveText(['湖的回答。'])
  world.upstream.release()
  await list(page).getByRole('link', { name: '问河' }).click()
  await expectAnswer(page, text)
  world.upstream.script('scripted', { text: '还是河。' })
  await ask(page, '再问河')
  await expectAnswer(page, '还是河。')
  await page.goBack()
  await expect(questions(page)).toHaveText(['问湖'])
  await page.goForward()
  await expect(questions(page)).toHaveText(['问河', '再问河'])
  await startNewChat(page)
  await expect(questions(page)).toHaveCount(0)
  await page.goBack()

  await button(page, historyText.fork).first().click()
  await expect(answers(page)).toHaveText([text])
  await expect(list(page).getByRole('link')).toHaveText(['分支 · 问河', '问河', '问湖'])
  world.upstream.script('scripted', { text: '岔路。' })
  await ask(page, '换个方向')
  await expectAnswer(page, '岔路。')
  expect(getLastMessages()).toEqual(['问河', text, '换个方向'])
  await page.goBack()
  await expect(questions(page)).toHaveText(['问河', '再问河'])

  const row = list(page).getByRole('listitem').filter({ hasText: /^问河/ })
  const openDialog = async () => {
    await row.hover()
    await row.getByRole('button', { name: historyText.sessionMenu('问河') }).click()
    await page.getByRole('menuitem', { name: historyText.remove }).click()
    await expect(page.getByRole('dialog', { name: historyText.removeTitle })).toBeVisible()
  }
  await openDialog()
  await button(page, uiText.cancel).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toBeVisible()
  await openDialog()
  await page.getByRole('dialog').getByRole('button', { name: historyText.remove }).click()
  await expect(list(page).getByRole('link')).toHaveText(['分支 · 问河', '问湖'])
  await expect(page).toHaveURL(/\/chat$/)
  await expect(composer(page)).toBeVisible()
  // Home shows today's requests, and their models.
  await page.getByRole('link', { name: shellText.brand }).first().click()
  const stats = page.getByRole('region', { name: homeText.stats.title })
  await expect(stats).toContainText(homeText.stats.requests)
  await expect(stats).toContainText(modelNames.scripted)
})

/** Holds the server's messages until the release; reports when they are held. */
async function delayMessages(page: Page) {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/chat/messages?*', async (route) => {
    const response = await route.fetch()
    asked.resolve()
    await gate.promise
    await route.fulfill({ response })
  })
  return { held: asked.promise, release: gate.resolve }
}

test('what is asked before the earlier messages have come hides none of them, nor do they hide it; a session that comes late leaves the new conversation on the screen', async () => {
  const client = await world.user()
  world.upstream.script('scripted', { text: '河的回答。' }, { text: '湖的回答。' })
  const { sess_id } = await client.ask('问河')
  await client.call('POST /api/chat/session/new', { body: {} })
  await client.ask('问湖')
  let first: Awaited<ReturnType<typeof delayMessages>> | undefined
  const beforeLoad = async (page: Page) => (first = await delayMessages(page))
  const page = await world.visit(`/chat?sess_id=${sess_id}`, { client, beforeLoad })
  await first!.held
  world.upstream.script('scripted', { text: '还是河。' })
  await ask(page, '再问河')
  first!.release()
  await expect(questions(page)).toHaveText(['问河', '再问河'])
  await expectAnswer(page, '还是河。')
  await expect(questions(page)).toHaveText(['问河', '再问河'])

  await page.unrouteAll({ behavior: 'wait' })
  const second = await delayMessages(page)
  await list(page).getByRole('link', { name: '问湖' }).click()
  await second.held
  world.upstream.script('scripted', { text: '还是湖。' })
  const taken = page.waitForResponse('**/api/chat/create')
  await ask(page, '再问湖')
  await taken
  second.release()
  await expect(questions(page)).toHaveText(['问湖', '再问湖'])
  await expect(answers(page)).toHaveText(['湖的回答。', '还是湖。'])

  await page.unrouteAll({ behavior: 'wait' })
  await startNewChat(page)
  await expect(questions(page)).toHaveCount(0)
  const release = await holdSession(page)
  await ask(page, '问海')
  await expect(questions(page)).toHaveText(['问海'])
  await startNewChat(page)
  await expect(questions(page)).toHaveCount(0)
  await composer(page).fill('别的问题')
  release()
  await expect(list(page).getByRole('link')).toHaveText(['问海', '问湖', '问河'])
  await waitForIdle(page)
  await expect(page).toHaveURL(`${world.url}/chat`)
  await expect(composer(page)).toHaveValue('别的问题')
})
