import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { blocksText } from '#web/text/blocks.ts'
import { chatText } from '#web/text/chat.ts'
import { attachmentsText } from '#web/text/attachments.ts'
import { markdownText } from '#web/text/markdown.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { upload, waitUntilRead } from '../../files/upload.ts'
import { latin, makePdf } from '../../formats/make-pdf.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { answers, ask, button, composer, expect, expectAnswer, questions } from '../screen/chat-screen.ts'

const world = useBrowserWorld()
/** The answer to a query for the block of a new file, which does not exist yet. */
const UNKNOWN_FILE = /status of 404.*\/api\/block\/md5/s
const POEM = '# 其一\n\n半亩方塘一鉴开，天光云影共徘徊。\n\n# 其二\n\n问渠那得清如许？为有源头活水来。'

/** Occurs only in the prompt of a summary: another test's conversation may get its title meanwhile. */
const SUMMARY = '只输出一个 JSON 对象'

const chips = (page: Page) =>
  page.getByRole('list', { name: attachmentsText.attachments }).getByRole('listitem')
const picker = (page: Page) => page.locator('main input[type=file]')
/** The offer to write a summary, with its price. */
const offer = (page: Page) => page.getByRole('button', { name: /^生成摘要 · (免费|约 [\d.]+ 金币)$/ })
const contents = (page: Page) => page.getByRole('region', { name: blocksText.contents })
const citation = (page: Page, n: number) =>
  answers(page)
    .last()
    .getByRole('link', { name: markdownText.cite(n, '观书有感.md') })

test('a file beside a question is removed again or says why it cannot be read; one that is read is sent with it, and its passage is cited', async () => {
  const page = await world.visit('/chat', { client: await world.user(), expectedErrors: UNKNOWN_FILE })
  await composer(page).fill('看看')
  await picker(page).setInputFiles({
    name: '坏.bin',
    mimeType: '',
    buffer: Buffer.from([0, 1, 2, 255, 254, 0, 9]),
  })
  await expect(chips(page).locator('.text-danger')).toContainText(/[一-鿿]/)
  await expect(button(page, chatText.send)).toBeDisabled()
  await button(page, attachmentsText.remove('坏.bin')).click()
  await expect(button(page, chatText.send)).toBeEnabled()
  // A long paste becomes a file.
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    Array.from({ length: 20_000 }, (_, n) => `第${n}行`).join('\n'),
  )
  await composer(page).focus()
  await page.keyboard.press('Control+V')
  await expect(chips(page)).toContainText(attachmentsText.pastedName)
  await expect(chips(page)).toContainText(/已就绪/)
  await expect(composer(page)).toHaveValue('看看')
  await button(page, attachmentsText.remove(attachmentsText.pastedName)).click()
  await expect(chips(page)).toHaveCount(0)

  world.upstream.script('scripted', { text: '因为有源头活水[2]。' })
  await composer(page).fill('为什么这么清？')
  await picker(page).setInputFiles({ name: '观书有感.md', mimeType: '', buffer: Buffer.from(POEM) })
  await expect(chips(page)).toContainText(/已就绪 · \d+ 字/)
  await button(page, chatText.send).click()
  await expect(chips(page)).toHaveCount(0)
  await expect(answers(page).last()).toContainText('因为有源头活水')
  await expect(page.getByRole('list', { name: webSearchText.passages })).toContainText('观书有感.md')
  await expect(page.getByRole('listitem').filter({ hasText: '观书有感.md' }).first()).toBeVisible()
  await expect(questions(page)).toHaveText('为什么这么清？')
  const summary = { summary: '两首读书的诗。', questions: ['写了什么景？', '活水指什么？', '作者是谁？'] }
  world.upstream.script('scripted', { text: JSON.stringify(summary), when: SUMMARY })
  await citation(page, 2).click()
  await expect(page.getByRole('heading', { level: 1, name: '观书有感.md' })).toBeVisible()
  await expect(contents(page).locator('[data-target]')).toContainText('问渠那得清如许')
  await offer(page).click()
  await expect(page.getByText(summary.summary)).toBeVisible()
  await expect(button(page, '活水指什么？')).toBeVisible()
})

test('the document over a question says why it is not shown: it is gone, or cannot be read just now', async () => {
  world.upstream.script('scripted', { text: '好。' })
  const client = await world.user()
  const { id } = await upload(world, client, { name: '短.md', content: '别的诗。', channel: 'block' })
  await waitUntilRead(client, id)
  const { session } = await client.call('POST /api/chat/session/new', { body: {} })
  const sessId = session.id
  await client.ask('写的什么？', { block: id, sess_id: sessId })
  const page = await world.visit('/chat', { client, expectedErrors: /status of (404|500)/ })
  await page.route(`**/api/block/${id}`, (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto(`${world.url}/chat?sess_id=${sessId}`)
  const cards = page.getByRole('list', { name: blocksText.title })
  await expect(cards).toContainText(blocksText.detailFailed)
  await page.unrouteAll()
  await page.reload()
  await expect(cards.getByRole('link')).toContainText('短.md')
  await client.call('DELETE /api/block/{id}', { params: { id } })
  await page.reload()
  await expect(cards).toContainText(blocksText.gone)
})

test('a visitor without an account is offered no files', async () => {
  const page = await world.visit('/chat')
  await expect(button(page, chatText.prompts)).toBeVisible()
  await expect(button(page, chatText.attach)).toHaveCount(0)
})

test('a document tells what it is about and is asked about beside it; a citation marks the passage, also where both are tabs of a phone', async () => {
  const client = await world.user()
  const { id } = await upload(world, client, { name: '观书有感.md', content: POEM, channel: 'block' })
  await waitUntilRead(client, id)
  const written = { summary: '两首读书的诗。', questions: ['写了什么景？', '活水指什么？', '作者是谁？'] }
  world.upstream.script(
    'scripted',
    { text: JSON.stringify(written), when: SUMMARY },
    { text: '天光云影[1]，源头活水[2]。' },
  )
  const page = await world.visit(`/block/${id}`, { client })
  // The field takes the focus when it comes.
  await expect(composer(page)).toBeFocused()
  const suggested = page.getByRole('list', { name: blocksText.questions }).getByRole('button')
  // Nothing is written, or charged, before it is asked for.
  await expect(suggested).toHaveText(blocksText.suggestions)
  await offer(page).click()
  await expect(page.getByText(written.summary)).toBeVisible()
  await expect(offer(page)).toHaveCount(0)
  await expect(suggested).toHaveText(written.questions)
  await suggested.nth(1).click()
  await expect(questions(page)).toHaveText('活水指什么？')
  await expect(answers(page).last()).toContainText('源头活水')
  await citation(page, 2).click()
  await expect(contents(page).locator('[data-target]')).toContainText('问渠那得清如许')
  await citation(page, 1).click()
  await expect(contents(page).locator('[data-target]')).toContainText('半亩方塘')
  const divider = page.getByRole('separator', { name: blocksText.resize })
  const before = Number(await divider.getAttribute('aria-valuenow'))
  await divider.press('ArrowLeft')
  await expect(divider).toHaveAttribute('aria-valuenow', String(before - 2))

  // The conversation and the divider come back after a reload.
  await page.reload()
  await expect(questions(page)).toHaveText('活水指什么？')
  await expect(divider).toHaveAttribute('aria-valuenow', String(before - 2))
  world.upstream.script('scripted', { text: '朱熹。' })
  await ask(page, '谁写的？')
  await expectAnswer(page, '朱熹。')
  await button(page, chatText.newSession).click()
  await expect(page.getByText(written.summary)).toBeVisible()

  await page.setViewportSize({ width: 390, height: 780 })
  await page.reload()
  await expect(contents(page)).toBeVisible()
  await button(page, blocksText.chatTab).click()
  await expect(contents(page)).toBeHidden()
  world.upstream.script('scripted', { text: '看这里[2]。' })
  await ask(page, '在哪里？')
  await expect(answers(page).last()).toContainText('看这里')
  await citation(page, 2).click()
  await expect(contents(page).locator('[data-target]')).toContainText('问渠那得清如许')
})

/** Returns the marked text of the document, without spaces. */
const readMarked = (page: Page) =>
  page.evaluate(() =>
    [...(CSS.highlights.get('passage') ?? [])].map((range) =>
      (range as Range).toString().replaceAll(/\s/g, ''),
    ),
  )

test('a citation of a PDF leads to its page and marks the passage there, and in what was read of it', async () => {
  const line = (at: number, text: string) => latin(72, 800 - at * 8, text, 7)
  const pages = ['Spring', 'Autumn'].map((season) => {
    const lines = Array.from({ length: 90 }, (_, n) => line(n, `${season} sentence ${n} tells of the`))
    return {
      content: `${lines.join('\n')}\n${line(90, `canal and of its source in ${season.toLowerCase()}.`)}`,
    }
  })
  const client = await world.user()
  const name = '渠.pdf'
  const content = makePdf(pages)
  const { id } = await upload(world, client, { name, type: 'application/pdf', content, channel: 'block' })
  await waitUntilRead(client, id)
  const summary = { summary: '渠的春秋。', questions: ['渠从哪里来？', '秋天呢？', '有多长？'] }
  world.upstream.script(
    'scripted',
    { text: JSON.stringify(summary), when: SUMMARY },
    { text: '先[1]，后[4]。' },
  )
  const page = await world.visit(`/block/${id}`, { client })
  await offer(page).click()
  await expect(page.getByText(summary.summary)).toBeVisible()
  await ask(page, '渠从哪里来？')
  await expect(answers(page).last()).toContainText('后')
  const cite = (n: number) =>
    answers(page)
      .last()
      .getByRole('link', { name: markdownText.cite(n, name) })
  await cite(4).click()
  const target = page.getByRole('region', { name: blocksText.document }).locator('[data-target]')
  await expect(target).toHaveAttribute('data-page', '2')
  await expect.poll(() => readMarked(page)).toEqual([expect.stringMatching(/Autumnsentence89.*inautumn$/)])
  // The passage is at the end of the page, which must be in sight.
  await expect(target.getByText('canal and of its source')).toBeInViewport()
  await cite(1).click()
  await expect(target).toHaveAttribute('data-page', '1')
  await expect.poll(() => readMarked(page)).toEqual([expect.stringMatching(/^Springsentence0/)])
  await button(page, blocksText.text).click()
  await expect(contents(page).locator('[data-target]')).toContainText('Spring sentence 0')
  await expect.poll(() => readMarked(page)).toEqual([expect.stringMatching(/^Springsentence0/)])
})
