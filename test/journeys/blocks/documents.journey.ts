import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { test } from 'vitest'
import { uploadMessages } from '#contract/uploads.ts'
import { blocksText } from '#web/text/blocks.ts'
import { filesText } from '#web/text/files.ts'
import { uiText } from '#web/text/ui.ts'
import { upload, waitUntilRead, type TestFile } from '../../files/upload.ts'
import { createRecording } from '../../gateway/operations/operation-caller.ts'
import { makePptx, makeXlsx, shape } from '../../formats/make-office.ts'
import { makeScannedPdf } from '../../formats/make-pdf.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { button, expect, pageLabel } from '../screen/chat-screen.ts'

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

/** Uploads documents of one person, and waits until they are read. Returns the path of each. */
async function createDocuments(owner: Client, ...files: TestFile[]): Promise<string[]> {
  const paths: string[] = []
  for (const file of files) {
    const { id } = await upload(world, owner, { channel: 'block', ...file })
    await waitUntilRead(owner, id)
    paths.push(`/block/${id}`)
  }
  return paths
}

test('files are chosen, uploaded one after the other, read and opened; one that is not there says so and leads back', async () => {
  const expectedErrors = /status of 404/
  const page = await world.visit('/chat', { client: await world.user(), expectedErrors })
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
  await expect(contents(page)).toContainText('天光云影共徘徊')

  await page.goto(`${world.url}/block/${crypto.randomUUID()}`)
  await expect(page.getByText(blocksText.gone)).toBeVisible()
  await page.getByRole('link', { name: blocksText.back }).click()
  await expect(documents(page)).toHaveCount(2)
  const guest = await world.visit('/block')
  await expect(guest.getByText(blocksText.signIn)).toBeVisible()
})

test('a file that is dropped or pasted is uploaded, one that is there already is used at once, and one that is not allowed is refused', async () => {
  const page = await world.visit('/block', { client: await world.user(), expectedErrors: UNKNOWN_FILE })
  await expect(page.getByText(blocksText.empty)).toBeVisible()
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['源头活水'], '渠.md'))
    return data
  })
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: dropped })
  await expect(page.getByText(filesText.drop)).toBeVisible()
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped })
  await expect(page.getByText(filesText.drop)).toBeHidden()
  await expect(documents(page)).toHaveCount(1)
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['源头活水'], '又一份.md'))
    window.dispatchEvent(new ClipboardEvent('paste', { clipboardData }))
  })
  await expect.poll(() => sent.some((call) => call.includes('/api/block/md5/'))).toBe(true)
  await expect(queue(page)).toHaveCount(0)
  await expect(documents(page)).toHaveCount(1)
  expect(sent.filter((call) => call.startsWith('P'))).toEqual([])

  // Nothing is sent, and the page gives the reason.
  sent.length = 0
  await picker(page).setInputFiles(toFile('长.txt', 'x'.repeat(2 * 1024 * 1024 + 1)))
  await expect(queue(page)).toContainText(filesText.failed(uploadMessages.text_too_large))
  expect(sent.filter((call) => call.startsWith('P') || call.includes('/md5/'))).toEqual([])
  await button(page, filesText.dismiss('长.txt')).click()
  await expect(queue(page)).toHaveCount(0)
})

/** Chooses a file of 60 MB, two slices, which the page itself makes. */
const chooseLargeFile = (page: Page) =>
  page.locator('main input[type=file]').evaluate((input: HTMLInputElement) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(60 * 2 ** 20).fill(9)], '录像.bin'))
    input.files = data.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })

/** A busy machine sends or recognises slowly; the limit is only for failed tests. */
const SLOW = { timeout: 200_000 }

test('a large file goes in slices; cut, paused and after a reload it goes on where it was', async () => {
  const client = await world.user()
  const { uuid } = await client.call('GET /api/user/info', {})
  await world.db().execute(sql`UPDATE users SET level = 'pro-2' WHERE id = ${uuid}`)
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
  await expect(queue(page)).toContainText(filesText.cut(83), SLOW)
  await picker(page).setInputFiles(toFile('另一个.txt', '等一等'))
  await expect(page.getByText(uploadMessages.unfinished)).toBeVisible()
  await button(page, filesText.pause('录像.bin')).click()
  await expect(queue(page)).toContainText(filesText.paused(83))

  await page.reload()
  await expect(queue(page)).toHaveCount(0)
  await chooseLargeFile(page)
  await expect(queue(page)).toContainText(filesText.cut(83), SLOW)
  isCut = false
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(documents(page).filter({ hasText: '录像.bin' })).toBeVisible(SLOW)
  expect(parts).toEqual(['1', '2'])
})

test('a recording is played from a sentence on, slides stand one below the other, and sheets are chosen by their names', async () => {
  const segments = [
    { start: 0, end: 1.5, text: '问渠那得清如许？' },
    { start: 1.5, end: 2, text: '为有源头活水来。' },
  ]
  world.upstream.script('scripted-asr', { answer: { segments } })
  const pptx = makePptx([
    shape('渠', '<p:ph type="title"/>') + shape('源头\n活水'),
    shape('塘', '<p:ph type="title"/>'),
  ])
  const row = (n: number, text: string) =>
    `<row r="${n}"><c r="A${n}" t="inlineStr"><is><t>${text}</t></is></c><c r="B${n}"><v>${n}</v></c></row>`
  const rows = Array.from({ length: 80 }, (_, n) => row(n + 1, `第${n + 1}行`)).join('')
  const xlsx = makeXlsx({
    明细: `<sheetData>${rows}</sheetData>`,
    汇总: `<sheetData>${row(1, '合计')}${row(2, '总额')}</sheetData>`,
  })
  const wav = new Uint8Array(await createRecording(2).arrayBuffer())
  const client = await world.user()
  const [recording, slides, sheets] = await createDocuments(
    client,
    { name: '会议.wav', type: 'audio/wav', content: wav },
    { name: '读书.pptx', content: pptx },
    { name: '账目.xlsx', content: xlsx },
  )
  const page = await world.visit(recording!, { client })
  await expect(contents(page)).toContainText('为有源头活水来。')
  await expect(page.getByText(blocksText.recognised([1], 'file'))).toBeVisible()
  const player = page.getByLabel('会议.wav', { exact: true })
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeCloseTo(2, 1)
  await button(page, blocksText.seek('0:01')).click()
  await expect
    .poll(() => player.evaluate((audio: HTMLAudioElement) => audio.currentTime))
    .toBeGreaterThanOrEqual(1.5)

  await page.goto(world.url + slides!)
  const shown = contents(page).getByRole('article')
  await expect(shown).toHaveCount(2)
  await expect(shown.first()).toContainText(/第 1 张.*渠.*源头.*活水/s)
  await expect(shown.last()).toContainText(/第 2 张.*塘/s)

  await page.goto(world.url + sheets!)
  await expect(contents(page).getByRole('cell', { name: '第2行', exact: true })).toBeInViewport()
  const total = contents(page).getByRole('cell', { name: '总额' })
  await expect(total).not.toBeInViewport()
  await button(page, '汇总').click()
  await expect(total).toBeInViewport()
})

test('more of a document that does not come is told and asked for again, and what is there stays', async () => {
  const owner = await world.user()
  const poem = '半亩方塘一鉴开，天光云影共徘徊。问渠那得清如许？为有源头活水来。'.repeat(8)
  const content = Array.from({ length: 60 }, (_, n) => `# 第${n + 1}首\n\n${poem}`).join('\n\n')
  await createDocuments(owner, { name: '诗集.md', content })
  const page = await world.visit('/block', { client: owner, expectedErrors: /status of 500/ })
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

test('pages without text are read again from their pictures: free by the server, or by a model that says what it costs', async () => {
  const client = await world.user()
  const pdf = { name: '扫描.pdf', type: 'application/pdf', content: makeScannedPdf() }
  const [seen, recognised] = await createDocuments(client, pdf, {
    ...pdf,
    name: '又一份.pdf',
    content: Buffer.concat([pdf.content, Buffer.from('\n')]),
  })
  const page = await world.visit(seen!, { client })
  const report = page.getByRole('list', { name: blocksText.report })
  await page.getByText(blocksText.partRead(2, 3, 'page')).click()
  await expect(report).toContainText(blocksText.blank([2], 'page'))
  await expect(button(page, blocksText.rereadPages(1))).toBeVisible()
  await button(page, blocksText.rereadByModel).click()
  const dialog = page.getByRole('dialog', { name: blocksText.rereadByModelTitle(1) })
  await dialog.getByLabel(blocksText.visionModel).selectOption('seeing')
  await expect(dialog).toContainText(blocksText.rereadCost('1.00', 1))
  world.upstream.script('seeing', { text: '问渠那得清如许' })
  await button(page, blocksText.rereadStart).click()
  await expect(page.getByText(blocksText.recognised([2], 'page'))).toBeVisible(SLOW)
  await button(page, blocksText.text).click()
  await expect(contents(page)).toContainText('问渠那得清如许')

  await page.goto(world.url + recognised!)
  await page.getByText(blocksText.partRead(2, 3, 'page')).click()
  await button(page, blocksText.rereadPages(1)).click()
  await expect(page.getByText(blocksText.recognised([2], 'page'))).toBeVisible(SLOW)
  await button(page, blocksText.text).click()
  await expect(contents(page)).toContainText('Invoice 2026')
})
