import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { describe, test } from 'vitest'
import { WEB_DIR } from '#server/core/pages/html-document.ts'
import { chatText } from '#web/text/chat.ts'
import { historyText } from '#web/text/history/history.ts'
import { loadFailedText } from '#web/text/loadFailed.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { commandsText } from '#web/text/commands.ts'
import { uiText } from '#web/text/ui.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import type { Look, VisitOptions } from '../../world/browser.ts'
import {
  expectAnswer,
  pageLabel,
  answers,
  ask,
  waitForIdle,
  button,
  composer,
  expect,
  questions,
} from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

/** What Chromium says of files that it could not get. */
const EXPECTED_ERRORS = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 404/

/** The chat with a draft, before anything but itself was needed. */
async function openChat(visit: VisitOptions = {}): Promise<Page> {
  const client = await world.user()
  const page = await world.visit('/chat', { client, expectedErrors: EXPECTED_ERRORS, ...visit })
  await composer(page).fill('写到一半的问题')
  await waitForIdle(page)
  return page
}

const notLoadedDialog = (page: Page) => page.getByRole('dialog', { name: loadFailedText.title })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
/** Shared chunks have no name in their addresses: the build's manifest knows it. */
function matchAsset(name: string): string {
  const chunks = JSON.parse(readFileSync(`${WEB_DIR}/.vite/manifest.json`, 'utf8')) as Manifest
  return `**/${Object.values(chunks).find((chunk) => chunk.name === name)!.file}`
}
type Manifest = Record<string, { name?: string; file: string }>
const expectDraftKept = (page: Page) => expect(composer(page)).toHaveValue('写到一半的问题')

describe('a part that is first needed without a network', () => {
  test.each(['light', 'dark', 'phone'] as const satisfies Look[])(
    'says so over the page and is there when it is asked for again: %s',
    async (look) => {
      const page = await openChat({ look })
      await page.context().setOffline(true)
      await button(page, chatText.settings).click()
      await expect(notLoadedDialog(page)).toContainText(loadFailedText.hint)
      expect(await findAccessibilityViolations(page)).toEqual([])
      await button(page, loadFailedText.retry).click()
      await expect(button(page, loadFailedText.retry)).toBeEnabled()
      await page.context().setOffline(false)
      await button(page, loadFailedText.retry).click()
      await expect(dialog(page, sessionSettingsText.title)).toBeVisible()
      await expect(notLoadedDialog(page)).toBeHidden()
      await page.keyboard.press('Escape')
      await expect(button(page, chatText.settings)).toBeFocused()
      await expectDraftKept(page)
    },
  )

  test('can be left, and tries again when it is opened again', async () => {
    const page = await openChat()
    await page.context().setOffline(true)
    await page.keyboard.press('Control+k')
    await expect(notLoadedDialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(notLoadedDialog(page)).toBeHidden()
    await expect(composer(page)).toBeFocused()
    await page.context().setOffline(false)
    await page.keyboard.press('Control+k')
    await expect(dialog(page, commandsText.palette)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(composer(page)).toBeFocused()
    await expectDraftKept(page)
  })

  test('in the page itself comes by itself with the network', async () => {
    const page = await openChat()
    await page.context().setOffline(true)
    await page.getByRole('textbox', { name: historyText.searchSessions }).fill('渠水')
    await expect(page.getByRole('alert').filter({ hasText: loadFailedText.title })).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.getByRole('alert').filter({ hasText: loadFailedText.title })).toBeHidden()
    await expect(page.getByText(historyText.nothingFoundHint)).toBeVisible()
    await expectDraftKept(page)
  })
})

test('the first picture does without the library of queries, and asks again when it is told to', async () => {
  const page = await openChat()
  const modelButton = button(page, `${chatText.modelPicker}：scripted`)
  await expect(modelButton).toBeVisible()
  await page.route(matchAsset('queryClient'), (route) => route.abort())
  await page.route('**/healthz', (route) => route.abort())
  await page.reload()
  await expectDraftKept(page)
  const retry = page.getByRole('button', { name: chatText.modelsFailed })
  await expect(retry).toBeVisible()
  await page.unroute(matchAsset('queryClient'))
  await retry.click()
  await expect(modelButton).toBeVisible()
  await expectDraftKept(page)
})

test('a part that a new version has taken away offers to load the page again, and the draft stays', async () => {
  const page = await openChat()
  await page.route(matchAsset('SettingsDialog'), (route) => route.fulfill({ status: 404 }))
  await button(page, chatText.settings).click()
  await expect(notLoadedDialog(page)).toContainText(loadFailedText.stale)
  await page.unroute(matchAsset('SettingsDialog'))
  await button(page, loadFailedText.reload).click()
  await expect(notLoadedDialog(page)).toBeHidden()
  await expectDraftKept(page)
  await button(page, chatText.settings).click()
  await expect(dialog(page, sessionSettingsText.title)).toBeVisible()
})

test('a page whose code does not come says so in its place, and comes when it is asked for again', async () => {
  const page = await openChat()
  await page.route(matchAsset('Model'), (route) => route.abort())
  await page.route('**/healthz', (route) => route.abort())
  await page.getByRole('link', { name: pageLabel('Model', 'platform'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: loadFailedText.pageTitle })).toBeVisible()
  await expect(page.getByRole('link', { name: shellText.newChat })).toBeVisible()
  expect(await findAccessibilityViolations(page)).toEqual([])
  await page.unroute(matchAsset('Model'))
  await button(page, loadFailedText.retry).click()
  await expect(page.getByRole('heading', { level: 1, name: loadFailedText.pageTitle })).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('link', { name: pageLabel('Chat', 'sidebar'), exact: true }).click()
  await expectDraftKept(page)
})

test('a question is given back while the code that asks it cannot be loaded', async () => {
  const client = await world.user()
  const page = await world.visit('/', { client, expectedErrors: EXPECTED_ERRORS })
  await page.route(matchAsset('ask'), (route) => route.abort())
  await page.goto(`${world.url}/chat`)
  await waitForIdle(page)
  await ask(page, '渠水为什么清？')
  await expect(page.getByText(uiText.loadFailed)).toBeVisible()
  await expect(composer(page)).toHaveValue('渠水为什么清？')
  await page.unroute(matchAsset('ask'))
  world.upstream.script('scripted', { text: '有源头活水。' })
  await button(page, chatText.send).click()
  await expectAnswer(page, '有源头活水。')
})

test('a conversation is shown whenever its code comes, before its messages or just after them', async () => {
  const page = await openChat()
  world.upstream.script('scripted', { text: '有源头活水。' })
  await ask(page, '渠水为什么清？')
  await expectAnswer(page, '有源头活水。')
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
    world.upstream.script('scripted', { text: '有源头活水。' })
    await ask(page, '渠水为什么清？')
    await expectAnswer(page, '有源头活水。')
    await expect(questions(page)).toHaveCount(1)
  }

  test('what the conversation may need has been loaded, and opens without a network', async () => {
    const page = await openChat()
    const loaded = page.waitForResponse(matchAsset('ShareDialog'))
    await converse(page)
    await loaded
    await waitForIdle(page)
    await page.context().setOffline(true)
    await button(page, chatText.share).click()
    await expect(dialog(page, sharesText.title)).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await expect(dialog(page, commandsText.palette)).toBeVisible()
  })

  test('nothing is loaded ahead for a person who saves data', async () => {
    const page = await openChat()
    await page.evaluate(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
    )
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await converse(page)
    await waitForIdle(page)
    await page.evaluate(() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 500))))
    expect(asked.filter((url) => /SettingsDialog|ShareDialog|Palette/.test(url))).toEqual([])
    await expect(answers(page)).toHaveCount(1)
  })
})

test('a menu whose items come when it is open stays within the window, and has the focus', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const page = await world.visit('/')
  await page.route(matchAsset('accountMenuItems'), async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${world.url}/chat`)
  await button(page, shellText.settings).click()
  await expect(page.getByRole('menu')).toHaveCount(1)
  release()
  const last = page.getByRole('menuitem', { name: shellText.shortcuts })
  await expect(last).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('menuitemradio', { checked: true })).toBeFocused()
})
