import { chromium, type Browser, type Page } from '@playwright/test'
import fc from 'fast-check'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom, generateDocument } from './hostileDocuments.ts'
import { sampleAnswers } from './sampleAnswers.ts'

let browser: Browser
let page: Page

beforeAll(async () => {
  const [output] = [
    await build({
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        lib: { entry: 'src/web/markdown/markdownView.ts', formats: ['iife'], name: 'view' },
      },
    }),
  ].flat()
  const script =
    output && 'output' in output ? output.output.find((file) => file.type === 'chunk') : undefined
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  page = await browser.newPage()
  await page.setContent('<!doctype html>')
  await page.addStyleTag({ path: 'src/web/markdown/markdown.css' })
  await page.addScriptTag({ content: script?.code ?? '' })
  await page.evaluate(`window.grown = (texts) => {
    const place = document.createElement('div')
    const show = view.createMarkdownView(place)
    for (const text of texts) show(text, true)
    show(texts.at(-1), false)
    return place.innerHTML
  }`)
  // Formulas and colours must be loaded before the comparison.
  const languages = ['python', 'sh', 'ts', 'markdown']
    .map((name) => `\`\`\`${name}\nif (1) # 'x'\n\`\`\`\n\n`)
    .join('')
  await page.waitForFunction((text) => {
    const html = (globalThis as unknown as { grown: (texts: string[]) => string }).grown([text])
    return (
      html.includes('class="katex"') && html.split('</code>').every((code) => /hljs-|^\s*<|^$/.test(code))
    )
  }, `$x$\n\n${languages}`)
})
afterAll(() => browser.close())

const grown = (texts: string[]) => page.evaluate<string>(`grown(${JSON.stringify(texts)})`)

test.each(Object.entries(sampleAnswers))(
  'an answer that grew stands in the page like the whole: %s',
  async (_, text) => {
    const whole = await grown([text])
    expect(whole).toContain('md-block')
    const cuts = fc.array(fc.nat(text.length), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(cuts, async (some) => {
        const texts = some.toSorted((a, b) => a - b).map((cut) => text.slice(0, cut))
        expect(await grown([...texts, text])).toBe(whole)
      }),
      { numRuns: 12 },
    )
  },
)

test('a text that replaces another leaves nothing of it', async () => {
  expect(await grown(['# a\n\nb\n\n```js\nc\n```', '```js\nd\n```\n\ne', 'f'])).toBe(await grown(['f']))
})

test('what stands is the same node after the text has grown', async () => {
  const same = await page.evaluate<boolean[]>(`(() => {
    const place = document.createElement('div')
    const show = view.createMarkdownView(place)
    show('一 **二**\\n\\n三\\n\\n\`\`\`js\\nlet a', true)
    const before = [...place.querySelectorAll('strong, p, pre')]
    show('一 **二**\\n\\n三\\n\\n\`\`\`js\\nlet a = 1\\n\`\`\`\\n\\n四', true)
    return before.map((node) => place.contains(node))
  })()`)
  expect(same).toEqual([true, true, true, true])
})

test('of a growing answer what is off the screen is skipped at the size that it has, of a complete one nothing', async () => {
  const text = Array.from({ length: 60 }, (_, i) => `段落 ${i}。`.repeat(30)).join('\n\n')
  await page.evaluate(`(() => {
    const place = document.body.appendChild(document.createElement('div'))
    window.long = { place, show: view.createMarkdownView(place) }
    long.show(${JSON.stringify(text)}, true)
    long.heights = [...place.children].map((part) => part.offsetHeight)
  })()`)
  await page.waitForFunction(
    `[...long.place.children].slice(0, -1).every((part) => part.style.contentVisibility === 'auto')`,
  )
  const state = `[...long.place.children].map((part) => part.offsetHeight)`
  const heights = await page.evaluate<number[]>('long.heights')
  expect(heights).toHaveLength(5)
  expect(await page.evaluate<number[]>(state)).toEqual(heights)
  expect(await page.evaluate<string>(`long.place.lastElementChild.style.contentVisibility`)).toBe('')
  await page.evaluate(`long.show(${JSON.stringify(text)}, false)`)
  expect(await page.evaluate<string[]>(`[...long.place.children].map((part) => part.style.cssText)`)).toEqual(
    heights.map(() => ''),
  )
  expect(await page.evaluate<number[]>(state)).toEqual(heights)
  await page.evaluate('long.place.remove()')
})

test.each([
  ['a paragraph', '一\n\n二', 'P'],
  ['a list in a list', '- 一\n  - 二', 'LI'],
  ['a heading', '## 二', 'H2'],
  ['code', '```js\n二', 'CODE'],
])('while an answer grows the caret stands at its end: %s', async (_, text, tag) => {
  const [carets, name, after] = await page.evaluate<[number, string, number]>(`(() => {
    const place = document.createElement('div')
    const show = view.createMarkdownView(place)
    show('零', true)
    show(${JSON.stringify(text)}, true)
    const carets = place.querySelectorAll('[data-caret]')
    const found = [carets.length, carets[0]?.tagName + ' ' + carets[0]?.textContent.trim()]
    show(${JSON.stringify(text)}, false)
    return [...found, place.querySelectorAll('[data-caret]').length]
  })()`)
  expect([carets, name, after]).toEqual([1, `${tag} 二`, 0])
})

const nest = (before: string, depth: number, after: string) =>
  `${before.repeat(depth)}x${after.repeat(depth)}`

test.each([
  ['fractions in fractions', `$$${nest('\\frac{1}{', 150, '}')}$$`],
  ['fractions without braces', `$$${'\\frac1'.repeat(150)}2$$`],
  ['exponents', `$$${nest('x^{', 30, '}')}$$`],
  ['braces', `$${nest('{', 1500, '}')}$`],
  ['a formula without end', `$${'x+'.repeat(3000)}x$`],
  ['macros that grow', `$\\def\\a{${'x'.repeat(3000)}}${'\\a'.repeat(100)}$`],
])('a formula that would stop the page is shown as its source: %s', async (_, text) => {
  const source = await page.evaluate<string>(`(() => {
    const place = document.createElement('div')
    view.createMarkdownView(place)(${JSON.stringify(text)}, false)
    return place.querySelector('.md-tex-source, .katex-error')?.textContent ?? ''
  })()`)
  expect(source).toBe(text.replaceAll('$', ''))
})

test.each([
  ['brackets', '['.repeat(60_000)],
  ['links in links', nest('[', 5000, '](b)')],
  ['emphasis', '*a **b '.repeat(8000)],
  ['lists in a line', `${'- '.repeat(20_000)}x`],
  ['quotations in a line', `${'> '.repeat(1000)}x\ny`],
  ['a quotation and lines that lack its mark', '> - a\nb\n'.repeat(5000)],
  ['tags that are left open', `${'<b title=1>'.repeat(2000)}${'<p>x</p>'.repeat(3000)}`],
])('a text that would stop the page is shown as its source: %s', async (_, text) => {
  const shownText = await page.evaluate<string>(`(() => {
    const place = document.createElement('div')
    view.createMarkdownView(place)(${JSON.stringify(text)}, true)
    view.createMarkdownView(place)(${JSON.stringify(text)}, false)
    return place.querySelector('.md-source-text')?.textContent ?? ''
  })()`)
  expect(shownText.length).toBeGreaterThan(text.length / 20)
  expect(text).toContain(shownText.slice(0, 1000))
})

test('whatever is generated is shown, whole and while it grows', async () => {
  const random = createRandom(12)
  for (let i = 0; i < 50; i++) {
    const text = generateDocument(random).slice(0, 20_000)
    const whole = await grown([text])
    expect(whole.includes('<') || !text.trim()).toBe(true)
    await grown([text.slice(0, text.length / 2), text])
  }
})
