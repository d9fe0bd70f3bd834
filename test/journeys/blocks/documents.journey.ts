import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, test } from 'vitest'
import { uploadMessages } from '#contract/uploads.ts'
import { blocksText } from '#web/text/blocks.ts'
import { filesText } from '#web/text/files.ts'
import { findAccessibilityViolations } from '../../world/browser.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { button, expect, pageLabel } from '../screen/chat-screen.ts'

const world = useBrowserWorld()
let client: Client
beforeAll(async () => {
  client = await world.user('reader@example.com')
  await world.db().execute(sql`update users set level = 'pro-2' where email = 'reader@example.com'`)
})

/** Whoever asks for the block of a file that is new is told that there is none. */
const UNKNOWN_FILE = /status of 404.*\/api\/block\/md5/s

const documents = (page: Page) => page.getByRole('list', { name: blocksText.list }).getByRole('listitem')
const queue = (page: Page) => page.getByRole('list', { name: filesText.uploads }).getByRole('listitem')
const picker = (page: Page) => page.locator('main input[type=file]')
const toFile = (name: string, text: string, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
})

test('files are chosen, uploaded one after the other, read and opened; a link in the sidebar leads to them', async () => {
  const page = await world.visit('/chat', { client, expectedErrors: UNKNOWN_FILE })
  await page.getByRole('link', { name: pageLabel('Block', 'sidebar'), exact: true }).click()
  await expect(page.getByText(blocksText.empty)).toBeVisible()
  await picker(page).setInputFiles([
    toFile('诗.txt', '半亩方塘一鉴开\n天光云影共徘徊'),
    toFile('价格.csv', '名称,价格\n茶,12\n酒,30', 'text/csv'),
  ])
  await expect(documents(page)).toHaveCount(2)
  await expect(queue(page)).toHaveCount(0)
  await expect(documents(page).filter({ hasText: '诗.txt' })).toContainText(/\d+ 字/)
  await page.getByRole('link', { name: '价格.csv' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('价格.csv')
  await expect(page.getByRole('cell', { name: '30' })).toBeVisible()
  await page.getByRole('link', { name: blocksText.back }).click()
  await page.getByRole('link', { name: '诗.txt' }).click()
  await expect(page.getByRole('region', { name: blocksText.contents })).toContainText('天光云影共徘徊')
})

test('a file that is dropped or pasted is uploaded too, and one that is there already is used at once', async () => {
  const page = await world.visit('/block', { client, expectedErrors: UNKNOWN_FILE })
  await expect(documents(page)).toHaveCount(2)
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['源头活水'], '渠.md'))
    return data
  })
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: dropped })
  await expect(page.getByText(filesText.drop)).toBeVisible()
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped })
  await expect(page.getByText(filesText.drop)).toBeHidden()
  await expect(documents(page)).toHaveCount(3)
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['源头活水'], '又一份.md'))
    window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }))
  })
  await expect.poll(() => sent.some((call) => call.includes('/api/block/md5/'))).toBe(true)
  await expect(queue(page)).toHaveCount(0)
  await expect(documents(page)).toHaveCount(3)
  expect(sent.filter((call) => call.startsWith('P'))).toEqual([])
})

test('a file that is not allowed is refused with the reason, and nothing of it is sent', async () => {
  const page = await world.visit('/block', { client })
  await picker(page).setInputFiles(toFile('长.txt', 'x'.repeat(2 * 1024 * 1024 + 1)))
  await expect(queue(page)).toContainText(filesText.failed(uploadMessages.text_too_large))
  await button(page, filesText.dismiss('长.txt')).click()
  await expect(queue(page)).toHaveCount(0)
})

test('a document that is not there says so and leads back, and a guest is asked to sign in', async () => {
  const page = await world.visit(`/block/${crypto.randomUUID()}`, { client, expectedErrors: /status of 404/ })
  await expect(page.getByText(blocksText.gone)).toBeVisible()
  await page.getByRole('link', { name: blocksText.back }).click()
  await expect(documents(page).first()).toBeVisible()
  const guest = await world.visit('/block')
  await expect(guest.getByText(blocksText.signIn)).toBeVisible()
})

/** Chooses a file of 100 MB and some bytes, three slices, which is made in the page. */
const chooseLargeFile = (page: Page) =>
  page.evaluate(() => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(100 * 2 ** 20 + 7).fill(9)], '录像.bin'))
    const input = document.querySelector<HTMLInputElement>('main input[type=file]')!
    input.files = data.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })

test('a large file goes in slices; cut, paused and after a reload it goes on where it was', async () => {
  const page = await world.visit('/block', { client, expectedErrors: /Failed to load resource/ })
  const parts: string[] = []
  let isCut = true
  await page.route(/\/s3\/.*partNumber=/, async (route) => {
    const number = new URL(route.request().url()).searchParams.get('partNumber')!
    if (number === '2' && isCut) return route.abort('internetdisconnected')
    parts.push(number)
    return route.continue()
  })
  await chooseLargeFile(page)
  await expect(queue(page)).toContainText(filesText.cut(50))
  await picker(page).setInputFiles(toFile('另一个.txt', '等一等'))
  await expect(page.getByText(uploadMessages.unfinished)).toBeVisible()
  await button(page, filesText.pause('录像.bin')).click()
  await expect(queue(page)).toContainText(filesText.paused(50))

  await page.reload()
  await expect(queue(page)).toHaveCount(0)
  await chooseLargeFile(page)
  await expect(queue(page)).toContainText(filesText.cut(50))
  isCut = false
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(documents(page).filter({ hasText: '录像.bin' })).toBeVisible()
  expect(parts).toEqual(['1', '2', '3'])
})

describe.each(['light', 'dark', 'phone'] as const)('%s', (look) => {
  test('nobody stumbles over the list and a document', async () => {
    const page = await world.visit('/block', { client, look })
    await expect(documents(page).first()).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.getByRole('link', { name: '价格.csv' }).click()
    await expect(page.getByRole('cell', { name: '30' })).toBeVisible()
    expect(await findAccessibilityViolations(page)).toEqual([])
  })
})
