import type { Page } from '@playwright/test'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { test } from 'vitest'
import { historyText } from '#web/text/history/history.ts'
import { shellText } from '#web/text/shell.ts'
import { sharesText } from '#web/text/shares.ts'
import { chatText } from '#web/text/chat.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { askAll, createComparison } from '../../compare/comparison.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'
import type { Client } from '../../world/client.ts'
import { modelNames } from '../../world/real-names.ts'
import { answers, composer, expect } from '../screen/chat-screen.ts'

const world = useBrowserWorld()
const TURNS = 4
const marks = Array.from({ length: TURNS }, (_, n) => `标记${n + 1}号`)
const LONG_LINE = `${'const very_long = 1; '.repeat(12)}END_OF_LINE`
const toAnswer = (mark: string): string =>
  [
    `${mark}答。`,
    `\`\`\`js\n${LONG_LINE}\n${'line\n'.repeat(45)}LAST_LINE\n\`\`\``,
    `| ${'列'.repeat(30)} | ${'宽'.repeat(30)} | 尾列 |\n|---|---|---|\n| 一 | 二 | 三 |`,
  ].join('\n\n')

/** Returns the text on paper, without white space, and the number of its pages. */
async function print(page: Page): Promise<{ text: string; pages: number }> {
  const file = await page.pdf({ format: 'A4' })
  const pdf = await getDocument({ data: new Uint8Array(file) }).promise
  let text = ''
  for (let n = 1; n <= pdf.numPages; n++) {
    const { items } = await (await pdf.getPage(n)).getTextContent()
    text += items.map((item) => ('str' in item ? item.str : '')).join('')
  }
  // The font maps 乙 to the radical that looks the same.
  return { text: text.normalize('NFKC').replace(/\s/g, ''), pages: pdf.numPages }
}

/** Opens a page that reads one turn or two at first, and no older ones except synchronously, as printing does. */
async function visitShortly(path: string, client: Client): Promise<Page> {
  const page = await world.visit('/healthz', { client })
  await page.route(/\/api\/(chat|compare)\/messages\?/, (route) => {
    const url = new URL(route.request().url())
    if (route.request().resourceType() !== 'fetch') return route.continue()
    if (url.searchParams.has('before')) return
    url.searchParams.set('size', '2')
    return route.continue({ url: url.href })
  })
  await page.goto(world.url + path)
  return page
}

test('a printed conversation has every turn and nothing that can be pressed, also where the screen has not read that far', async () => {
  const client = await world.user()
  let sessId: string | undefined
  for (const mark of marks) {
    world.upstream.script('scripted', { text: toAnswer(mark) })
    const answer = await client.ask(`${mark}问`, sessId ? { sess_id: sessId } : {})
    sessId = answer.sess_id
  }
  const page = await visitShortly(`/chat?sess_id=${sessId}`, client)
  await expect(answers(page).last()).toContainText(`${marks.at(-1)}答`)
  await expect(page.getByText(`${marks[0]}答`)).toHaveCount(0)
  await page.getByRole('button', { name: /的账户菜单$/ }).click()
  await page.getByRole('menuitemradio', { name: shellText.themes.dark }).click()
  await page.keyboard.press('Escape')
  await expect(page.locator('html')).toHaveClass(/dark/)
  await composer(page).fill('没有发送的草稿')
  await page.evaluate(() =>
    addEventListener('beforeprint', () => {
      const printed = document.querySelector('.printed')
      document.body.dataset.ink = printed ? getComputedStyle(printed).color : ''
    }),
  )
  const { text, pages } = await print(page)
  expect(marks.filter((mark) => !text.includes(`${mark}问`) || !text.includes(`${mark}答`))).toEqual([])
  expect(text.split('END_OF_LINE').length - 1).toBe(TURNS)
  expect(text.split('LAST_LINE').length - 1).toBe(TURNS)
  expect(pages).toBeGreaterThan(3)
  const screenOnly = [shellText.newChat, historyText.searchSessions, '没有发送的草稿', chatText.disclaimer]
  expect(screenOnly.filter((word) => text.includes(word))).toEqual([])
  // Paper has dark ink; afterwards the page is as before.
  await expect(page.locator('body')).toHaveAttribute('data-ink', 'rgb(29, 28, 25)')
  await expect(composer(page)).toHaveValue('没有发送的草稿')
  await expect(page.locator('html')).toHaveClass(/dark/)

  const { share } = await client.call('GET /api/chat/session/link', { query: { sess_id: sessId! } })
  await page.goto(`${world.url}/share/${share.id}`)
  await expect(page.getByText(`${marks.at(-1)}答`)).toBeVisible()
  const shared = await print(page)
  expect(marks.filter((mark) => !shared.text.includes(`${mark}答`))).toEqual([])
  expect(shared.text.split('LAST_LINE').length - 1).toBe(TURNS)
  expect(shared.pages).toBeGreaterThan(3)
  expect(
    [shellText.newChat, shellText.skip, sharesText.continue].filter((word) => shared.text.includes(word)),
  ).toEqual([])
})

test('a printed comparison has every question once and the answers of all models below it, whole, under their names', async () => {
  const client = await world.user()
  const { chatbot, sess_id } = await createComparison(client, ['scripted', 'flat'])
  const turns = Array.from({ length: 3 }, (_, n) => `第${n + 1}轮`)
  for (const turn of turns) {
    world.upstream.script('scripted', { text: toAnswer(`${turn}甲`) })
    world.upstream.script('flat', { text: toAnswer(`${turn}乙`) })
    await askAll(client, { chatbot, prompt: `${turn}问` })
  }
  const page = await visitShortly(`/compare?sess_id=${sess_id}`, client)
  await expect(page.getByText(`${turns.at(-1)}乙答`)).toBeVisible()
  await expect(page.getByText(`${turns[0]}甲答`)).toHaveCount(0)
  const { text } = await print(page)
  expect(turns.map((turn) => text.split(`${turn}问`).length - 1)).toEqual(turns.map(() => 1))
  expect(turns.filter((turn) => !text.includes(`${turn}甲答`) || !text.includes(`${turn}乙答`))).toEqual([])
  expect(text.split('END_OF_LINE').length - 1).toBe(2 * turns.length)
  expect(text.split('LAST_LINE').length - 1).toBe(2 * turns.length)
  for (const model of ['scripted', 'flat'] as const)
    expect(text.split(modelNames[model].replace(/\s/g, '')).length - 1).toBe(turns.length)
  expect([shellText.newChat, compareText.models].filter((word) => text.includes(word))).toEqual([])
})
