import { chromium, type Browser, type Page } from '@playwright/test'
import fc from 'fast-check'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  await page.addScriptTag({ content: script?.code ?? '' })
  await page.evaluate(`window.grown = (texts) => {
    const place = document.createElement('div')
    const show = view.createMarkdownView(place)
    for (const text of texts) show(text, true)
    show(texts.at(-1), false)
    return place.innerHTML
  }`)
  // Formulas and colours are loaded before anything is compared.
  const languages = ['python', 'sh', 'ts'].map((name) => `\`\`\`${name}\nif (1) # 'x'\n\`\`\`\n\n`).join('')
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
      { numRuns: 40 },
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
