import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { PLACEHOLDER } from '#contract/chat.ts'
import { chatText } from '#web/text/chat.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { historyText } from '#web/text/history/history.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { answers, ask, button, expect, waitForFrames } from '../screen/chat-screen.ts'

const world = useBrowserWorld()
const SESSIONS = '**/api/chat/sessions?*'
const list = (page: Page) => page.getByRole('navigation', { name: historyText.sessions })
const links = (page: Page) => list(page).getByRole('link')
const failed = (page: Page) => list(page).getByText(historyText.sessionsFailed)
const retry = (page: Page) => list(page).getByRole('button', { name: chatText.retry }).click()

async function createConversations(...prompts: string[]) {
  const client = await world.user()
  world.upstream.script('scripted', { text: '好' })
  const ids: string[] = []
  for (const prompt of prompts) {
    const { session } = await client.call('POST /api/chat/session/new', { body: {} })
    await client.ask(prompt, { sess_id: session.id })
    ids.push(session.id)
  }
  return { client, ids }
}

/** Makes the list come in pages of two; pages that `isRefused` picks are refused until they are allowed. */
async function refusePages(page: Page, isRefused: (query: URLSearchParams) => boolean) {
  const refused: string[] = []
  let isAllowed = false
  await page.route(SESSIONS, (route) => {
    const url = new URL(route.request().url())
    if (!isAllowed && isRefused(url.searchParams)) {
      refused.push(url.search)
      return route.fulfill({ status: 500, body: '{}' })
    }
    url.searchParams.set('size', '2')
    return route.continue({ url: url.href })
  })
  return { refused, allow: () => (isAllowed = true) }
}

const isLaterPage = (query: URLSearchParams) => query.get('page') !== '1'

test('conversations that do not come, of the list or of a folder, are told, asked for again, and take nothing from those that are there', async () => {
  const { client, ids } = await createConversations('泉', '井', '塘', '问江', '问河', '问湖')
  const { folder } = await client.call('POST /api/chat/folders', { body: { name: '水' } })
  await client.call('POST /api/chat/sessions/move', {
    body: { sess_ids: ids.slice(0, 3), folder_id: folder.id },
  })
  let refusal: Awaited<ReturnType<typeof refusePages>> | undefined
  const page = await world.visit('/chat', {
    client,
    expectedErrors: /status of 500/,
    beforeLoad: async (page) => (refusal = await refusePages(page, isLaterPage)),
  })
  const listRefusal = refusal!
  await expect(failed(page)).toBeVisible()
  await expect(links(page)).toHaveText(['问湖', '问河'])
  await page.getByLabel(historyText.searchSessions).fill('问')
  await expect(list(page).getByRole('status')).toHaveText(historyText.found(3))
  await expect(failed(page)).toBeVisible()
  await expect(links(page)).toHaveCount(2)
  // Only the person repeats a failed request.
  expect(listRefusal.refused).toHaveLength(2)
  listRefusal.allow()
  await retry(page)
  await expect(links(page)).toHaveCount(3)
  await expect(failed(page)).toHaveCount(0)

  await page.unroute(SESSIONS)
  const folderRefusal = await refusePages(page, isLaterPage)
  await page.getByLabel(historyText.searchSessions).press('Escape')
  await button(page, `水 ${foldersText.count(3)}`).click()
  const folders = page.getByRole('region', { name: foldersText.folders })
  await expect(folders.getByRole('link')).toHaveText(['塘', '井'])
  await button(page, foldersText.more).click()
  await expect(folders.getByText(historyText.sessionsFailed)).toBeVisible()
  await expect(folders.getByRole('link')).toHaveText(['塘', '井'])
  folderRefusal.allow()
  await folders.getByRole('button', { name: chatText.retry }).click()
  await expect(folders.getByRole('link')).toHaveText(['塘', '井', '泉'])
  await expect(folders.getByText(historyText.sessionsFailed)).toHaveCount(0)
})

test('a name that was written while further conversations are on their way is shown; a list that cannot be read again stays, with the name that is being written', async () => {
  const { client, ids } = await createConversations('问江', '问河', '问湖')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let isHeld = isLaterPage
  let later: Promise<unknown> | undefined
  const beforeLoad = async (page: Page) => {
    later = page.waitForRequest(/sessions\?.*page=2/)
    await page.route(SESSIONS, async (route) => {
      const url = new URL(route.request().url())
      if (isHeld(url.searchParams)) await released
      url.searchParams.set('size', '2')
      await route.continue({ url: url.href }).catch(() => {})
    })
  }
  const page = await world.visit(`/chat?sess_id=${ids[2]}`, {
    client,
    expectedErrors: /status of 500/,
    beforeLoad,
  })
  const rename = async (title: string, name: string) => {
    await links(page).filter({ hasText: title }).press('F2')
    await page.getByLabel(historyText.renameLabel(title)).fill(name)
  }
  await expect(links(page)).toHaveText(['问湖', '问河'])
  await later
  isHeld = () => true
  await rename('问湖', '太湖')
  const renewed = page.waitForRequest(/sessions\?.*page=1/)
  await page.keyboard.press('Enter')
  await renewed
  // The end of the list is in sight all the time, and must not request more while a page is on its way.
  await waitForFrames(page)
  release()
  await expect(links(page)).toHaveText(['太湖', '问河', '问江'])
  await page.unrouteAll({ behavior: 'wait' })

  world.upstream.script('scripted', { text: '好', stall: 'body' })
  await ask(page, '再问湖')
  await expect(answers(page)).toHaveText(['好', PLACEHOLDER])
  await rename('太湖', '洞庭')
  const { allow } = await refusePages(page, () => true)
  const again = page.waitForResponse(SESSIONS)
  // The list is read again when the answer ends.
  world.upstream.release()
  await again
  const field = page.getByLabel(historyText.renameLabel('太湖'))
  await expect(field).toHaveValue('洞庭')
  allow()
  await field.press('Enter')
  await expect(links(page).filter({ hasText: '洞庭' })).toBeVisible()
})
