import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { askAlreadyIn } from '#contract/translate/detect-language.ts'
import { targetLanguages } from '#contract/translate/languages.ts'
import { translationProblems } from '#contract/translate/messages.ts'
import { taskMessages } from '#contract/uploads.ts'
import { blocksText } from '#web/text/blocks.ts'
import { documentsText as text } from '#web/text/translate/documents.ts'
import { tasksText } from '#web/text/translate/tasks.ts'
import { uiText } from '#web/text/ui.ts'
import { translateText } from '#web/text/translate/text.ts'
import { latin, makePdf } from '../../formats/make-pdf.ts'
import { makeDocx, replyWith, startTranslation, toChinese, waitForFailure } from '../../translate/document.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { button, expect, expectNotice, pageLabel } from '../screen/chat-screen.ts'
import { saveFile, unzip } from '../screen/downloads.ts'

const world = useBrowserWorld()
/** Creates a person whose translations cost one coin a call. */
async function createTranslator(): Promise<Client> {
  const client = await world.user()
  await client.call('PUT /api/user/model', { body: { model: 'flat' } })
  return client
}

/** Makes a text long enough for a call of its own. */
const long = (part: string): string => `${part} ${'The river runs on and on to the sea. '.repeat(130)}`.trim()
const preview = (page: Page) => page.getByRole('region', { name: text.preview })
const report = (page: Page) => page.getByRole('region', { name: text.report })
const task = (page: Page, name: string) =>
  page.getByRole('list', { name: tasksText.list }).getByRole('listitem').filter({ hasText: name }).first()

/** Presses buttons that save the document, and returns its mode in each request. The files, each made by a process, do not come. */
async function listSavedModes(page: Page, labels: string[]): Promise<(string | null)[]> {
  const modes: (string | null)[] = []
  await page.route('**/api/task/*/file?*', async (route) => {
    modes.push(new URL(route.request().url()).searchParams.get('mode'))
    await route.fulfill({ body: '' })
  })
  for (const label of labels) await saveFile(page, () => button(page, label).click())
  await page.unroute('**/api/task/*/file?*')
  return modes
}

async function addFile(page: Page, name: string, content: Buffer): Promise<void> {
  await page.locator('main input[type=file]').setInputFiles({ name, mimeType: '', buffer: content })
}

test('a file is uploaded, estimated, translated before one’s eyes, stopped with what there is, gone on with, reported on and saved; tasks are listed by page with their progress; previewed, shown as they come, retried and deleted, in the words of the specification; a PDF is saved as a web page and as page pairs', async () => {
  const client = await createTranslator()
  const page = await world.visit('/fanyi?model=flat', { client, expectedErrors: /status of (404|500)/ })
  await page.getByRole('link', { name: translateText.modeNames.file }).click()
  const texts = [
    ...[1, 2, 3].map((n) => long(`Part ${n} of the book.`)),
    'The cut sentence has number 18 in it.',
  ]
  await addFile(page, '书.docx', makeDocx(texts))
  await expect(page.getByText(/大约 [34]\.00 金币/)).toBeVisible()
  await expect(page.getByText(text.segments(4))).toBeVisible()
  const target = page.getByLabel(translateText.target)
  const alreadyThere = page.getByText(askAlreadyIn(targetLanguages.en))
  await target.selectOption('en')
  await expect(alreadyThere).toBeVisible()
  await target.selectOption('zh-CN')
  await expect(alreadyThere).toBeHidden()
  const translate = (one: string) => toChinese(one.replace('18', ''))
  world.upstream.script('flat', { reply: replyWith(translate) }, { stall: 'headers' })
  await page.getByRole('button', { name: text.start }).click()
  await expect(page).toHaveURL(/task=/)
  // The preview grows: the first call's texts are there before the others come.
  await expect(page.getByText(/已译 [12] \/ 4 段/)).toBeVisible()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await expect(button(page, text.download)).toHaveCount(0)
  await button(page, text.stop).click()
  await expect(page.getByText(errors.task_cancelled.message)).toBeVisible()
  await expect(report(page)).toContainText(/4 段中译出 [12] 段/)
  expect(await listSavedModes(page, [text.downloadPartial])).toEqual(['translated'])

  world.upstream.release()
  world.upstream.script('flat', { reply: replyWith(translate) })
  await button(page, text.retry).click()
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
  expect(await listSavedModes(page, [text.downloadBilingual])).toEqual(['bilingual'])

  const { uuid } = await client.call('GET /api/user/info', {})
  world.upstream.script('flat', { status: 500 })
  const pages = ['The first page.', 'The second page.'].map((words) => ({ content: latin(60, 700, words) }))
  const failed = await startTranslation(world, client, { name: '失败.pdf', content: makePdf(pages) })
  await waitForFailure(client, world.db(), failed.task)
  const withoutNumber = replyWith((one) => toChinese(one.replace('27', '')))
  world.upstream.script('flat', { reply: withoutNumber }, { reply: replyWith(), stall: 'headers' })
  const content = makeDocx(['The torn page has number 27 on it.'])
  await startTranslation(world, client, { name: '进行.docx', content })
  // Older rows, so that there are two pages.
  await world.db().execute(sql`
    INSERT INTO tasks (id, user_id, account_id, kind, name, payload, state, created_at, ended_at)
    SELECT gen_random_uuid(), ${uuid}, ${uuid}, 'reading', n || '.txt', '{}', 'done', now() - interval '1 day', now()
    FROM generate_series(1, 14) n`)

  await page.getByRole('button', { name: /账户菜单/ }).click()
  await page.getByRole('menuitem', { name: pageLabel('Task', 'account') }).click()
  const { total } = await client.call('GET /api/tasks', { query: {} })
  const rows = page.getByRole('list', { name: tasksText.list }).getByRole('listitem')
  await expect(rows).toHaveCount(15)
  await button(page, uiText.nextPage).click()
  await expect(rows).toHaveCount(total - 15)
  await expect(page.getByText(uiText.page(16, total, total))).toBeVisible()
  await button(page, uiText.previousPage).click()

  await task(page, '失败.pdf')
    .filter({ hasText: tasksText.kinds.translation! })
    .getByText(tasksText.preview)
    .click()
  await expect(page.getByText(taskMessages.failed)).toBeVisible()
  await task(page, '进行.docx')
    .getByRole('button', { name: tasksText.previewOf('进行.docx') })
    .click()
  await expect(page.getByText(taskMessages.running)).toBeVisible()
  await page.getByRole('link', { name: '进行.docx' }).click()
  const shown = preview(page).locator('[data-text="1"]')
  await expect(shown).toContainText(translationProblems.numbers)
  // A later call must not be held.
  world.upstream.script('flat', { reply: replyWith() })
  world.upstream.release()
  await expect(page.getByText(text.state.done)).toBeVisible()
  await expect(shown).toContainText(toChinese('number 27 on'))
  await expect(shown).not.toContainText(translationProblems.numbers)

  await page.goBack()
  await expect(task(page, '进行.docx')).toContainText(tasksText.states[2])
  await page.route('**/api/task/*/retry', (route) => route.fulfill({ status: 500, json: {} }))
  await expectNotice(page, taskMessages.retry_failed, () =>
    button(page, tasksText.retryOf('失败.pdf')).click(),
  )
  await page.unrouteAll()
  await expectNotice(page, tasksText.retried, () => button(page, tasksText.retryOf('失败.pdf')).click())
  // The page updates without a reload.
  await expect(task(page, '失败.pdf')).toContainText(tasksText.states[2])
  await page.getByRole('link', { name: '失败.pdf' }).click()
  await expect(preview(page)).toContainText(blocksText.page(2))
  await expect(preview(page).locator('[data-text="2"]')).toContainText(toChinese('The second page.'))
  await expect(report(page)).toContainText(text.pdfHint)
  const beside = await saveFile(page, () => button(page, text.downloadPdf).click())
  expect(beside.name).toBe('失败.zh-CN.html')
  const html = beside.bytes.toString()
  expect(html).toContain(toChinese('The second page.'))
  expect(html).toContain('data:image/jpeg')
  expect(await listSavedModes(page, [text.downloadPdfBilingual])).toEqual(['bilingual'])

  await page.goBack()
  await page.route('**/api/task/*/result*', (route) => route.fulfill({ status: 500, json: {} }))
  await task(page, '进行.docx').getByText(tasksText.preview).click()
  await expect(page.getByText(taskMessages.preview_failed)).toBeVisible()
  await page.unrouteAll()
  await page.route('**/api/task/*', (route) => route.fulfill({ status: 500, json: {} }))
  const remove = async () => {
    await task(page, '进行.docx')
      .getByRole('button', { name: tasksText.menu('进行.docx') })
      .click()
    await page.getByRole('menuitem', { name: tasksText.remove }).click()
    await page.getByRole('dialog').getByRole('button', { name: tasksText.remove }).click()
  }
  await remove()
  await expect(page.getByText(taskMessages.delete_failed)).toBeVisible()
  await page.unrouteAll()
  await expectNotice(page, tasksText.removed, remove)
  await expect(page.getByRole('link', { name: '进行.docx' })).toHaveCount(0)
})
