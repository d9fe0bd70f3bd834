import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { test } from 'vitest'
import { uploadMessages } from '#contract/uploads.ts'
import { blocksText } from '#web/text/blocks.ts'
import { filesText } from '#web/text/files.ts'
import { uiText } from '#web/text/ui.ts'
import { upload, waitUntilRead, type TestFile } from '../../files/upload.ts'
import { createRecording } from '../../gateway/operations/operation-caller.ts'
import { makeScannedPdf } from '../../formats/make-pdf.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { signInOnAnotherTab } from '../account/sign-in-screen.ts'
import { button, expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()

/** The answer to a query for the block of a new file, which does not exist yet. */
const UNKNOWN_FILE = /status of 404.*\/api\/block\/md5/s

const documents = (page: Page) => page.getByRole('list', { name: blocksText.list }).getByRole('listitem')
const queue = (page: Page) => page.getByRole('list', { name: filesText.uploads }).getByRole('listitem')
const picker = (page: Page) => page.locator('main input[type=file]')
const toFile = (name: string, text: string, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
})

const contents = (page: Page) => page.getByRole('region', { name: blocksText.contents })

/** Uploads documents of one person, and waits until they are read. */
async function createDocuments(owner: Client, ...files: TestFile[]): Promise<void> {
  const ids: string[] = []
  for (const file of files) ids.push((await upload(world, owner, { channel: 'block', ...file })).id)
  for (const id of ids) await waitUntilRead(owner, id)
}

/** Chooses a file of zeros, which the page itself makes. */
const chooseLargeFile = (page: Page, file: { name: string; bytes: number }) =>
  picker(page).evaluate((input: HTMLInputElement, { name, bytes }) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(bytes)], name))
    input.files = data.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }, file)

test('a guest is asked to sign in for documents; files are chosen, dropped or pasted, read and opened, used at once where they are there already, and refused where they are not allowed; more of one that does not come is asked for again', async () => {
  const expectedErrors = new RegExp(`${UNKNOWN_FILE.source}|status of 500`, 's')
  const page = await world.visit('/block', { expectedErrors })
  await expect(page.getByText(blocksText.signIn)).toBeVisible()
  await signInOnAnotherTab(page, await world.user())
  await page.reload()
  await expect(page.getByText(blocksText.empty)).toBeVisible()
  const poem = '半亩方塘一鉴开，天光云影共徘徊。问渠那得清如许？为有源头活水来。'.repeat(8)
  const poems = Array.from({ length: 60 }, (_, n) => `# 第${n + 1}首\n\n${poem}`).join('\n\n')
  await picker(page).setInputFiles([
    toFile('诗集.md', poems),
    toFile('价格.csv', '名称,价格\n茶,12\n酒,30', 'text/csv'),
  ])
  await expect(documents(page)).toHaveCount(2)
  await expect(queue(page)).toHaveCount(0)
  await expect(documents(page).filter({ hasText: '诗集.md' })).toContainText(/[\d,]+ 字/)

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

  // Nothing is sent, and the page gives the reason.
  sent.length = 0
  await chooseLargeFile(page, { name: '长.txt', bytes: 2 * 2 ** 20 + 1 })
  await expect(queue(page)).toContainText(filesText.failed(uploadMessages.text_too_large))
  expect(sent.filter((call) => call.startsWith('P') || call.includes('/md5/'))).toEqual([])
  await button(page, filesText.dismiss('长.txt')).click()
  await expect(queue(page)).toHaveCount(0)

  await page.getByRole('link', { name: '价格.csv' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('价格.csv')
  await expect(page.getByRole('cell', { name: '30' })).toBeVisible()
  const more: string[] = []
  await page.route('**/api/block/*/detail?*', async (route) => {
    const url = new URL(route.request().url())
    if (url.searchParams.get('after') !== '0') {
      more.push(url.search)
      return route.fulfill({ status: 500, body: '{}' })
    }
    // Takes a short part, as if the document went on.
    url.searchParams.set('size', '20')
    return route.continue({ url: url.href })
  })
  await page.getByRole('link', { name: blocksText.back }).click()
  await page.getByRole('link', { name: '诗集.md' }).click()
  await expect(contents(page)).toContainText('第1首')
  await contents(page).hover()
  await page.mouse.wheel(0, 100_000)
  await expect(page.getByRole('alert')).toContainText(blocksText.detailFailed)
  await page.mouse.wheel(0, -100_000)
  await expect(contents(page)).toContainText('第1首')
  await page.mouse.wheel(0, 100_000)
  await expect(contents(page)).not.toContainText('第1首')
  // Scrolling does not repeat a failed request.
  expect(more).toHaveLength(1)
  await page.unroute('**/api/block/*/detail?*')
  await button(page, uiText.retry).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  // The loaded rows may not be drawn at the first turn of the wheel.
  const scrollToEnd = async () => {
    await page.mouse.wheel(0, 100_000)
    return contents(page).textContent()
  }
  await expect.poll(scrollToEnd).toContain('第60首')
})

/** Two slices. */
const LARGE = { name: '录像.bin', bytes: 51 * 2 ** 20 }

/** Cuts the connection of each second slice that this page sends. Routes would take 50 MB through the test. */
const cutSecondSlice = (page: Page) =>
  page.evaluate(() => {
    window.XMLHttpRequest = class extends XMLHttpRequest {
      isCut = false
      override open(method: string, url: string | URL): void {
        this.isCut = String(url).includes('partNumber=2')
        super.open(method, url)
      }
      override send(body?: Document | XMLHttpRequestBodyInit | null): void {
        if (this.isCut) this.dispatchEvent(new Event('error'))
        else super.send(body)
      }
    }
  })

/** A busy machine sends slowly; the limit is only for failed tests. */
const SLOW = { timeout: 200_000 }

test('a document that is not there leads back; a recording is played from a sentence on, and pages without text are read again from their pictures, free by the server or by a model that says what it costs; a large file goes in slices; cut, paused and after a reload it goes on where it was', async () => {
  const segments = [
    { start: 0, end: 1.5, text: '问渠那得清如许？' },
    { start: 1.5, end: 2, text: '为有源头活水来。' },
  ]
  world.upstream.script('scripted-asr', { answer: { segments } })
  const wav = new Uint8Array(await createRecording(2).arrayBuffer())
  const client = await world.user()
  const { uuid } = await client.call('GET /api/user/info', {})
  await world.db().execute(sql`UPDATE users SET level = 'pro-2' WHERE id = ${uuid}`)
  await createDocuments(
    client,
    { name: '会议.wav', type: 'audio/wav', content: wav },
    { name: '扫描.pdf', type: 'application/pdf', content: makeScannedPdf() },
  )
  const expectedErrors = /status of 40[49]/
  const page = await world.visit(`/block/${crypto.randomUUID()}`, { client, expectedErrors })
  await expect(page.getByText(blocksText.gone)).toBeVisible()
  const back = page.getByRole('link', { name: blocksText.back })
  await back.click()
  await expect(documents(page)).toHaveCount(2)
  await page.getByRole('link', { name: '会议.wav' }).click()
  await expect(contents(page)).toContainText('为有源头活水来。')
  await expect(page.getByText(blocksText.recognised([1], 'file'))).toBeVisible()
  const player = page.getByLabel('会议.wav', { exact: true })
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeCloseTo(2, 1)
  await button(page, blocksText.seek('0:01')).click()
  await expect
    .poll(() => player.evaluate((audio: HTMLAudioElement) => audio.currentTime))
    .toBeGreaterThanOrEqual(1.5)

  await back.click()
  await page.getByRole('link', { name: '扫描.pdf' }).click()
  await page.getByText(blocksText.partRead(2, 3, 'page')).click()
  await expect(page.getByRole('list', { name: blocksText.report })).toContainText(
    blocksText.blank([2], 'page'),
  )
  // Recognition takes seconds of all processors: the requests for it are enough here.
  const asked: unknown[] = []
  await page.route('**/api/block/*/retry', (route) => {
    asked.push(route.request().postDataJSON())
    const message = `稍后再读（${asked.length}）`
    return route.fulfill({ status: 409, json: { message, code: 'conflict' } })
  })
  await button(page, blocksText.rereadPages(1)).click()
  await expect(page.getByText('稍后再读（1）')).toBeVisible()
  await button(page, blocksText.rereadByModel).click()
  const dialog = page.getByRole('dialog', { name: blocksText.rereadByModelTitle(1) })
  await dialog.getByLabel(blocksText.visionModel).selectOption('seeing')
  await expect(dialog).toContainText(blocksText.rereadCost('1.00', 1))
  await button(page, blocksText.rereadStart).click()
  await expect(page.getByText('稍后再读（2）')).toBeVisible()
  expect(asked).toEqual([{ pages: [2] }, { pages: [2], model: 'seeing' }])
  await button(page, blocksText.text).click()
  await expect(contents(page)).toContainText('third')

  await page.unrouteAll()
  await back.click()
  await expect(documents(page)).toHaveCount(2)
  const parts: (string | null)[] = []
  page.on('request', (request) => {
    const { searchParams } = new URL(request.url())
    if (searchParams.has('partNumber')) parts.push(searchParams.get('partNumber'))
  })
  await cutSecondSlice(page)
  await chooseLargeFile(page, LARGE)
  await expect(queue(page)).toContainText(filesText.cut(98), SLOW)
  await picker(page).setInputFiles(toFile('另一个.txt', '等一等'))
  await expect(page.getByText(uploadMessages.unfinished)).toBeVisible()
  await button(page, filesText.pause('录像.bin')).click()
  await expect(queue(page)).toContainText(filesText.paused(98))
  expect(parts).toEqual(['1'])

  await page.reload()
  await expect(queue(page)).toHaveCount(0)
  await chooseLargeFile(page, LARGE)
  await expect(documents(page).filter({ hasText: '录像.bin' })).toBeVisible(SLOW)
  expect(parts).toEqual(['1', '2'])
})
