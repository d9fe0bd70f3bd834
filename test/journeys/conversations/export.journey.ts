import { test } from 'vitest'
import type { Page } from '@playwright/test'
import type { Client } from '../../world/client.ts'
import { encodePng } from '#web/conversations/export/picture/png.ts'
import { exportText } from '#web/text/export.ts'
import { messagesText } from '#web/text/messages.ts'
import { answers, button, expect, questions, readSettledText } from '../screen/chat-screen.ts'
import { exportConversation, readPng, saveFile, unzip } from '../screen/downloads.ts'
import type { SavedFile } from '../screen/downloads.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()
const WHITE = 0xffffff

/** Asks the questions one after the other in one session; each has its scripted answer. */
async function createConversation(
  client: Client,
  turns: { question: string; text: string }[],
): Promise<string> {
  let sessId: string | undefined
  for (const { question, text } of turns) {
    world.upstream.script('scripted', { text, chars: 500 })
    sessId = (await client.ask(question, sessId ? { sess_id: sessId } : {})).sess_id
  }
  return sessId ?? ''
}

async function openConversation(sessId: string, client: Client, look: 'light' | 'dark' = 'light') {
  const expectedErrors = /status of 500/
  const page = await world.visit(`/chat?sess_id=${sessId}`, { client, look, expectedErrors })
  // Late formulas would move the menu's button away from under the pointer.
  await readSettledText(answers(page).last())
  return page
}

const RICH = `# 源头

**渠**与[论文](https://a.example/p)，见注[^1]，\`code\`，$\\frac{a}{b}$。

$$
\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}
$$

| 甲 | 乙 |
|---|--:|
| $x^2$ | 12 |

3. 三
4. 四
   - 内层

- [x] 已完成

> 引文

\`\`\`python
if a < b: return "&"
\`\`\`

\`\`\`mermaid
flowchart LR
  A --> B
\`\`\`

[^1]: 脚注的话。
`

/** Expects formulas, tables, lists, notes and links of Word's own in the file. */
async function expectRichDocument(page: Page, { bytes }: SavedFile): Promise<void> {
  const files = unzip(bytes)
  const body = files.get('word/document.xml') ?? ''
  // The browser's own XML parser accepts only well-formed files.
  const broken = await page.evaluate(
    (all) =>
      all.filter((xml) => new DOMParser().parseFromString(xml, 'text/xml').querySelector('parsererror')),
    [...files].filter(([file]) => /\.(xml|rels)$/.test(file)).map(([, xml]) => xml),
  )
  expect(broken).toEqual([])
  expect(body.match(/<m:oMath>/g)).toHaveLength(4)
  expect(body).toMatch(/<m:f><m:num><m:r><m:t[^>]*>a<.*?<m:den>/)
  expect(body).toContain('<m:nary><m:naryPr><m:chr m:val="∑"/>')
  expect(body.match(/<w:tbl>/g)).toHaveLength(1)
  expect(body).toContain('w:val="Heading1"')
  expect(body.match(/<w:numPr>/g)).toHaveLength(4)
  expect(files.get('word/numbering.xml')).toContain('<w:start w:val="3"/>')
  expect(body).toContain('☑')
  expect(body).toContain('if a &lt; b: return &quot;&amp;&quot;')
  expect(body).toContain('讲讲 &lt;源头&gt; &amp; 渠')
  expect(body).toContain('<w:footnoteReference w:id="1"/>')
  expect(files.get('word/footnotes.xml')).toContain('脚注的话。')
  expect(files.get('word/_rels/document.xml.rels')).toContain('Target="https://a.example/p"')
  expect([...files.keys()].filter((file) => file.startsWith('word/media/'))).toHaveLength(1)
}

test('a conversation is saved as a Word file, one answer of it alone, and as a picture that is light in the dark, too', async () => {
  const client = await world.user()
  const turns = [
    { question: '讲讲 <源头> & 渠', text: RICH },
    { question: '源头？', text: '**活水** $a^2$' },
  ]
  const page = await openConversation(await createConversation(client, turns), client, 'dark')
  const whole = await exportConversation(page, 'word')
  expect(whole.name).toBe('讲讲 源头 & 渠.docx')
  await expectRichDocument(page, whole)

  const { name, bytes } = await saveFile(page, async () => {
    await button(page, messagesText.actions).last().click()
    await page.getByRole('menuitem', { name: messagesText.exportWord }).click()
  })
  expect(name).toBe('活水 a^2.docx')
  const body = unzip(bytes).get('word/document.xml') ?? ''
  expect(body).toContain('<m:oMath>')
  expect(body).not.toContain('源头？')

  const { width, height, pixel } = readPng((await exportConversation(page, 'picture')).bytes)
  // Water runs through its head, behind the title.
  const inHead = Array.from({ length: 150 }, (_, y) => pixel(width - 200, y))
  expect(inHead.some((one) => one !== WHITE)).toBe(true)
  const isDark = (colour: number) => [16, 8, 0].every((shift) => ((colour >> shift) & 255) < 0x60)
  const counts = { white: 0, dark: 0, all: 0 }
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x += 3) {
      const colour = pixel(x, y)
      counts.all += 1
      if (colour === WHITE) counts.white += 1
      else if (isDark(colour)) counts.dark += 1
    }
  expect(counts.white / counts.all).toBeGreaterThan(0.6)
  // The letters are dark, and no block of code or diagram is.
  expect(counts.dark).toBeGreaterThan(0)
  expect(counts.dark / counts.all).toBeLessThan(0.05)
})

/** Encodes a square of one colour as an image that an answer may carry. */
async function encodeSquare(colour: number): Promise<string> {
  const side = 40
  const pixel = [colour >> 16, (colour >> 8) & 255, colour & 255, 255]
  const rows = Uint8Array.from({ length: side * side * 4 }, (_, i) => pixel[i % 4] ?? 0)
  const png = await encodePng(
    side,
    side,
    (async function* () {
      yield rows
    })(),
  )
  return `data:image/png;base64,${Buffer.from(await png.arrayBuffer()).toString('base64')}`
}

test('Markdown, JSON and a picture have every message in its order, also those that the screen has not loaded', async () => {
  const client = await world.user()
  const colours = Array.from({ length: 8 }, (_, n) => 0xc00000 + n * 0x0b07)
  const water = '渠水清如许，'.repeat(8)
  const text = Array.from({ length: 3 }, (_, n) => `第 ${n} 段：${water}`).join('\n\n')
  const turns = await Promise.all(
    colours.map(async (colour, n) => ({
      question: `第 ${n} 问`,
      text: `第 ${n} 答：$x_${n}$\n\n${text}\n\n![色](${await encodeSquare(colour)})`,
    })),
  )
  const page = await openConversation(await createConversation(client, turns), client)
  await expect(questions(page).filter({ hasText: '第 0 问' })).toHaveCount(0)
  const markdown = (await exportConversation(page, 'markdown')).bytes.toString('utf8')
  expect(markdown.split('\n').filter((line) => /^第 \d+ [问答]/.test(line))).toEqual(
    turns.flatMap((_, n) => [`第 ${n} 问`, `第 ${n} 答：$x_${n}$`]),
  )
  const json = JSON.parse((await exportConversation(page, 'json')).bytes.toString('utf8')) as {
    messages: { text: string; role: string }[]
  }
  const said = turns.flatMap(({ question, text: answer }) => [question, answer])
  expect(json.messages.map((message) => message.text)).toEqual(said)
  const { name, bytes } = await exportConversation(page, 'picture')
  expect(name).toBe('第 0 问.png')
  const { width, height, pixel } = readPng(bytes)
  expect(width).toBe(1632)
  // It is drawn in slices of 2,000.
  expect(height).toBeGreaterThan(4_000)

  // Down the middle of the squares: each colour once, in order.
  const known = new Set(colours)
  const seen: number[] = []
  for (let y = 0; y < height; y++) {
    const colour = pixel(120, y)
    if (known.has(colour) && seen.at(-1) !== colour) seen.push(colour)
  }
  expect(seen).toEqual(colours)

  const inked = (y: number) =>
    Array.from({ length: width / 4 }, (_, x) => pixel(x * 4, y)).some((one) => one !== WHITE)
  const empty: number[] = []
  for (let top = 0; top + 400 < height; top += 400) {
    if (!Array.from({ length: 400 }, (_, y) => top + y).some(inked)) empty.push(top)
  }
  expect(empty).toEqual([])

  await page.route('**/api/chat/messages*', () => undefined)
  await button(page, exportText.menu).click()
  await page.getByRole('menuitem', { name: exportText.formats.json }).click()
  await button(page, exportText.cancel).click()
  const working = page.getByRole('dialog', { name: exportText.working })
  await expect(working).toBeHidden()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/api/chat/messages*', (route) =>
    route.fulfill({ status: 500, json: { message: '服务端响应错误', code: 'internal', request_id: 'x' } }),
  )
  await button(page, exportText.menu).click()
  await page.getByRole('menuitem', { name: exportText.formats.json }).click()
  await expect(page.getByText('服务端响应错误')).toBeVisible()
  await expect(working).toBeHidden()
})
