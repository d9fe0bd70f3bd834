import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '#web/styles/app.css'
import { markdownText } from '#web/text/markdown.ts'
import MarkdownText from './MarkdownText.tsx'

/** Shows a finished answer; `root` is the element that contains its blocks. */
async function showAnswer(text: string) {
  const { container, ...screen } = await render(<MarkdownText text={text} streaming={false} />)
  return { root: container.querySelector('.md')!, ...screen }
}

const count = (root: Element, selector: string) => () => root.querySelectorAll(selector).length

const PYTHON =
  'def gcd(a: int, b: int) -> int:\n    """最大公约数。"""\n    return a if b == 0 else gcd(b, a % b)'

test('code has colours, and is the text that was written', async () => {
  const { root } = await showAnswer(`请看：\n\n\`\`\`python\n${PYTHON}\n\`\`\`\n`)
  const countColours = () =>
    new Set([...root.querySelectorAll('pre code *')].map((span) => getComputedStyle(span).color)).size
  await expect.poll(countColours).toBeGreaterThan(1)
  expect(root.querySelector('pre code')?.textContent.trimEnd()).toBe(PYTHON)
})

test('code wraps when asked, and long code is folded where it was not read while it grew', async () => {
  const lines = Array.from({ length: 90 }, (_, n) => `value_${n} = '${'渠'.repeat(n === 0 ? 120 : 2)}'`)
  const text = `\`\`\`python\n${lines.join('\n')}\n\`\`\`\n`
  const { container, rerender, unmount } = await render(
    <MarkdownText text={text.slice(0, text.length / 2)} streaming />,
  )
  const pre = container.querySelector('pre')!
  expect(pre.textContent).toContain('value_20')
  await rerender(<MarkdownText text={text} streaming={false} />)
  const isWide = () => pre.scrollWidth > pre.clientWidth
  expect(isWide()).toBe(true)
  await page.getByRole('button', { name: markdownText.wrap }).click()
  expect(isWide()).toBe(false)
  await expect
    .element(page.getByRole('button', { name: markdownText.wrap }))
    .toHaveAttribute('aria-pressed', 'true')
  const unfold = page.getByRole('button', { name: markdownText.unfold(90) })
  await expect.element(unfold).not.toBeInTheDocument()
  await unmount()

  const { root } = await showAnswer(text)
  const getHeight = () => root.querySelector('pre')!.getBoundingClientRect().height
  await expect.element(unfold).toHaveAttribute('aria-expanded', 'false')
  const folded = getHeight()
  await unfold.click()
  await expect
    .element(page.getByRole('button', { name: markdownText.fold }))
    .toHaveAttribute('aria-expanded', 'true')
  expect(getHeight()).toBeGreaterThan(folded * 2)
})

test('formulas are set, inline and displayed, in both notations', async () => {
  const { root } = await showAnswer(
    '设 $a^2+b^2=c^2$，又 \\(x\\)。\n\n$$\n\\int_0^1 x\\,dx=\\frac12\n$$\n\n\\[ E=mc^2 \\]\n',
  )
  await expect.poll(count(root, '.katex')).toBe(4)
  expect(count(root, '.katex-display')()).toBe(2)
  expect(root.textContent).not.toContain('$')
})

test('a selection is copied with the TeX of its formulas, whole and in their lines', async () => {
  const { root } = await showAnswer(
    '能量公式 $E = mc^2$ 很有名。\n\n$$\na^2\n$$\n\n```ts\nlet a\n```\n\n碳酸 $\\ce{H2CO3}$。',
  )
  await expect.poll(count(root, '.katex')).toBe(3)
  const selection = getSelection()!
  const copy = () => {
    const event = new ClipboardEvent('copy', {
      clipboardData: new DataTransfer(),
      bubbles: true,
      cancelable: true,
    })
    root.dispatchEvent(event)
    return event.clipboardData?.getData('text/plain').replace(/\n+/g, '\n')
  }
  selection.selectAllChildren(root)
  expect(copy()).toBe('能量公式 $E = mc^2$ 很有名。\n$$a^2$$\nlet a\n碳酸 $\\ce{H2CO3}$。')
  // From the middle of a formula to the end of its paragraph.
  const paragraph = root.querySelector('p')!
  selection.setBaseAndExtent(
    paragraph.querySelector('.katex-html')!,
    0,
    paragraph,
    paragraph.childNodes.length,
  )
  expect(copy()).toBe('$E = mc^2$ 很有名。')
  expect(document.querySelector('.md-copied')).toBeNull()
})

test('chemistry is set, and nothing of it is an error', async () => {
  const { root } = await showAnswer('碳酸：$\\ce{CO2 + H2O <=> H2CO3}$，浓度 $\\pu{25 g/mol}$。')
  await expect.poll(count(root, '.katex')).toBe(2)
  expect(root.innerHTML).not.toContain('#cc0000')
  expect(root.querySelector('.katex-html')?.textContent).toContain('CO')
})

test('code inside a list has colours and keeps what a reader chose while the list grows', async () => {
  const text = `1. 代码：\n\n   \`\`\`python\n   ${PYTHON.split('\n')[0]}\n   \`\`\`\n`
  const { container, rerender } = await render(<MarkdownText text={text} streaming />)
  await expect.poll(count(container, 'li .hljs-keyword')).toBeGreaterThan(0)
  const code = container.querySelector('li .md-code')
  await page.getByRole('button', { name: markdownText.wrap }).click()
  await rerender(<MarkdownText text={`${text}\n2. 之后`} streaming />)
  expect(container.querySelector('li .md-code')).toBe(code)
  expect(code?.classList.contains('md-wrapped')).toBe(true)
  expect(count(container, 'li .hljs-keyword')()).toBeGreaterThan(0)
})

test('a block runs in the direction of its own language', async () => {
  const { root } = await showAnswer('مرحبا بالعالم\n\n中文一段\n\n- שלום\n- 中文\n\n> 1. 中文')
  const directions = [...root.querySelectorAll('p, ul, ol')].map((block) => getComputedStyle(block).direction)
  expect(directions).toEqual(['rtl', 'ltr', 'rtl', 'ltr'])
})

test('details stay as a reader left them while more of the answer comes', async () => {
  const text = '<details>\n<summary>推导过程</summary>\n\n一步。'
  const { container, rerender } = await render(<MarkdownText text={text} streaming />)
  const details = container.querySelector('details')!
  expect(details.open).toBe(false)
  await page.getByText('推导过程').click()
  await rerender(<MarkdownText text={`${text}\n\n两步。\n</details>\n\n之后`} streaming />)
  expect(container.querySelector('details')).toBe(details)
  expect(details.open).toBe(true)
  expect(details.innerText).toContain('两步')
})

test('no line begins with a citation or the punctuation behind a formula, nor ends with a bracket before one', async () => {
  const { root } = await showAnswer(
    '根据（$a^2+b^2=c^2$）。所以取 $x$，并且「$y=1+2$」：于是 $z$；再来 $\\frac{a}{b}+c+d+e$：天光云影[^1]。\n\n[^1]: 半亩方塘。',
  )
  const getParagraph = () => root.querySelector<HTMLElement>('p')!
  await expect.poll(() => count(getParagraph(), '.katex')()).toBe(5)
  await document.fonts.ready
  const paragraph = getParagraph()
  const boxes = [...paragraph.querySelectorAll('.katex-html, .md-note-ref')]
  expect(boxes).toHaveLength(6)
  const misplaced: string[] = []
  for (let width = 90; width < 420; width++) {
    paragraph.style.width = `${width}px`
    for (const box of boxes) if (isTornApart(box)) misplaced.push(`${box.textContent} in ${width} pixels`)
  }
  expect(misplaced).toEqual([])
})

/** Tells whether text that belongs to a formula or a citation stands on another line than it. */
function isTornApart(box: Element): boolean {
  const glue = box.closest('.md-tex, .md-note-ref')!
  const parts = box.matches('.katex-html') ? [...box.querySelectorAll('.katex-base')] : [box]
  const { previousSibling: before, nextSibling: after } = glue
  if (after instanceof Text && isApart(getBottom(after, 0), parts.at(-1))) return true
  return (
    before instanceof Text &&
    /[（「影]$/.test(before.data) &&
    isApart(getBottom(before, before.length - 1), parts[0])
  )
}

function getBottom(text: Text, at: number): number {
  const range = document.createRange()
  range.setStart(text, at)
  range.setEnd(text, at + 1)
  return range.getBoundingClientRect().bottom
}

const isApart = (bottom: number, box: Element | undefined): boolean =>
  box !== undefined && Math.abs(bottom - box.getBoundingClientRect().bottom) > 14

test('a footnote is reached from its number, and back', async () => {
  const { root } = await showAnswer('水到渠成[^a]。\n\n[^a]: 见朱熹。')
  const number = page.getByRole('button', { name: markdownText.note(1), exact: true })
  await number.click()
  expect(document.activeElement).toBe(root.querySelector('.md-note'))
  await userEvent.click(page.getByRole('button', { name: markdownText.noteBack(1), exact: true }))
  await expect.element(number).toHaveFocus()
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
  const alert = vi.spyOn(window, 'alert').mockImplementation(() => {})
  const { root } = await showAnswer([...ATTACKS, '到此为止：$x$。'].join('\n\n'))
  await expect.poll(() => root.lastElementChild?.querySelector('.katex')?.textContent).toContain('x')
  expect(root.lastElementChild?.textContent).toContain('到此为止')
  const forbidden = 'script, iframe, object, form, style, base, meta, link, video, svg a, [style*=evil]'
  expect(count(root, forbidden)()).toBe(0)
  expect(count(root, 'a[href^="javascript:"], a[href^="data:"]')()).toBe(0)
  const names = [...root.querySelectorAll('*')].flatMap((element) => element.getAttributeNames())
  expect(names.filter((name) => name.startsWith('on'))).toEqual([])
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  expect(loaded.filter((url) => url.includes('evil.example'))).toEqual([])
  expect(alert).not.toHaveBeenCalled()
})
