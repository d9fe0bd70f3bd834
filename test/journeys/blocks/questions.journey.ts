import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { blocksText } from '#web/text/blocks.ts'
import { chatText } from '#web/text/chat.ts'
import { attachmentsText } from '#web/text/attachments.ts'
import { markdownText } from '#web/text/markdown.ts'
import { webSearchText } from '#web/text/webSearch.ts'
import { latin, makePdf } from '../../formats/make-pdf.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import { answers, ask, button, composer, expect, questions } from '../screen/chat-screen.ts'

const world = useBrowserWorld()
/** The answer to a query for the block of a new file, which does not exist yet. */
const UNKNOWN_FILE = /status of 404.*\/api\/block\/md5/s
/** Occurs only in the prompt of a summary: another test's conversation may get its title meanwhile. */
const SUMMARY = '只输出一个 JSON 对象'

const chips = (page: Page) =>
  page.getByRole('list', { name: attachmentsText.attachments }).getByRole('listitem')
const picker = (page: Page) => page.locator('main input[type=file]')
/** The offer to write a summary, with its price. */
const offer = (page: Page) => page.getByRole('button', { name: /^生成摘要 · (免费|约 [\d.]+ 金币)$/ })
const original = (page: Page) => page.getByRole('region', { name: blocksText.document })
const contents = (page: Page) => page.getByRole('region', { name: blocksText.contents })
const citation = (page: Page, n: number) =>
  answers(page)
    .last()
    .getByRole('link', { name: markdownText.cite(n, '渠.pdf') })
/** Returns the marked text of the document, without spaces. */
const readMarked = (page: Page) =>
  page.evaluate(() =>
    [...(CSS.highlights.get('passage') ?? [])].map((range) =>
      (range as Range).toString().replaceAll(/\s/g, ''),
    ),
  )
/** Returns the distance of the marked text from the top of the window, px. */
const getMarkedTop = (page: Page) =>
  page.evaluate(() => {
    const [range] = CSS.highlights.get('passage') ?? []
    return (range as Range | undefined)?.getClientRects()[0]?.top ?? Infinity
  })

/** Makes two pages, the second one with a passage at its end. */
function makeSeasons(): Buffer {
  const line = (at: number, text: string) => latin(72, 800 - at * 8, text, 7)
  const pages = ['Spring', 'Autumn'].map((season) => {
    const lines = Array.from({ length: 90 }, (_, n) => line(n, `${season} sentence ${n} tells of the`))
    return {
      content: `${lines.join('\n')}\n${line(90, `canal and of its source in ${season.toLowerCase()}.`)}`,
    }
  })
  return makePdf(pages)
}

test('a file beside a question is removed again or says why it cannot be read; one that is read is sent with it; its cited passage is marked in it, it tells what it is about and is asked about, also where both are tabs of a phone', async () => {
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
    Array.from({ length: 8_000 }, (_, n) => `第${n}行`).join('\n'),
  )
  await composer(page).focus()
  await page.keyboard.press('Control+V')
  await expect(chips(page)).toContainText(attachmentsText.pastedName)
  await expect(composer(page)).toHaveValue('看看')
  await button(page, attachmentsText.remove(attachmentsText.pastedName)).click()
  await expect(chips(page)).toHaveCount(0)

  world.upstream.script('scripted', { text: '因为有源头活水[4]。' })
  await composer(page).fill('为什么这么清？')
  await picker(page).setInputFiles({ name: '渠.pdf', mimeType: 'application/pdf', buffer: makeSeasons() })
  await expect(chips(page)).toContainText(/已就绪 · [\d,]+ 字/)
  await button(page, chatText.send).click()
  await expect(chips(page)).toHaveCount(0)
  await expect(answers(page).last()).toContainText('因为有源头活水')
  await expect(page.getByRole('list', { name: webSearchText.passages })).toContainText('渠.pdf')
  await expect(page.getByRole('list', { name: blocksText.title }).getByRole('link')).toContainText('渠.pdf')
  await expect(questions(page)).toHaveText(['为什么这么清？'])

  // In a low window the passage is below the first part of its page, and has to be brought into sight.
  await page.setViewportSize({ width: 1280, height: 500 })
  await citation(page, 4).click()
  await expect(page.getByRole('heading', { level: 1, name: '渠.pdf' })).toBeVisible()
  const target = original(page).locator('[data-target]')
  await expect(target).toHaveAttribute('data-page', '2')
  await expect.poll(() => readMarked(page)).toEqual([expect.stringMatching(/Autumnsentence89.*inautumn$/)])
  await expect.poll(() => getMarkedTop(page)).toBeLessThan(375)
  await page.setViewportSize({ width: 1280, height: 820 })
  // The field takes the focus when it comes.
  await expect(composer(page)).toBeFocused()
  const suggested = page.getByRole('list', { name: blocksText.questions }).getByRole('button')
  // Nothing is written, or charged, before it is asked for.
  await expect(suggested).toHaveText(blocksText.suggestions)
  const written = { summary: '渠的春秋。', questions: ['渠从哪里来？', '秋天呢？', '有多长？'] }
  world.upstream.script(
    'scripted',
    { text: JSON.stringify(written), when: SUMMARY },
    { text: '先[1]，后[4]。' },
  )
  await offer(page).click()
  await expect(page.getByText(written.summary)).toBeVisible()
  await expect(offer(page)).toHaveCount(0)
  await expect(suggested).toHaveText(written.questions)
  await suggested.nth(1).click()
  await expect(questions(page)).toHaveText(['秋天呢？'])
  await expect(answers(page).last()).toContainText('后')
  await citation(page, 1).click()
  await expect(target).toHaveAttribute('data-page', '1')
  await expect.poll(() => readMarked(page)).toEqual([expect.stringMatching(/^Springsentence0/)])
  await button(page, blocksText.text).click()
  await expect(contents(page).locator('[data-target]')).toContainText('Spring sentence 0')
  await expect.poll(() => readMarked(page)).toEqual([expect.stringMatching(/^Springsentence0/)])
  const divider = page.getByRole('separator', { name: blocksText.resize })
  const before = Number(await divider.getAttribute('aria-valuenow'))
  await divider.press('ArrowLeft')
  await expect(divider).toHaveAttribute('aria-valuenow', String(before - 2))

  // The conversation and the divider come back after a reload.
  await page.reload()
  await expect(questions(page)).toHaveText(['秋天呢？'])
  await expect(divider).toHaveAttribute('aria-valuenow', String(before - 2))
  await page.setViewportSize({ width: 390, height: 780 })
  await expect(original(page)).toBeVisible()
  await button(page, blocksText.chatTab).click()
  await expect(original(page)).toBeHidden()
  world.upstream.script('scripted', { text: '看这里[4]。' })
  await ask(page, '在哪里？')
  await expect(answers(page).last()).toContainText('看这里')
  await citation(page, 4).click()
  await expect(target).toHaveAttribute('data-page', '2')
  await expect(target).toBeVisible()
  await button(page, blocksText.chatTab).click()
  await button(page, chatText.newSession).click()
  await expect(page.getByText(written.summary)).toBeVisible()
})
