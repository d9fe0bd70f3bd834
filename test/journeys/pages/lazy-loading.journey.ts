import type { Page } from '@playwright/test'
import { describe, test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { commandsText } from '#web/text/commands.ts'
import { historyText } from '#web/text/history/history.ts'
import { loadFailedText } from '#web/text/loadFailed.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { sharesText } from '#web/text/shares.ts'
import { shellText } from '#web/text/shell.ts'
import { uiText } from '#web/text/ui.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { modelNames } from '../../world/real-names.ts'
import { matchAsset } from '../screen/assets.ts'
import {
  answers,
  ask,
  button,
  composer,
  expect,
  expectAnswer,
  pageLabel,
  questions,
  waitForIdle,
} from '../screen/chat-screen.ts'

const world = useBrowserWorld()

/** Chromium's messages about files that it could not get. */
const EXPECTED_ERRORS = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 404/

/** Opens the chat with a draft, before any other part is needed. */
async function openChat(): Promise<Page> {
  const page = await world.visit('/chat', {
    client: await world.user(),
    expectedErrors: EXPECTED_ERRORS,
    isFirst: true,
  })
  await composer(page).fill('写到一半的问题')
  await waitForIdle(page)
  return page
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const notLoadedDialog = (page: Page) => dialog(page, loadFailedText.title)
const expectDraftKept = (page: Page) => expect(composer(page)).toHaveValue('写到一半的问题')

test('a part that is first needed without a network says so, can be left, and comes when it is asked for again or by itself', async () => {
  const page = await openChat()
  await page.context().setOffline(true)
  await button(page, chatText.settings).click()
  await expect(notLoadedDialog(page)).toContainText(loadFailedText.hint)
  const retry = notLoadedDialog(page).getByRole('button', { name: loadFailedText.retry })
  await retry.click()
  await expect(retry).toBeEnabled()
  await page.context().setOffline(false)
  await retry.click()
  await expect(dialog(page, sessionSettingsText.title)).toBeVisible()
  await expect(notLoadedDialog(page)).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(button(page, chatText.settings)).toBeFocused()
  await expectDraftKept(page)

  await composer(page).focus()
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

  // A part with its own place in the page loads without a click.
  await page.context().setOffline(true)
  await page.getByRole('textbox', { name: historyText.searchSessions }).fill('渠水')
  await expect(page.getByRole('alert').filter({ hasText: loadFailedText.title })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('alert').filter({ hasText: loadFailedText.title })).toBeHidden()
  await expect(page.getByText(historyText.nothingFoundHint)).toBeVisible()
  await expectDraftKept(page)
})

test('what does not come, of the first picture, of a new version, of a page or of asking, is told in its place, and the draft stays', async () => {
  const page = await openChat()
  const withhold = (name: string) => page.route(matchAsset(name), (route) => route.abort())
  const modelButton = button(page, `${chatText.modelPicker}：${modelNames.scripted}`)
  await expect(modelButton).toBeVisible()
  // The first picture does without the library of queries.
  await withhold('queryClient')
  await page.route('**/healthz', (route) => route.abort())
  await page.reload()
  await expectDraftKept(page)
  const retryModels = page.getByRole('button', { name: chatText.modelsFailed })
  await expect(retryModels).toBeVisible()
  await page.unroute(matchAsset('queryClient'))
  await retryModels.click()
  await expect(modelButton).toBeVisible()
  await expectDraftKept(page)

  // A page reports its own failure between the links to other pages.
  await withhold('Model')
  await page.getByRole('link', { name: pageLabel('Model', 'platform'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: loadFailedText.pageTitle })).toBeVisible()
  await expect(page.getByRole('link', { name: shellText.newChat })).toBeVisible()
  await page.unroute(matchAsset('Model'))
  // The sidebar may wait for the same part.
  await page.getByRole('main').getByRole('button', { name: loadFailedText.retry }).click()
  await expect(page.getByRole('heading', { level: 1, name: loadFailedText.pageTitle })).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('link', { name: pageLabel('Chat', 'sidebar'), exact: true }).click()
  await expectDraftKept(page)

  // Where the server answers, a new version has removed the part: a reload helps.
  await page.unroute('**/healthz')
  await page.route(matchAsset('SettingsDialog'), (route) => route.fulfill({ status: 404 }))
  await button(page, chatText.settings).click()
  await expect(notLoadedDialog(page)).toContainText(loadFailedText.stale)
  await page.unroute(matchAsset('SettingsDialog'))
  await notLoadedDialog(page).getByRole('button', { name: loadFailedText.reload }).click()
  await expect(notLoadedDialog(page)).toBeHidden()
  await expectDraftKept(page)
  await button(page, chatText.settings).click()
  await expect(dialog(page, sessionSettingsText.title)).toBeVisible()

  // The composer gets the question back.
  await withhold('ask')
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

describe('after an answer', () => {
  /** Skips the waits before anything is loaded ahead. */
  const converse = async (page: Page) => {
    world.upstream.script('scripted', { text: '有源头活水。' })
    await page.clock.install()
    await ask(page, '渠水为什么清？')
    await expectAnswer(page, '有源头活水。')
    await expect(questions(page)).toHaveCount(1)
    await waitForIdle(page)
    await page.clock.fastForward(60_000)
  }

  test('what the conversation may need has been loaded, and opens without a network', async () => {
    const page = await openChat()
    // One after the other, each when the page has nothing else to do.
    const loaded = Promise.all(
      ['ShareDialog', 'Palette'].map((name) => page.waitForResponse(matchAsset(name))),
    )
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

  test('a person who saves data has nothing loaded ahead; a conversation is shown whenever its code comes', async () => {
    const page = await openChat()
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    )
    await page.reload()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await converse(page)
    await waitForIdle(page)
    expect(asked.filter((url) => /SettingsDialog|ShareDialog|Palette/.test(url))).toEqual([])

    // Held back: the messages, their code, or both.
    const [code, messages] = [
      matchAsset('src/web/conversations/thread/MessageList.tsx'),
      '**/api/chat/messages?*',
    ] as const
    for (const held of [[messages], [code], [code, messages]]) {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      for (const address of held) {
        await page.route(address, async (route) => {
          await released
          await route.continue()
        })
      }
      const waitFor = (address: string) =>
        held.includes(address)
          ? page.waitForRequest(address)
          : page.waitForResponse(address).then((response) => response.finished())
      const came = Promise.all([waitFor(code), waitFor(messages)])
      const reloaded = page.reload()
      await came
      release()
      await reloaded
      await expect(answers(page)).toHaveText('有源头活水。')
      for (const address of held) await page.unroute(address)
    }
  })
})

test('a menu whose items come when it is open stays within the window, and has the focus', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const page = await world.visit('/', { isFirst: true })
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
