import { describe, test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { notLoadedText } from '#web/text/notLoaded.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { shortcutsText } from '#web/text/shortcuts.ts'
import { uiText } from '#web/text/ui.ts'
import { axe } from '../browser.ts'
import type { Look, Visit } from '../browser.ts'
import { answered, answers, ask, atRest, button, composer, expect, questions } from './chat-screen.ts'
import { setStage } from './stage.ts'

const stage = setStage()

/** What Chromium says of files that it could not get. */
const AWAY = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 404/

/** The chat with a draft, before anything but itself was needed. */
async function atChat(visit: Visit = {}): Promise<Page> {
  const client = await stage.world.user()
  const page = await stage.visit('/chat', { client, expected: AWAY, ...visit })
  await composer(page).fill('写到一半的问题')
  await atRest(page)
  return page
}

const notLoaded = (page: Page) => page.getByRole('dialog', { name: notLoadedText.title })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const file = (name: string) => `**/assets/${name}-*.js`
const draftStands = (page: Page) => expect(composer(page)).toHaveValue('写到一半的问题')

describe('a part that is first needed without a network', () => {
  test.each(['light', 'dark', 'phone'] as const satisfies Look[])(
    'says so over the page and is there when it is asked for again: %s',
    async (look) => {
      const page = await atChat({ look })
      await page.context().setOffline(true)
      await button(page, chatText.settings).click()
      await expect(notLoaded(page)).toContainText(notLoadedText.hint)
      expect(await axe(page)).toEqual([])
      await button(page, notLoadedText.retry).click()
      await expect(button(page, notLoadedText.retry)).toBeEnabled()
      await page.context().setOffline(false)
      await button(page, notLoadedText.retry).click()
      await expect(dialog(page, sessionSettingsText.title)).toBeVisible()
      await expect(notLoaded(page)).toBeHidden()
      await page.keyboard.press('Escape')
      await expect(button(page, chatText.settings)).toBeFocused()
      await draftStands(page)
    },
  )

  test('can be left, and tries again when it is opened again', async () => {
    const page = await atChat()
    await page.context().setOffline(true)
    await page.keyboard.press('Control+k')
    await expect(notLoaded(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(notLoaded(page)).toBeHidden()
    await expect(composer(page)).toBeFocused()
    await page.context().setOffline(false)
    await page.keyboard.press('Control+k')
    await expect(dialog(page, shortcutsText.palette)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(composer(page)).toBeFocused()
    await draftStands(page)
  })

  test('in the page itself comes by itself with the network', async () => {
    const page = await atChat()
    await page.context().setOffline(true)
    await page.getByRole('textbox', { name: chatText.searchSessions }).fill('渠水')
    await expect(page.getByRole('alert').filter({ hasText: notLoadedText.title })).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.getByRole('alert').filter({ hasText: notLoadedText.title })).toBeHidden()
    await expect(page.getByText(chatText.nothingFoundHint)).toBeVisible()
    await draftStands(page)
  })
})

test('a part that a new version has taken away offers to load the page again, and the draft stays', async () => {
  const page = await atChat()
  await page.route(file('SettingsDialog'), (route) => route.fulfill({ status: 404 }))
  await button(page, chatText.settings).click()
  await expect(notLoaded(page)).toContainText(notLoadedText.stale)
  await page.unroute(file('SettingsDialog'))
  await button(page, notLoadedText.reload).click()
  await expect(notLoaded(page)).toBeHidden()
  await draftStands(page)
  await button(page, chatText.settings).click()
  await expect(dialog(page, sessionSettingsText.title)).toBeVisible()
})

test('a page whose code does not come says so in its place, and comes when it is asked for again', async () => {
  const page = await atChat()
  await page.route(file('Model'), (route) => route.abort())
  await page.route('**/healthz', (route) => route.abort())
  await page.getByRole('link', { name: shellText.models, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: notLoadedText.pageTitle })).toBeVisible()
  await expect(page.getByRole('link', { name: shellText.newChat })).toBeVisible()
  expect(await axe(page)).toEqual([])
  await page.unroute(file('Model'))
  await button(page, notLoadedText.retry).click()
  await expect(page.getByRole('heading', { level: 1, name: notLoadedText.pageTitle })).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('link', { name: shellText.chat, exact: true }).click()
  await draftStands(page)
})

test('a question is given back while the code that asks it cannot be loaded', async () => {
  const client = await stage.world.user()
  const page = await stage.visit('/', { client, expected: AWAY })
  await page.route(file('ask'), (route) => route.abort())
  await page.goto(`${stage.world.url}/chat`)
  await atRest(page)
  await ask(page, '渠水为什么清？')
  await expect(page.getByText(uiText.notLoaded)).toBeVisible()
  await expect(composer(page)).toHaveValue('渠水为什么清？')
  await page.unroute(file('ask'))
  stage.world.upstream.script('scripted', { text: '有源头活水。' })
  await button(page, chatText.send).click()
  await answered(page, '有源头活水。')
})

test('a conversation is shown whenever its code comes, before its messages or just after them', async () => {
  const page = await atChat()
  stage.world.upstream.script('scripted', { text: '有源头活水。' })
  await ask(page, '渠水为什么清？')
  await answered(page, '有源头活水。')
  for (const wait_ms of [0, 5, 10, 20, 40, 80]) {
    await page.route('**/api/chat/messages?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, wait_ms))
      await route.continue()
    })
    await page.reload()
    await expect(answers(page)).toHaveCount(1)
    await page.unroute('**/api/chat/messages?*')
  }
})

describe('after an answer', () => {
  const converse = async (page: Page) => {
    stage.world.upstream.script('scripted', { text: '有源头活水。' })
    await ask(page, '渠水为什么清？')
    await answered(page, '有源头活水。')
    await expect(questions(page)).toHaveCount(1)
  }

  test('what the conversation may need has been loaded, and opens without a network', async () => {
    const page = await atChat()
    const loaded = page.waitForResponse(file('ShareDialog'))
    await converse(page)
    await loaded
    await atRest(page)
    await page.context().setOffline(true)
    await button(page, chatText.share).click()
    await expect(dialog(page, sharesText.title)).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await expect(dialog(page, shortcutsText.palette)).toBeVisible()
  })

  test('nothing is loaded ahead for a person who saves data', async () => {
    const page = await atChat()
    await page.evaluate(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
    )
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await converse(page)
    await atRest(page)
    await page.evaluate(() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 500))))
    expect(asked.filter((url) => /SettingsDialog|ShareDialog|Palette/.test(url))).toEqual([])
    await expect(answers(page)).toHaveCount(1)
  })
})
