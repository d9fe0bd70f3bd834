import { test } from 'vitest'
import { chromium, type Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import { uiText } from '#web/text/ui.ts'
import { CHROMIUM_ARGS } from '../../world/chromium.ts'
import { answers, ask, button, expect, expectNotice, questions } from '../screen/chat-screen.ts'
import { saveFile } from '../screen/downloads.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

/** Records every request of a page to another host. */
async function recordForeignRequests(page: Page): Promise<string[]> {
  const foreign: string[] = []
  await page.route(
    (url) => !url.href.startsWith(world.url),
    (route) => {
      foreign.push(route.request().url())
      return route.abort()
    },
  )
  return foreign
}

/** Asks, and waits for the whole of an answer of these words. */
async function showAnswer(page: Page, text: string, question = '请写'): Promise<void> {
  world.upstream.script('scripted', { text, chars: 60 })
  await ask(page, question)
  await expect(questions(page).last()).toHaveText(question)
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false')
}

const readClipboard = (page: Page, type = 'text/plain') =>
  page.evaluate(async (wanted) => {
    const [item] = await navigator.clipboard.read()
    const blob = await item?.getType(wanted)
    return blob?.text()
  }, type)

const CODE = 'def gcd(a: int, b: int) -> int:\n    return a if b == 0 else gcd(b, a % b)'
const TABLE = '| 名 | 式 |\n|---|---|\n| 甲, "乙" | $x^2$ |\n| =1+1 | -5 |'
const createRow = (cell: string) => `| ${Array.from({ length: 14 }, (_, n) => `${cell}${n}`).join(' | ')} |`
const WIDE_TABLE = [createRow('列名称'), createRow('---').replace(/\d+/g, ''), createRow('内容内容')].join(
  '\n',
)
const DIAGRAM = 'flowchart LR\n  A[源头] --> B[渠]'
const fence = (code: string): string => `\`\`\`mermaid\n${code}\n\`\`\``

test('code, tables and a whole answer are copied or saved as they were written; a remote image opens in a tab of its own; a wide table scrolls by itself; a diagram in a list is drawn, and shows its source on a click', async () => {
  const page = await world.visit('/chat', { client: await world.user() })
  const foreign = await recordForeignRequests(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const text = [
    '**渠**：水到*渠*成。![荷塘](https://images.example/pond.png)',
    `\`\`\`python\n${CODE}\n\`\`\``,
    TABLE,
    WIDE_TABLE,
    '普通的回答，```mermaid\n没有图。',
  ].join('\n\n')
  await showAnswer(page, text)
  const answer = answers(page).first()
  await expect(answer.locator('strong')).toHaveText('渠')
  const [copyTable, csv] = [button(page, markdownText.copyTable), button(page, markdownText.csv)]
  await answer.locator('table').first().hover()
  await expectNotice(page, markdownText.copied, () => copyTable.first().click())
  expect(await readClipboard(page)).toBe('名\t式\n甲, "乙"\t$x^2$\n\'=1+1\t-5')
  expect(await readClipboard(page, 'text/html')).toContain('<td>甲, "乙"</td>')
  const { name, bytes } = await saveFile(page, () => csv.first().click())
  expect(name).toBe(markdownText.csvName)
  expect(bytes.toString('utf8')).toBe('\uFEFF名,式\r\n"甲, ""乙""",$x^2$\r\n\'=1+1,-5\r\n')
  await expectNotice(page, markdownText.copied, () => answer.locator('.md-copy').click())
  expect(await readClipboard(page)).toBe(CODE)
  await expectNotice(page, uiText.copied, () => button(page, chatText.copyAnswer).click())
  expect(await readClipboard(page)).toBe(text)

  await page.context().route('https://images.example/**', (route) => route.fulfill({ body: '荷塘' }))
  const opened = page.context().waitForEvent('page')
  await answer.getByRole('link', { name: markdownText.openImage('荷塘', 'images.example') }).click()
  const tab = await opened
  await expect(tab).toHaveURL('https://images.example/pond.png')
  expect(await tab.evaluate(() => [document.referrer, window.opener as unknown])).toEqual(['', null])
  await tab.close()
  expect(foreign).toEqual([])

  // An answer without diagrams loads nothing for them, nor does one before its end.
  expect(asked.filter((path) => path.includes('/diagram'))).toEqual([])
  await showAnswer(page, `1. 流程：\n\n   ${fence(DIAGRAM).replaceAll('\n', '\n   ')}\n\n2. 之后`, '请画')
  const block = answers(page).last().locator('li .md-code')
  await expect(block.locator('img')).toBeVisible()
  await expect(block.locator('pre')).toBeHidden()
  await block.getByRole('button', { name: markdownText.source, exact: true }).click()
  await expect(block.locator('pre')).toContainText('A[源头] --> B[渠]')
  await block.getByRole('button', { name: markdownText.picture, exact: true }).click()
  await expect(block.locator('img')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 780 })
  const table = answer.locator('table').last()
  const cell = table.getByRole('cell', { name: '内容内容13' })
  await table.scrollIntoViewIfNeeded()
  await expect(cell).not.toBeInViewport()
  await table.locator('..').evaluate((box) => box.scrollTo(box.scrollWidth, 0))
  await expect(cell).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

const HOSTILE_DIAGRAMS = [
  'flowchart LR\n  A["<img src=https://evil.example/a onerror=alert(1)>"] --> B',
  'flowchart LR\n  A --> B\n  click A "javascript:alert(2)"\n  click B href "https://evil.example/b"',
  'flowchart LR\n  A --> B\n  style A fill:url(https://evil.example/c)',
  'flowchart LR\n  A --> B\n  classDef x background:u\\72l(https://evil.example/d)\n  class A x',
  '%%{init: {"themeCSS": "* { background: image-set(\'https://evil.example/e\' 1x) }"}}%%\nflowchart LR\n  A --> B',
  '%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\nflowchart LR\n  A["<script>alert(3)</script>"] --> B',
  '---\nconfig:\n  themeCSS: "@import \'https://evil.example/f\';"\n  fontFamily: "x; } * { background: url(https://evil.example/g) }"\n---\nflowchart LR\n  A --> B',
  'flowchart LR\n  A@{ img: "https://evil.example/h.png", label: "x" }',
  'sequenceDiagram\n  A->>B: <iframe src="https://evil.example/i"></iframe>\n  link A: x @ javascript:alert(4)',
  'classDiagram\n  class A\n  link A "javascript:alert(5)"\n  click A href "javascript:alert(6)"',
]

const createNodes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`)
const ENTITIES = `erDiagram\n${createNodes(8)
  .map((name) => `  ${name} {\n    string 列\n    string 名\n  }`)
  .join('\n')}`

type PatientWindow = Window & { isPatient?: boolean }

/** Removes the limits of drawings, which a busy machine reaches; where `isPatient` is false, the next is reached at once. */
const removeLimits = (page: Page) =>
  page.evaluate(() => {
    const here = window as PatientWindow
    const set = window.setTimeout
    here.isPatient = true
    window.setTimeout = ((run: () => void, ms = 0) => {
      if (ms < 5_000) return set(run, ms)
      if (ms > 5_000 || here.isPatient) return 0
      here.isPatient = true
      return set(run, 0)
    }) as typeof setTimeout
  })

test('diagrams follow the theme; one that attacks does nothing, though no policy of the page hinders it; one that cannot be drawn says why, and one that takes too long is given up, which the page and the next one do not feel', async () => {
  // As on a desktop: without isolation a frame of no origin shares the process of its page.
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
    args: [...CHROMIUM_ARGS, '--site-per-process'],
  })
  try {
    const page = await browser.newPage({ bypassCSP: true, colorScheme: 'light', reducedMotion: 'reduce' })
    await page.goto(`${world.url}/chat`)
    const foreign = await recordForeignRequests(page)
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    await removeLimits(page)
    const drawable = [ENTITIES, 'graph LR\n  A["C:\\Users\\a"] --> B["备份"]']
    await showAnswer(page, drawable.map(fence).join('\n\n'))
    const pictures = answers(page).locator('.md-diagram img')
    await expect(pictures).toHaveCount(drawable.length)
    const getWidth = () => pictures.first().evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(getWidth).toBeGreaterThan(100)
    const light = (await pictures.first().getAttribute('src')) ?? ''
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(pictures.first()).not.toHaveAttribute('src', light)

    const broken = '%% 注释\nflowchart LR\n  A --> B\n  A[源头 --> {'
    const large = `flowchart TD\n${createNodes(2500).join('\n')}`
    await showAnswer(page, [broken, large, ...HOSTILE_DIAGRAMS, DIAGRAM].map(fence).join('\n\n'), '请再画')
    const diagrams = answers(page).last().locator('.md-diagram')
    // Diagrams are drawn one after the other: when the last one is there, all had their chance.
    await expect(diagrams).toHaveCount(HOSTILE_DIAGRAMS.length + 3)
    await expect(diagrams.first()).toHaveText(markdownText.diagramBrokenAt(4, 'A[源头 --> {'))
    await expect(diagrams.nth(1)).toHaveText(markdownText.diagramTooLarge)
    await expect(answers(page).last().locator('pre').first()).toContainText('A[源头 --> {')
    await expect(answers(page).last().locator('.md-code').last().locator('img')).toBeVisible()
    expect(dialogs).toEqual([])
    expect(foreign).toEqual([])
    const frame = page.locator('iframe')
    await expect(frame).toHaveCount(1)
    await expect(frame).toHaveAttribute('sandbox', 'allow-scripts')
    // An image can neither run nor load anything.
    await expect(
      page.locator('.md-diagram :not(img), .md-diagram img:not([src^="data:image/svg+xml"])'),
    ).toHaveCount(0)

    // The frame has a process of its own, so that the page goes on while that is busy.
    const devTools = await browser.newBrowserCDPSession()
    const { targetInfos } = await devTools.send('Target.getTargets')
    expect(targetInfos.filter(({ type }) => type === 'iframe')).toHaveLength(1)
    const busy = await frame.elementHandle()
    const mindmap = `mindmap\n  root\n${createNodes(900)
      .map((node) => `    ${node}`)
      .join('\n')}`
    await page.evaluate(() => {
      const here = window as PatientWindow
      here.isPatient = false
    })
    await showAnswer(page, [mindmap, `${DIAGRAM} --> C`].map(fence).join('\n\n'), '最后画')
    await expect(diagrams).toHaveText([markdownText.diagramTooSlow(5), ''])
    await expect(diagrams.locator('img')).toBeVisible()
    expect(await busy?.evaluate((element) => element.isConnected)).toBe(false)
  } finally {
    await browser.close()
  }
})
