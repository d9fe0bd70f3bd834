import { test } from 'vitest'
import type { Page } from '@playwright/test'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { shellText } from '#web/text/shell.ts'
import { answers, composer, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()
const TURNS = 14
const mark = (turn: number) => `盘点编号HD${String(turn).padStart(3, '0')}`

/** The text of the pages of a print, without blanks. */
async function print(page: Page): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(await page.pdf()) }).promise
  const texts: string[] = []
  for (let n = 1; n <= document.numPages; n++) {
    const { items } = await (await document.getPage(n)).getTextContent()
    texts.push(
      items
        .map((item) => ('str' in item ? item.str : ''))
        .join('')
        .replace(/\s/g, ''),
    )
  }
  return texts
}

test('a conversation is printed whole, whatever is on the screen, and nothing of the page around it', async () => {
  const client = await world.user()
  const { session } = await client.call('POST /api/chat/session/new', { body: { chatbot: 'dati' } })
  for (let turn = 1; turn <= TURNS; turn++) {
    const text = `**${mark(turn)}**：期末库存 $x_{${turn}}^2$。\n\n${'经销商已经核对账面与实盘的差异。'.repeat(60)}`
    world.upstream.script('scripted', { text })
    await client.ask(`第${turn}问`, { sess_id: session.id })
  }
  const page = await world.visit(`/chat?sess_id=${session.id}`, { client, look: 'dark' })
  await expect(answers(page).last()).toContainText(mark(TURNS))
  await composer(page).fill('没有问出去的话')
  await page.waitForLoadState('networkidle')
  const texts = await print(page)
  expect(texts.length).toBeGreaterThan(3)
  const whole = texts.join('')
  for (let turn = 1; turn <= TURNS; turn++) {
    expect(whole).toContain(`第${turn}问`)
    expect(whole).toContain(mark(turn))
  }
  for (const word of [shellText.newChat, '没有问出去的话']) expect(whole).not.toContain(word)
  // The screen is as it was.
  await expect(composer(page)).toHaveValue('没有问出去的话')
  await expect(page.locator('.printed')).toHaveCount(0)

  const { share } = await client.call('GET /api/chat/session/link', { query: { sess_id: session.id } })
  await page.goto(`${world.url}/share/${share.id}`)
  await expect(page.getByText(mark(1))).toBeVisible()
  const shared = await print(page)
  expect(shared.length).toBeGreaterThan(3)
  for (let turn = 1; turn <= TURNS; turn++) expect(shared.join('')).toContain(mark(turn))
  expect(shared.join('')).not.toContain(shellText.newChat)
})
