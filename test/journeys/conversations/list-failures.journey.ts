import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { historyText } from '#web/text/history/history.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { ask, button, expect, waitForFrames } from '../screen/chat-screen.ts'

const world = useBrowserWorld()
const SESSIONS = '**/api/chat/sessions?*'
const list = (page: Page) => page.getByRole('navigation', { name: historyText.sessions })
const links = (page: Page) => list(page).getByRole('link')
const failed = (page: Page) => list(page).getByText(historyText.sessionsFailed)
const retry = (page: Page) => list(page).getByRole('button', { name: chatText.retry }).click()

async function createThreeConversations() {
  const client = await world.user()
  world.upstream.script('scripted', { text: '好' })
  const ids: string[] = []
  for (const prompt of ['问江', '问河', '问湖']) {
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
  const { client, ids } = await createThreeConversations()
  const page = await world.visit('/models', { client, expectedErrors: /status of 500/ })
  const listRefusal = await refusePages(page, isLaterPage)
  await page.goto(`${world.url}/chat`)
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

  const { folder } = await client.call('POST /api/chat/folders', { body: { name: '水' } })
  await client.call('POST /api/chat/sessions/move', { body: { sess_ids: ids, folder_id: folder.id } })
  await page.unroute(SESSIONS)
  const folderRefusal = await refusePages(page, isLaterPage)
  await page.reload()
  await button(page, `水 ${foldersText.count(3)}`).click()
  await expect(links(page)).toHaveText(['问湖', '问河'])
  await button(page, foldersText.more).click()
  await expect(failed(page)).toBeVisible()
  await expect(links(page)).toHaveText(['问湖', '问河'])
  folderRefusal.allow()
  await retry(page)
  await expect(links(page)).toHaveText(['问湖', '问河', '问江'])
  await expect(failed(page)).toHaveCount(0)
})

test('a name that was written while further conversations are on their way is shown; a list that cannot be read again stays, with the name that is being written', async () => {
  const { client, ids } = await createThreeConversations()
  const page = await world.visit('/models', { client, expectedErrors: /status of 500/ })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let isHeld = isLaterPage
  await page.route(SESSIONS, async (route) => {
    const url = new URL(route.request().url())
    if (isHeld(url.searchParams)) await released
    url.searchParams.set('size', '2')
    await route.continue({ url: url.href }).catch(() => {})
  })
  const rename = async (title: string, name: string) => {
    await links(page).filter({ hasText: title }).press('F2')
    await page.getByLabel(historyText.renameLabel(title)).fill(name)
  }
  const later = page.waitForRequest(/sessions\?.*page=2/)
  await page.goto(`${world.url}/chat`)
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

  await rename('太湖', '洞庭')
  const { allow } = await refusePages(page, () => true)
  const again = page.waitForResponse(SESSIONS)
  // This tab learns of it.
  const other = await page.context().newPage()
  await other.goto(`${world.url}/chat?sess_id=${ids[0]}`)
  await ask(other, '再问江')
  await again
  const field = page.getByLabel(historyText.renameLabel('太湖'))
  await expect(field).toHaveValue('洞庭')
  allow()
  await field.press('Enter')
  await expect(links(page).filter({ hasText: '洞庭' })).toBeVisible()
})
