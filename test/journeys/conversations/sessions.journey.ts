import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { apiText } from '#web/text/api.ts'
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

const world = useBrowserWorld()
const list = (page: Page) => page.getByRole('navigation', { name: historyText.sessions })
const startNewChat = (page: Page) => page.getByRole('link', { name: shellText.newChat, exact: true }).click()

/** A person with a conversation about rivers and one about lakes; the lakes are on the screen. */
async function createTwoConversations(visit: Parameters<typeof world.visit>[1] = {}): Promise<Page> {
  const page = await world.visit('/chat', { client: await world.user(), ...visit })
  world.upstream.script('scripted', { text: '河的回答。' }, { text: '湖的回答。' })
  await ask(page, '问河')
  await expectAnswer(page, '河的回答。')
  await startNewChat(page)
  await expect(questions(page)).toHaveCount(0)
  await ask(page, '问湖')
  await expectAnswer(page, '湖的回答。')
  await expect(list(page).getByRole('link')).toHaveText(['问湖', '问河'])
  return page
}

test('a new conversation begins empty and does not carry the old one to the model', async () => {
  await createTwoConversations()
  const { messages } = world.upstream.requests.at(-1)!.body as { messages: { content: string }[] }
  expect(messages.filter(({ content }) => content.includes('河'))).toEqual([])
})

test('a new conversation stays on the screen when the one before it is given its session late', async () => {
  const page = await world.visit('/chat', { client: await world.user() })
  world.upstream.script('scripted', { text: '河的回答。' })
  const release = await holdSession(page)
  await ask(page, '问河')
  await expect(questions(page)).toHaveText('问河')
  await startNewChat(page)
  await expect(questions(page)).toHaveCount(0)
  await composer(page).fill('别的问题')
  release()
  await expect(list(page).getByRole('link')).toHaveText('问河')
  await waitForIdle(page)
  await expect(page).toHaveURL(`${world.url}/chat`)
  await expect(composer(page)).toHaveValue('别的问题')
})

test('switching shows the other conversation, and what is asked then belongs to it', async () => {
  const page = await createTwoConversations()
  await list(page).getByRole('link', { name: '问河' }).click()
  await expect(answers(page)).toHaveText(['河的回答。'])
  world.upstream.script('scripted', { text: '还是河。' })
  await ask(page, '再问河')
  await expectAnswer(page, '还是河。')
  await page.goBack()
  await expect(questions(page)).toHaveText(['问湖'])
  await page.goForward()
  await expect(questions(page)).toHaveText(['问河', '再问河'])
  await page.reload()
  await expect(questions(page)).toHaveText(['问河', '再问河'])
})

test('an answer goes on while another conversation is looked at', async () => {
  const page = await createTwoConversations()
  const text = createSentences(40)
  world.upstream.script('scripted', slowScript(text))
  await ask(page, '慢慢说')
  await waitForText(page, 10)
  await list(page).getByRole('link', { name: '问河' }).click()
  await expect(answers(page)).toHaveText(['河的回答。'])
  await list(page).getByRole('link', { name: '问湖' }).click()
  await expectAnswer(page, text)
})

test('a conversation is deleted after a confirmation, and only then', async () => {
  const page = await createTwoConversations()
  const row = list(page).getByRole('listitem').filter({ hasText: '问湖' })
  const openDialog = async () => {
    await row.hover()
    await row.getByRole('button', { name: historyText.sessionMenu('问湖') }).click()
    await page.getByRole('menuitem', { name: historyText.remove }).click()
    await expect(page.getByRole('dialog', { name: historyText.removeTitle })).toBeVisible()
  }
  await openDialog()
  await button(page, uiText.cancel).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toBeVisible()
  await openDialog()
  await page.getByRole('dialog').getByRole('button', { name: historyText.remove }).click()
  await expect(list(page).getByRole('link')).toHaveText(['问河'])
  await expect(page).toHaveURL(/\/chat$/)
  await expect(composer(page)).toBeVisible()
  await page.reload()
  await expect(list(page).getByRole('link')).toHaveText(['问河'])
})

/** Holds the messages that the server answers with until they are let go; says when they are held. */
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

test('a question that is asked before the earlier messages have come hides none of them', async () => {
  const page = await createTwoConversations()
  const { held, release } = await delayMessages(page)
  await page.reload()
  await held
  world.upstream.script('scripted', { text: '还是湖。' })
  await ask(page, '再问湖')
  release()
  await expect(questions(page)).toHaveText(['问湖', '再问湖'])
  await expectAnswer(page, '还是湖。')
  await expect(questions(page)).toHaveText(['问湖', '再问湖'])
})

test('messages that come late do not hide what was asked meanwhile', async () => {
  const page = await createTwoConversations()
  const { held, release } = await delayMessages(page)
  await page.reload()
  await held
  world.upstream.script('scripted', { text: '还是湖。' })
  const taken = page.waitForResponse('**/api/chat/create')
  await ask(page, '再问湖')
  await taken
  release()
  await expect(questions(page)).toHaveText(['问湖', '再问湖'])
  await expect(answers(page)).toHaveText(['湖的回答。', '还是湖。'])
})

test('an answer without words shows the words of the action that failed, no answer those of the network', async () => {
  const page = await createTwoConversations({ expectedErrors: /status of 502|ERR_FAILED/ })
  const remove = async () => {
    const row = list(page).getByRole('listitem').filter({ hasText: '问湖' })
    await row.hover()
    await row.getByRole('button', { name: historyText.sessionMenu('问湖') }).click()
    await page.getByRole('menuitem', { name: historyText.remove }).click()
    await page.getByRole('dialog').getByRole('button', { name: historyText.remove }).click()
  }
  await page.route('**/api/chat/session/**', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
  )
  await list(page).getByRole('link', { name: '问河' }).click()
  await expect(page.getByText(historyText.switchFailed)).toBeVisible()
  await remove()
  await expect(page.getByText(historyText.deleteFailed)).toBeVisible()
  await page.unroute('**/api/chat/session/**')
  await page.route('**/api/chat/session/**', (route) => route.abort())
  await remove()
  await expect(page.getByText(apiText.network)).toBeVisible()
})

test('Home tells what was asked today, and with which models', async () => {
  await createTwoConversations()
  const page = await world.visit('/')
  const stats = page.getByRole('region', { name: homeText.stats.title })
  await expect(stats).toContainText(homeText.stats.requests)
  await expect(stats).toContainText('scripted')
})
