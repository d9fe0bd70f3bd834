import { test } from 'vitest'
import { chromium, type Page } from '@playwright/test'
import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import { uiText } from '#web/text/ui.ts'
import type { VisitOptions } from '../../world/browser.ts'
import { CHROMIUM_ARGS } from '../../world/chromium.ts'
import { answers, ask, button, expect, expectNotice } from '../screen/chat-screen.ts'
import { saveFile } from '../screen/downloads.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

/** Opens the chat; every request to another host is recorded and gets a tiny image. */
async function openChat(visit: VisitOptions = {}) {
  const page = await world.visit('/chat', { client: await world.user(), ...visit })
  const foreign: string[] = []
  const dialogs: string[] = []
  await page.route(
    (url) => !url.href.startsWith(world.url),
    (route) => {
      foreign.push(route.request().url())
      return route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      })
    },
  )
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  return { page, foreign, dialogs }
}

/** Asks, and waits for the whole of an answer of these words, the nth of its conversation. */
async function showAnswer(page: Page, text: string, nth = 1): Promise<void> {
  world.upstream.script('scripted', { text, chars: 60 })
  await ask(page, '请写')
  await expect(answers(page)).toHaveCount(nth)
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false')
}

/** Scrolls up, so that the page does not follow the end of the answer, which would move targets out of sight. */
async function leaveEnd(page: Page): Promise<void> {
  await page.getByRole('region', { name: chatText.messages }).hover()
  await page.mouse.wheel(0, -2_000)
  await expect(page.locator('button:not([inert])', { hasText: chatText.toLatest })).toBeVisible()
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

test('code, tables and a whole answer are copied or saved as they were written, which is confirmed for a second; a browser that refuses is told of', async () => {
  const { page } = await openChat()
  const text = `**渠**：水到*渠*成。\n\n\`\`\`python\n${CODE}\n\`\`\`\n\n${TABLE}`
  await showAnswer(page, text)
  const answer = answers(page)
  await expect(answer.locator('strong')).toHaveText('渠')
  await answer.locator('table').hover()
  await expectNotice(page, markdownText.copied, () => button(page, markdownText.copyTable).click())
  expect(await readClipboard(page)).toBe('名\t式\n甲, "乙"\t$x^2$\n\'=1+1\t-5')
  expect(await readClipboard(page, 'text/html')).toContain('<td>甲, "乙"</td>')
  await expect(button(page, markdownText.copyTable)).toBeVisible()
  const { name, bytes } = await saveFile(page, () => button(page, markdownText.csv).click())
  expect(name).toBe(markdownText.csvName)
  expect(bytes.toString('utf8')).toBe('\uFEFF名,式\r\n"甲, ""乙""",$x^2$\r\n\'=1+1,-5\r\n')

  const copy = answer.locator('.md-copy')
  const notice = page.getByRole('listitem').filter({ hasText: uiText.copied })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await copy.click()
  await expect(copy).toHaveText(markdownText.copied)
  expect(await readClipboard(page)).toBe(CODE)
  await page.clock.runFor(999)
  await expect(copy).toHaveText(markdownText.copied)
  await page.clock.runFor(1)
  await expect(copy).toHaveText(chatText.copy)
  await button(page, chatText.copyAnswer).click()
  await expect(notice).toBeVisible()
  expect(await readClipboard(page)).toBe(text)
  await page.clock.runFor(999)
  await expect(notice).toBeVisible()
  await page.clock.runFor(1)
  await expect(notice).toHaveCount(0)

  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await button(page, chatText.copyAnswer).click()
  await expect(page.getByText('复制失败，请手动复制')).toBeVisible()
  // As on a page over plain HTTP.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await button(page, chatText.copyAnswer).click()
  await expect(page.getByText('你的浏览器不支持此复制功能请手动复制!')).toBeVisible()
  await expect(page.getByText(uiText.copied)).toHaveCount(0)
})

test('diagrams are drawn one after the other, in lists too, follow the theme, and show their source on a click', async () => {
  const { page } = await openChat()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  // An answer without diagrams loads nothing for them, nor does one before its end.
  await showAnswer(page, '普通的回答，```mermaid\n没有图。')
  expect(asked.filter((path) => path.includes('/diagram'))).toEqual([])

  const inList = `1. 流程：\n\n   ${fence(DIAGRAM).replaceAll('\n', '\n   ')}\n\n2. 之后`
  const drawable = [DIAGRAM, ENTITIES, 'graph LR\n  A["C:\\Users\\a"] --> B["备份"]']
  await showAnswer(page, [inList, ...drawable.map(fence)].join('\n\n'), 2)
  const answer = answers(page).last()
  const pictures = answer.locator('.md-diagram img')
  await expect(pictures).toHaveCount(drawable.length + 1)
  await expect(answer.locator('li .md-diagram img')).toBeVisible()
  const getWidth = () => pictures.nth(1).evaluate((image: HTMLImageElement) => image.naturalWidth)
  await expect.poll(getWidth).toBeGreaterThan(100)

  const light = (await pictures.nth(1).getAttribute('src')) ?? ''
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(pictures.nth(1)).not.toHaveAttribute('src', light)

  await leaveEnd(page)
  const block = answer.locator('.md-code').nth(1)
  await expect(block.locator('pre')).toBeHidden()
  await block.getByRole('button', { name: markdownText.source, exact: true }).click()
  await expect(block.locator('pre')).toContainText('A[源头] --> B[渠]')
  await block.getByRole('button', { name: markdownText.picture, exact: true }).click()
  await expect(block.locator('img')).toBeVisible()
})

test('a diagram that cannot be drawn says why, and one that takes too long is given up while the page goes on', async () => {
  // As on a desktop: without isolation a frame of no origin shares the process of its page.
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
    args: [...CHROMIUM_ARGS, '--site-per-process'],
  })
  try {
    const page = await browser.newPage()
    await page.goto(`${world.url}/chat`)
    const broken = '%% 注释\nflowchart LR\n  A --> B\n  A[源头 --> {'
    const mindmap = `mindmap\n  root\n${createNodes(900)
      .map((name) => `    ${name}`)
      .join('\n')}`
    const huge = `flowchart TD\n${createNodes(2500).join('\n')}`
    await watchLongestTurn(page)
    await showAnswer(page, [broken, huge, mindmap, DIAGRAM].map(fence).join('\n\n'))
    const answer = answers(page)
    await expect(answer.locator('.md-diagram')).toHaveText([
      markdownText.diagramBrokenAt(4, 'A[源头 --> {'),
      markdownText.diagramTooLarge,
      markdownText.diagramTooSlow(5),
      '',
    ])
    await expect(answer.locator('.md-diagram img')).toBeVisible()
    await expect(answer.locator('pre').filter({ hasText: 'A[源头 --> {' })).toBeVisible()
    // The drawing alone would have blocked the page for all of the five seconds.
    expect(await page.evaluate('window.longestTurn')).toBeLessThan(4000)
  } finally {
    await browser.close()
  }
})

const DIAGRAM = 'flowchart LR\n  A[源头] --> B[渠]'
const fence = (code: string): string => `\`\`\`mermaid\n${code}\n\`\`\``
const createNodes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`)
const ENTITIES = `erDiagram\n${['客户', '订单', '商品', '库存', '发票', '仓库', '供应商', '回款']
  .map(
    (name) =>
      `  ${name} {\n${createNodes(6)
        .map((column) => `    string ${column}`)
        .join('\n')}\n  }`,
  )
  .join('\n')}`

/** Has the page measure its longest block, ms: `window.longestTurn`. */
const watchLongestTurn = (page: Page) =>
  page.evaluate(`(() => {
    window.longestTurn = 0
    let before = performance.now()
    setInterval(() => {
      const now = performance.now()
      window.longestTurn = Math.max(window.longestTurn, now - before)
      before = now
    }, 20)
  })()`)

test('a remote image opens in a tab of its own, which knows nothing of this one; a wide table scrolls by itself, not the page', async () => {
  const { page, foreign } = await openChat()
  await showAnswer(page, `看图：![荷塘](https://images.example/pond.png)\n\n${WIDE_TABLE}`)
  await page.context().route('https://images.example/**', (route) => route.fulfill({ body: '荷塘' }))
  const opened = page.context().waitForEvent('page')
  await answers(page)
    .getByRole('link', { name: markdownText.openImage('荷塘', 'images.example') })
    .click()
  const tab = await opened
  await expect(tab).toHaveURL('https://images.example/pond.png')
  expect(await tab.evaluate(() => [document.referrer, window.opener as unknown])).toEqual(['', null])
  expect(foreign).toEqual([])

  await page.setViewportSize({ width: 390, height: 780 })
  const table = answers(page).locator('table')
  const cell = table.getByRole('cell', { name: '内容内容13' })
  await expect(cell).not.toBeInViewport()
  await table.locator('..').evaluate((box) => box.scrollTo(box.scrollWidth, 0))
  await expect(cell).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src="https://evil.example/a.png" onerror="alert(2)">',
  '<svg onload="alert(3)"><a xlink:href="javascript:alert(4)"><text>点</text></a></svg>',
  '<iframe src="https://evil.example/"></iframe><object data="https://evil.example/o"></object>',
  '<form action="https://evil.example/f"><input name="q"><button>提交</button></form>',
  '<style>@import "https://evil.example/s.css"; body { background: url(https://evil.example/b.png) }</style>',
  '<div style="background:url(https://evil.example/d.png);position:fixed;inset:0">盖住</div>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(5)></style></mglyph></table></mtext></math>',
  '<details open ontoggle="alert(6)"><summary>看</summary></details>',
  '[点我](javascript:alert(7)) [点我](data:text/html,<script>alert(8)</script>)',
  '![x](javascript:alert(9)) ![y](https://evil.example/"onerror="alert(10))',
  '```html"><img src=x onerror=alert(11)>\n<script>alert(12)</script>\n```',
  '$\\href{javascript:alert(13)}{x}$ $$\\includegraphics{https://evil.example/k.png}$$',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<link rel="stylesheet" href="https://evil.example/l.css"><video src="https://evil.example/v" autoplay></video>',
]

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

test('an answer or a diagram that attacks does nothing, though no policy of the page hinders it', async () => {
  const { page, foreign, dialogs } = await openChat({ bypassCsp: true })
  await showAnswer(page, [...ATTACKS, '到此为止。'].join('\n\n'))
  await expect(answers(page)).toContainText('到此为止。')
  for (const link of await answers(page).getByText('点我').all()) await link.click()
  const address = page.url()
  await page.reload()
  await expect(answers(page)).toContainText('到此为止。')
  expect(page.url()).toBe(address)
  expect(dialogs).toEqual([])
  expect(foreign).toEqual([])
  const forbidden = 'script, iframe, object, form, style, base, meta, link, video, svg a'
  await expect(answers(page).locator(forbidden)).toHaveCount(0)
  await expect(answers(page).locator('a[href^="javascript:"], a[href^="data:"]')).toHaveCount(0)
  const handlers = await answers(page)
    .locator('*')
    .evaluateAll((all) =>
      all.flatMap((one) => one.getAttributeNames().filter((name) => name.startsWith('on'))),
    )
  expect(handlers).toEqual([])

  await showAnswer(page, [...HOSTILE_DIAGRAMS, DIAGRAM].map(fence).join('\n\n'), 2)
  const answer = answers(page).last()
  // Diagrams are drawn one after the other: when the last one is there, all had their chance.
  await expect(answer.locator('.md-code').last().locator('img')).toBeVisible()
  await expect(answer.locator('.md-diagram')).toHaveCount(HOSTILE_DIAGRAMS.length + 1)
  await leaveEnd(page)
  for (const shown of await answer.locator('.md-diagram').all()) await shown.click()
  expect(dialogs).toEqual([])
  expect(foreign).toEqual([])
  await expect(page.locator('iframe:not(.md-diagram-frame[sandbox="allow-scripts"])')).toHaveCount(0)
  await expect(answer.locator('.md svg')).toHaveCount(0)
})
