import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { beforeAll, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { translationProblems } from '#contract/translate/messages.ts'
import { taskMessages } from '#contract/uploads.ts'
import { openInput } from '#server/formats/reading/input.ts'
import { openPages } from '#server/formats/pdf/pages.ts'
import { blocksText } from '#web/text/blocks.ts'
import { documentsText as text } from '#web/text/translate/documents.ts'
import { tasksText } from '#web/text/translate/tasks.ts'
import { uiText } from '#web/text/ui.ts'
import { translateText } from '#web/text/translate/text.ts'
import { latin, makePdf } from '../../formats/make-pdf.ts'
import {
  makeDocx,
  replyWith,
  startTranslation,
  toChinese,
  waitForFailure,
  waitForTranslation,
} from '../../translate/document.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { button, expect, expectNotice, pageLabel } from '../screen/chat-screen.ts'
import { saveFile, unzip } from '../screen/downloads.ts'

const world = useBrowserWorld()
let client: Client
beforeAll(async () => {
  client = await world.user()
  // One coin a call.
  await client.call('PUT /api/user/model', { body: { model: 'flat' } })
})

/** The answer to a query for the block of a new file, which does not exist yet. */
const UNKNOWN_FILE = /status of 404.*\/api\/block\/md5/s

/** Makes a text long enough for a call of its own. */
const long = (part: string): string => `${part} ${'The river runs on and on to the sea. '.repeat(130)}`.trim()
const preview = (page: Page) => page.getByRole('region', { name: text.preview })
const report = (page: Page) => page.getByRole('region', { name: text.report })
const task = (page: Page, name: string) =>
  page.getByRole('list', { name: tasksText.list }).getByRole('listitem').filter({ hasText: name }).first()

async function addFile(page: Page, name: string, content: Buffer): Promise<void> {
  await page.locator('main input[type=file]').setInputFiles({ name, mimeType: '', buffer: content })
}

test('a file is uploaded, estimated, translated before one’s eyes, reported on and saved', async () => {
  const page = await world.visit('/fanyi?model=flat', { client, expectedErrors: UNKNOWN_FILE })
  await page.getByRole('link', { name: translateText.modeNames.file }).click()
  const texts = [
    ...[1, 2, 3].map((n) => long(`Part ${n} of the book.`)),
    'The cut sentence has number 18 in it.',
  ]
  await addFile(page, '书.docx', makeDocx(texts))
  await expect(page.getByText(/大约 [34]\.00 金币/)).toBeVisible()
  await expect(page.getByText(text.segments(4))).toBeVisible()
  const translate = (one: string) => toChinese(one.replace('18', ''))
  world.upstream.script(
    'flat',
    { reply: replyWith(translate) },
    { reply: replyWith(translate), stall: 'headers' },
  )
  await page.getByRole('button', { name: text.start }).click()
  await expect(page).toHaveURL(/task=/)
  // The preview grows: the first call's texts are there before the others come.
  await expect(page.getByText(/已译 [12] \/ 4 段/)).toBeVisible()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await expect(button(page, text.download)).toHaveCount(0)
  world.upstream.script('flat', { reply: replyWith(translate) })
  world.upstream.release()
  await expect(page.getByText(text.state.done)).toBeVisible()
  await expect(report(page)).toContainText(text.reportDone(4, 4))
  await report(page).getByText(text.reportFailed(1)).click()
  await report(page)
    .getByRole('button', { name: /number 18/ })
    .click()
  await expect(preview(page).locator('[data-text="4"]')).toContainText(toChinese('cut'))
  const saved = await saveFile(page, () => button(page, text.download).click())
  expect(saved.name).toBe('书.zh-CN.docx')
  expect(unzip(saved.bytes).get('word/document.xml')).toContain('译 1 译')
  const bilingual = await saveFile(page, () => button(page, text.downloadBilingual).click())
  expect(unzip(bilingual.bytes).get('word/document.xml')).toContain('Part 1 of the book.')
})

test('a text that is asked for a second time loses the warning of the first; a translation that is stopped keeps what there is, and goes on with the rest', async () => {
  const withoutNumber = replyWith((one) => toChinese(one.replace('27', '')))
  world.upstream.script('flat', { reply: withoutNumber }, { reply: replyWith(), stall: 'headers' })
  const content = makeDocx(['The torn page has number 27 on it.'])
  const started = await startTranslation(world, client, { name: '再.docx', content })
  const page = await world.visit(`/fanyi?task=${started.task}`, { client })
  const shown = preview(page).locator('[data-text="1"]')
  await expect(shown).toContainText(translationProblems.numbers)
  world.upstream.release()
  await expect(page.getByText(text.state.done)).toBeVisible()
  await expect(shown).toContainText(toChinese('number 27 on'))
  await expect(shown).not.toContainText(translationProblems.numbers)

  const texts = [1, 2, 3, 4, 5, 6].map((n) => long(`Chapter ${n} of the story.`))
  world.upstream.script('flat', { reply: replyWith() }, { reply: replyWith() }, { stall: 'headers' })
  const stopped = await startTranslation(world, client, { name: '停.docx', content: makeDocx(texts) })
  await page.goto(`${world.url}/fanyi?task=${stopped.task}`)
  await expect(page.getByText(text.progress(2, 6))).toBeVisible()
  await button(page, text.stop).click()
  await expect(page.getByText(errors.task_cancelled.message)).toBeVisible()
  await expect(report(page)).toContainText(text.reportDone(2, 6))
  const saved = await saveFile(page, () => button(page, text.downloadPartial).click())
  expect(
    unzip(saved.bytes)
      .get('word/document.xml')!
      .match(/译 \d 译/g),
  ).toHaveLength(2)
  world.upstream.release()
  world.upstream.script('flat', { reply: replyWith() })
  await button(page, text.retry).click()
  await expect(page.getByText(text.state.done)).toBeVisible()
  await expect(page.getByText(text.costSoFar('6.00'))).toBeVisible()
})

test('more of a translation that does not come is told and asked for again; a PDF is shown page by page, and saved as a web page and as page pairs', async () => {
  world.upstream.script('flat', { reply: replyWith() })
  const texts = Array.from(
    { length: 60 },
    (_, n) => `Verse ${n + 1} of the song, ${'on and on '.repeat(12)}.`,
  )
  const started = await startTranslation(world, client, { name: '歌.docx', content: makeDocx(texts) })
  await waitForTranslation(client, started.task)
  const pdf = await startTranslation(world, client, {
    name: '页.pdf',
    content: makePdf(
      ['The first page.', 'The second page.'].map((words) => ({ content: latin(60, 700, words) })),
    ),
  })
  await waitForTranslation(client, pdf.task)
  const page = await world.visit(`/fanyi?task=${pdf.task}`, { client, expectedErrors: /status of 500/ })
  await expect(preview(page)).toContainText(blocksText.page(2))
  await expect(preview(page).locator('[data-text="2"]')).toContainText(toChinese('The second page.'))
  await expect(report(page)).toContainText(text.pdfHint)
  const beside = await saveFile(page, () => button(page, text.downloadPdf).click())
  expect(beside.name).toBe('页.zh-CN.html')
  const html = beside.bytes.toString()
  expect(html).toContain(toChinese('The second page.'))
  expect(html).toContain('data:image/jpeg')
  const pairs = await saveFile(page, () => button(page, text.downloadPdfBilingual).click())
  expect(pairs.name).toBe('页.zh-CN.pdf')
  const pages = await openPages(openInput({ bytes: pairs.bytes }))
  expect(pages.count).toBe(4)
  await pages.close()

  const more: number[] = []
  await page.route('**/api/task/*/result?*', async (route) => {
    const after = Number(new URL(route.request().url()).searchParams.get('after'))
    if (after > texts.length) return route.continue()
    if (after > 0) {
      more.push(after)
      return route.fulfill({ status: 500, body: '{}' })
    }
    // Takes a short part, as if the document went on.
    const response = await route.fetch()
    const json = (await response.json()) as { data: { items: unknown[]; has_more: boolean } }
    json.data = { ...json.data, items: json.data.items.slice(0, 20), has_more: true }
    return route.fulfill({ response, json })
  })
  await page.goto(`${world.url}/fanyi?task=${started.task}`)
  await expect(preview(page)).toContainText('Verse 1 of')
  await preview(page).hover()
  await page.mouse.wheel(0, 100_000)
  await expect(page.getByRole('alert')).toContainText(text.textsFailed)
  await page.mouse.wheel(0, -100_000)
  await expect(preview(page)).toContainText('Verse 1 of')
  await page.mouse.wheel(0, 100_000)
  await expect(preview(page)).not.toContainText('Verse 1 of')
  // Scrolling does not repeat a failed request.
  expect(more).toHaveLength(1)
  await page.unroute('**/api/task/*/result?*')
  await page.getByRole('alert').getByRole('button', { name: uiText.retry }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  // The loaded rows may not be drawn at the first turn of the wheel.
  const scrollToEnd = async () => {
    await page.mouse.wheel(0, 100_000)
    return preview(page).textContent()
  }
  await expect.poll(scrollToEnd).toContain('Verse 60 of')
})

test('tasks are listed with their progress; previewed, retried, stopped and deleted, in the words of the specification', async () => {
  world.upstream.script('flat', { reply: replyWith() })
  const done = await startTranslation(world, client, {
    name: '完成.docx',
    content: makeDocx(['It is done now.']),
  })
  await waitForTranslation(client, done.task)
  world.upstream.script('flat', { status: 500 })
  const failed = await startTranslation(world, client, {
    name: '失败.docx',
    content: makeDocx(['It fails here.']),
  })
  await waitForFailure(client, world.db(), failed.task)
  world.upstream.script('flat', { reply: replyWith(), stall: 'headers' })
  await startTranslation(world, client, { name: '进行.docx', content: makeDocx(['It is under way.']) })

  const page = await world.visit('/chat', { client, expectedErrors: /status of (404|500)/ })
  await page.getByRole('button', { name: /账户菜单/ }).click()
  await page.getByRole('menuitem', { name: pageLabel('Task', 'account') }).click()
  await task(page, '进行.docx')
    .getByRole('button', { name: tasksText.previewOf('进行.docx') })
    .click()
  await expect(page.getByText(taskMessages.running)).toBeVisible()
  await task(page, '失败.docx')
    .filter({ hasText: tasksText.kinds.translation! })
    .getByText(tasksText.preview)
    .click()
  await expect(page.getByText(taskMessages.failed)).toBeVisible()

  // The page updates without a reload. A later call must not be held.
  world.upstream.script('flat', { reply: replyWith() })
  world.upstream.release()
  await expect(task(page, '进行.docx')).toContainText(tasksText.states[2])
  await page.route('**/api/task/*/retry', (route) => route.fulfill({ status: 500, json: {} }))
  await expectNotice(page, taskMessages.retry_failed, () =>
    button(page, tasksText.retryOf('失败.docx')).click(),
  )
  await page.unrouteAll()
  await expectNotice(page, tasksText.retried, () => button(page, tasksText.retryOf('失败.docx')).click())
  await expect(task(page, '失败.docx')).toContainText(tasksText.states[2])

  await page.route('**/api/task/*/result*', (route) => route.fulfill({ status: 500, json: {} }))
  await task(page, '完成.docx').getByText(tasksText.preview).click()
  await expect(page.getByText(taskMessages.preview_failed)).toBeVisible()
  await page.unrouteAll()
  await page.route('**/api/task/*', (route) => route.fulfill({ status: 500, json: {} }))
  const remove = async () => {
    await task(page, '完成.docx')
      .getByRole('button', { name: tasksText.menu('完成.docx') })
      .click()
    await page.getByRole('menuitem', { name: tasksText.remove }).click()
    await page.getByRole('dialog').getByRole('button', { name: tasksText.remove }).click()
  }
  await remove()
  await expect(page.getByText(taskMessages.delete_failed)).toBeVisible()
  await page.unrouteAll()
  await expectNotice(page, tasksText.removed, remove)
  await expect(page.getByRole('link', { name: '完成.docx' })).toHaveCount(0)
  await page.getByRole('link', { name: '失败.docx' }).click()
  await expect(preview(page)).toContainText(toChinese('It fails here.'))

  await page.route('**/api/tasks*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`${world.url}/profile/tasks`)
  await expect(page.getByText(taskMessages.list_failed)).toBeVisible()
})

test('fifteen tasks are a page; who has none is shown the way', async () => {
  const other = await world.user()
  const page = await world.visit('/profile/tasks', { client: other })
  await expect(page.getByText(tasksText.empty)).toBeVisible()
  await expect(page.getByRole('link', { name: tasksText.emptyAction })).toHaveAttribute(
    'href',
    '/fanyi?mode=file',
  )
  // Rows without running tasks: only the list is tested.
  const { uuid } = await other.call('GET /api/user/info', {})
  await world.db().execute(sql`
    INSERT INTO tasks (id, user_id, account_id, kind, name, payload, state, ended_at)
    SELECT gen_random_uuid(), ${uuid}, ${uuid}, 'reading', n || '.txt', '{}', 'done', now() FROM generate_series(1, 18) n`)
  await page.reload()
  const rows = page.getByRole('list', { name: tasksText.list }).getByRole('listitem')
  await expect(rows).toHaveCount(15)
  await button(page, uiText.nextPage).click()
  await expect(rows).toHaveCount(3)
  await expect(page.getByText(uiText.page(16, 18, 18))).toBeVisible()
})
