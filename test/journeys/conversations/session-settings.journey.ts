import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { sessionSettingsText as settingsText } from '#web/text/sessionSettings.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import {
  expectAnswer,
  answers,
  ask,
  button,
  composer,
  expect,
  questions,
  waitForIdle,
} from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()
const list = (page: Page) => page.getByRole('navigation', { name: historyText.sessions })
const links = (page: Page) => list(page).getByRole('link')
const chooseMenuItem = async (page: Page, title: string, item: string) => {
  await links(page).filter({ hasText: title }).hover()
  await button(page, historyText.sessionMenu(title)).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const dialog = (page: Page) => page.getByRole('dialog', { name: settingsText.title })
const getLastBody = () =>
  world.upstream.requests.at(-1)!.body as {
    messages: { role: string; content: string }[]
    temperature?: number
    max_tokens: number
  }

/** Creates a person with a conversation about rivers and one about lakes; the lakes are on the screen. */
async function createTwoConversations(expectedErrors: RegExp): Promise<Page> {
  const client = await world.user()
  world.upstream.script('scripted', { text: '河的回答。' }, { text: '湖的回答。' })
  await client.ask('问河')
  await client.call('POST /api/chat/session/new', { body: {} })
  const { sess_id } = await client.ask('问湖')
  const page = await world.visit(`/chat?sess_id=${sess_id}`, { client, expectedErrors })
  await expect(links(page)).toHaveText(['问湖', '问河'])
  await expect(answers(page)).toHaveText(['湖的回答。'])
  return page
}

test('a conversation is renamed by its menu, by a double click and by F2, pinned and unpinned; two tabs stay in step; settings hold for the conversation that they were made in, may come before its first question, and be what new conversations begin with; what is written stays, and what cannot be read is not shown', async () => {
  // The tab that shows a conversation learns by a 404 that the other one has deleted it.
  const page = await createTwoConversations(/status of (404|500)/)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(links(other)).toHaveText(['问湖', '问河'])
  const field = (title: string) => page.getByLabel(historyText.renameLabel(title))
  await chooseMenuItem(page, '问河', historyText.rename)
  await expect(field('问河')).toBeFocused()
  await page.keyboard.type('长江')
  await page.keyboard.press('Enter')
  await expect(links(page)).toHaveText(['问湖', '长江'])
  await expect(links(other)).toHaveText(['问湖', '长江'])
  await links(page).filter({ hasText: '长江' }).dblclick()
  await field('长江').fill('黄河')
  await composer(page).click()
  await expect(links(page)).toHaveText(['问湖', '黄河'])
  await links(page).filter({ hasText: '黄河' }).focus()
  await page.keyboard.press('F2')
  await field('黄河').fill('淮河')
  await page.keyboard.press('Escape')
  await expect(links(page)).toHaveText(['问湖', '黄河'])
  await expect(links(page).filter({ hasText: '黄河' })).toBeFocused()
  await expect(links(other)).toHaveText(['问湖', '黄河'])

  await chooseMenuItem(page, '黄河', historyText.pin)
  await expect(links(page)).toHaveText(['黄河', '问湖'])
  await expect(links(other)).toHaveText(['黄河', '问湖'])
  await expect(list(page).getByRole('heading')).toHaveText([historyText.pinned, historyText.today])
  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  await expect(questions(page)).toHaveCount(0)
  world.upstream.script('scripted', { text: '第三个回答。' })
  await ask(page, '第三个')
  await expectAnswer(page, '第三个回答。')
  await expect(links(other)).toHaveText(['黄河', '第三个', '问湖'])
  await chooseMenuItem(page, '黄河', historyText.unpin)
  await expect(links(page)).toHaveText(['第三个', '问湖', '黄河'])
  await expect(list(page).getByRole('heading')).toHaveText([historyText.today])
  await chooseMenuItem(page, '问湖', historyText.remove)
  await page.getByRole('dialog').getByRole('button', { name: historyText.remove }).click()
  await expect(links(other)).toHaveText(['第三个', '黄河'])
  await expect(other.getByText(chatText.gone)).toBeVisible()
  await other.close()

  const systemPrompt = dialog(page).getByLabel(settingsText.systemPrompt)
  await button(page, chatText.settings).click()
  await systemPrompt.fill('只说一句。')
  // The person comes back to the tab, or the network does.
  await page.evaluate(() => {
    for (const name of ['visibilitychange', 'offline', 'online']) window.dispatchEvent(new Event(name))
  })
  await waitForIdle(page)
  await expect(systemPrompt).toHaveValue('只说一句。')
  await dialog(page).getByLabel(settingsText.temperature).fill('3')
  await dialog(page).getByRole('button', { name: uiText.save }).click()
  await expect(dialog(page)).toContainText(settingsText.temperatureError)
  await dialog(page).getByLabel(settingsText.temperature).fill('0.5')
  await dialog(page).getByLabel(settingsText.maxTokens).fill('99')
  await dialog(page).getByLabel(settingsText.stream).uncheck()
  await dialog(page).getByRole('button', { name: uiText.save }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  world.upstream.script('scripted', { text: '一句。' })
  await ask(page, '再问')
  await expectAnswer(page, '一句。')
  expect(getLastBody()).toMatchObject({ temperature: 0.5, max_tokens: 99 })
  expect(getLastBody().messages[0]).toEqual({ role: 'system', content: '只说一句。' })
  await links(page).filter({ hasText: '黄河' }).click()
  await expect(answers(page)).toHaveText(['河的回答。'])
  await button(page, chatText.settings).click()
  await expect(systemPrompt).toHaveValue('')
  await expect(dialog(page).getByLabel(settingsText.stream)).toBeChecked()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  await expect(questions(page)).toHaveCount(0)
  await button(page, chatText.settings).click()
  await dialog(page).getByLabel(settingsText.systemPrompt).fill('用文言。')
  await dialog(page).getByRole('button', { name: uiText.save }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  world.upstream.script('scripted', { text: '善。' })
  await ask(page, '可乎')
  await expectAnswer(page, '善。')
  expect(getLastBody().messages.map(({ content }) => content)).toEqual(['用文言。', '可乎'])
  await button(page, chatText.settings).click()
  await expect(dialog(page).getByLabel(settingsText.systemPrompt)).toHaveValue('用文言。')
  await dialog(page).getByLabel(settingsText.systemPrompt).fill('用白话。')
  await dialog(page).getByLabel(settingsText.scope).selectOption('user')
  await dialog(page).getByRole('button', { name: uiText.save }).click()
  await page.getByRole('link', { name: shellText.newChat, exact: true }).click()
  await expect(questions(page)).toHaveCount(0)
  await ask(page, '行吗')
  await expectAnswer(page, '善。')
  expect(getLastBody().messages.map(({ content }) => content)).toEqual(['用白话。', '行吗'])

  await page.route('**/api/chat/session/settings?*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await button(page, chatText.settings).click()
  await expect(dialog(page)).toContainText(settingsText.loadFailed)
  await expect(systemPrompt).toHaveCount(0)
})
