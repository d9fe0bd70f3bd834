import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
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
  waitForIdle,
} from '../screen/chat-screen.ts'

const world = useBrowserWorld()

/** Chromium's messages about files that it could not get. */
const EXPECTED_ERRORS = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 404/
const QUESTION = '渠水为什么清？'
const ANSWER = '有源头活水。'
const DRAFT = '写到一半的问题'

test('what does not come, of the first picture, of asking, of a page or of a new version, is told in its place, and what was written stays; after an answer the other parts are loaded, and open without a network', async () => {
  const page = await world.visit('/healthz', {
    client: await world.user(),
    expectedErrors: EXPECTED_ERRORS,
    isFirst: true,
  })
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const modelButton = button(page, `${chatText.modelPicker}：${modelNames.scripted}`)
  const withhold = (name: string) => page.route(matchAsset(name), (route) => route.abort())
  const queryClientPath = matchAsset('queryClient').slice('**'.length)
  // The first picture does without the library of queries.
  for (const name of ['queryClient', 'ask']) await withhold(name)
  let probe = Promise.resolve()
  await page.route('**/healthz', async (route) => {
    await probe
    await route.abort()
  })
  await page.goto(`${world.url}/chat`)
  const retryModels = page.getByRole('button', { name: chatText.modelsFailed })
  await expect(retryModels).toBeVisible()
  // The press meets an automatic try that began without the network, and must not fail with it.
  const { promise: probed, resolve: answerProbe } = Promise.withResolvers<void>()
  probe = probed
  const missed = page.waitForEvent('requestfailed', (request) => request.url().endsWith(queryClientPath))
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await missed
  await retryModels.click()
  await page.unroute(matchAsset('queryClient'))
  answerProbe()
  await expect(modelButton).toBeVisible()

  // The composer gets the question back.
  await waitForIdle(page)
  await ask(page, QUESTION)
  await expect(page.getByText(uiText.loadFailed)).toBeVisible()
  await expect(composer(page)).toHaveValue(QUESTION)

  // A page reports its own failure between the links to other pages.
  await withhold('Model')
  await page.getByRole('link', { name: pageLabel('Model', 'platform'), exact: true }).click()
  const failedPage = page.getByRole('heading', { level: 1, name: loadFailedText.pageTitle })
  await expect(failedPage).toBeVisible()
  await expect(page.getByRole('link', { name: shellText.newChat })).toBeVisible()
  await page.unroute(matchAsset('Model'))
  // The sidebar may wait for the same part.
  await page.getByRole('main').getByRole('button', { name: loadFailedText.retry }).click()
  await expect(failedPage).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('link', { name: pageLabel('Chat', 'sidebar'), exact: true }).click()
  await expect(composer(page)).toHaveValue(QUESTION)

  // Where the server answers, a new version has removed the part: a reload helps.
  await page.unroute('**/healthz')
  await page.unroute(matchAsset('ask'))
  await page.route(matchAsset('SettingsDialog'), (route) => route.fulfill({ status: 404 }))
  world.upstream.script('scripted', { text: ANSWER })
  await button(page, chatText.send).click()
  await expectAnswer(page, ANSWER)
  await composer(page).fill(DRAFT)
  await button(page, chatText.settings).click()
  await expect(dialog(loadFailedText.title)).toContainText(loadFailedText.stale)
  await page.unroute(matchAsset('SettingsDialog'))

  // A conversation is shown though its messages come before the code that shows them.
  const code = matchAsset('src/web/conversations/thread/MessageList.tsx')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(code, async (route) => {
    await released
    await route.continue()
  })
  const came = Promise.all([
    page.waitForRequest(code),
    page.waitForResponse('**/api/chat/messages?*').then((response) => response.finished()),
  ])
  const loadedAhead = page.waitForResponse(matchAsset('ShareDialog'))
  await page.clock.install()
  await dialog(loadFailedText.title).getByRole('button', { name: loadFailedText.reload }).click()
  await came
  release()
  await expect(answers(page)).toHaveText([ANSWER])
  await expect(composer(page)).toHaveValue(DRAFT)
  await button(page, chatText.settings).click()
  await expect(dialog(sessionSettingsText.title)).toBeVisible()
  await page.keyboard.press('Escape')

  // Skips the waits before anything is loaded ahead.
  await waitForIdle(page)
  await page.clock.fastForward(60_000)
  await (await loadedAhead).finished()
  await page.context().setOffline(true)
  await button(page, chatText.share).click()
  await expect(dialog(sharesText.title)).toBeVisible()
})
