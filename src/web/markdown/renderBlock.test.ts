import { chromium, type Browser, type Page } from '@playwright/test'
import { build } from 'vite'
import { markdownText } from '#web/text/markdown.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Attacks that an answer might try; any of them that runs calls `hit()`. */
const payloads = [
  '<script>hit()</script>',
  '<img src=x onerror=hit()>',
  '<img src="https://evil.example/pixel.png">',
  '![pixel](https://evil.example/pixel.png)',
  '![x](x" onerror="hit())',
  '![x](javascript:hit())',
  '<svg onload=hit()><script>hit()</script></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;">',
  '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
  '<object data="javascript:hit()"></object><embed src="javascript:hit()">',
  '<form action="https://evil.example"><input name=q><button type=submit formaction="javascript:hit()">x</button></form>',
  '<style>@import "https://evil.example/x.css"; *{background:url(https://evil.example/y)}</style>',
  '<div style="position:fixed;inset:0;background:url(https://evil.example/z)">x</div>',
  '<div class="fixed inset-0 z-50" id="app" name="app">x</div>',
  '<div class="md-note fixed inset-0 z-50">x</div>',
  '<link rel=stylesheet href=https://evil.example/x.css><meta http-equiv=refresh content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '[x](javascript:hit())',
  '[x](JaVaScRiPt&colon;hit())',
  '[x](&#106;avascript:hit())',
  '[x](data:text/html,<script>hit()</script>)',
  '[x](vbscript:hit())',
  '[x](/logout)',
  '[x](/logout?next=https://a.example)',
  '[x](//evil.example)',
  '<a href="java\nscript:hit()" onclick=hit()>x</a>',
  '<a href="javascript:hit(\'https://a.example\')">x</a>',
  '[a]: javascript:hit()\n\n[a]',
  '<javascript:hit()>',
  '<details open ontoggle=hit()><summary>x</summary></details>',
  '<video autoplay onloadstart=hit()><source src=https://evil.example/a></video>',
  '<audio src=https://evil.example/a autoplay onerror=hit()></audio>',
  '<input autofocus onfocus=hit()><textarea autofocus onfocus=hit()></textarea>',
  '<a class="md-image" href="javascript:hit()" onclick=hit()>x</a>',
  '<span class="md-tex" data-tex="\\href{javascript:hit()}{x}" data-display="1"></span>',
  '<a title=\'<span class="md-tex" data-tex="x" data-display="0"></span>\' href=https://a.example>x</a>',
  '$\\href{javascript:hit()}{x}$',
  '$\\url{javascript:hit()}$',
  '$\\includegraphics{https://evil.example/i.png}$',
  '$\\htmlStyle{background:url(https://evil.example/k)}{x}$',
  '$\\htmlData{onclick=hit()}{x}$',
  '$$\\text{<img src=x onerror=hit()>}$$',
  '$"><img src=x onerror=hit()>$',
  '```"><img src=x onerror=hit()>\n<img src=x onerror=hit()>\n```',
  '- ```"><script>hit()</script>\n  </code></pre><script>hit()</script>\n  ```',
  '| <img src=x onerror=hit()> |\n|---|\n| <script>hit()</script> |',
  '`<img src=x onerror=hit()>`',
  '<img src="data:text/html,<script>hit()</script>">',
  '<img src="data:image/png;base64,AA" onerror=hit() srcset="https://evil.example/s.png 2x">',
  '![x](data:image/svg+xml,<svg onload=hit()>)',
  '<button class="md-image" data-src="https://evil.example/i.png">看答案</button>',
  '<a class="md-image" href="https://evil.example/i.png"><img src="https://evil.example/i.png"></a>',
  '<sup class="md-note-ref" data-note="<img src=x onerror=hit()>">x</sup>\n\n[^<img]: x',
  'a[^"onclick=hit()]\n\n[^"onclick=hit()]: <script>hit()</script>',
  '<span class="md-cite" data-cite="1" onclick=hit()>x</span>',
  '<noscript><p title="</noscript><img src=x onerror=hit()>">',
  '<template><img src=x onerror=hit()></template><xmp><img src=x onerror=hit()></xmp>',
  '<!--[if IE]><script>hit()</script><![endif]--><![CDATA[<script>hit()</script>]]><?x hit() ?>',
]

let browser: Browser
let page: Page
const requestedUrls: string[] = []

beforeAll(async () => {
  const [output] = [
    await build({
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        lib: { entry: 'src/web/markdown/renderBlock.ts', formats: ['iife'], name: 'rendering' },
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
  await page.setContent(
    '<!doctype html><script>window.hits = 0; function hit() { window.hits++ }</script><main></main>',
  )
  await page.addScriptTag({ content: script?.code ?? '' })
  await page.evaluate(`window.htmlOf = (markdown) => {
    const place = document.createElement('div')
    place.append(rendering.renderBlock(markdown))
    return place.innerHTML
  }`)
  // KaTeX must be loaded first, so that formulas are rendered and not shown as source.
  await page.evaluate(`htmlOf('$x$')`)
  await page.waitForFunction(`htmlOf('$x$').includes('katex')`)
  page.on('request', (request) => requestedUrls.push(request.url()))
})
afterAll(() => browser.close())

type Effects = { tags: string[]; attributes: string[]; addresses: string[]; classes: string[] }

/** Puts a payload's HTML into the page and lists its effects. */
async function renderPayload(payload: string): Promise<Effects & { hits: number }> {
  return page.evaluate<Effects & { hits: number }>(`new Promise((resolve) => {
    const main = document.querySelector('main')
    main.replaceChildren(rendering.renderBlock(${JSON.stringify(payload)}))
    const shown = (node) => node.tagName !== 'IMG' || !/^data:image\\/(png|jpeg|gif|webp|avif);base64,/.test(node.src)
    const all = [...main.querySelectorAll('*')].filter((node) => !node.closest('.katex') && shown(node))
    const formulas = [...main.querySelectorAll('.katex *')]
    main.querySelectorAll('button, a').forEach((node) => node.dispatchEvent(new Event('click')))
    // What runs by itself, for example as it gets the focus, runs before the second frame.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve({
      tags: [...all, ...formulas].map((node) => node.tagName.toLowerCase()),
      attributes: [...all.flatMap((node) => node.getAttributeNames()), ...formulas.flatMap((node) => node.getAttributeNames().filter((name) => /^on|^data-|^href|^src/.test(name)))],
      addresses: [...all, ...formulas].flatMap((node) => [node.getAttribute('href'), node.dataset?.src].filter(Boolean)),
      classes: all.flatMap((node) => [...node.classList]).filter((name) => name !== 'katex' && name !== 'katex-display'),
      hits: window.hits,
    })))
  })`)
}

test.each(payloads)('nothing runs, loads or dresses up: %s', async (payload) => {
  const effects = await renderPayload(payload)
  expect(effects.hits).toBe(0)
  expect(requestedUrls).toEqual([])
  const forbidden =
    /^(script|img|image|iframe|object|embed|form|textarea|style|link|meta|base|video|audio|source|details|template|foreignobject|a:script)$/
  expect(effects.tags.filter((tag) => forbidden.test(tag))).toEqual([])
  expect(
    effects.attributes.filter((name) => /^on|^style$|^id$|^name$|^src|^form|^action$/.test(name)),
  ).toEqual([])
  expect(effects.addresses.filter((address) => !/^(https?|mailto):/.test(address))).toEqual([])
  expect(effects.classes.filter((name) => !name.startsWith('md-'))).toEqual([])
})

const html = (markdown: string) => page.evaluate<string>(`htmlOf(${JSON.stringify(markdown)})`)

test('links leave the site without saying where from, and say where they lead', async () => {
  expect(await html('[文](https://a.example/)')).toBe(
    '<p><a href="https://a.example/" target="_blank" rel="noopener noreferrer nofollow" data-tooltip="https://a.example/">文</a></p>\n',
  )
})

test('a link whose text names another host than it leads to says so', async () => {
  expect(await html('[https://bank.example/in](https://evil.example/)')).toContain(
    markdownText.leadsTo('evil.example'),
  )
  expect(await html('[bank.example](https://www.bank.example/login)')).not.toContain('实为')
  expect(await html('[版本 1.2.3](https://a.example)')).not.toContain('实为')
})

test('a bare address ends where Chinese begins', async () => {
  for (const text of [
    '见https://a.example/b，然后',
    '见 https://a.example/b。谢谢',
    '（https://a.example/b）',
  ])
    expect(await html(text)).toContain('href="https://a.example/b"')
})

test('footnotes are numbered as they are referred to', async () => {
  const shownText = await page.evaluate<string>(`(() => {
    const place = document.createElement('div')
    const around = { defs: '', notes: ['b', 'a'], sources: [], hidesCitations: false }
    place.append(rendering.renderBlock('甲[^a]乙[^b]丙[^c]', around), rendering.renderBlock('[^a]: 注 *一*', around))
    return place.innerText
  })()`)
  expect(shownText).toMatch(/甲2乙1丙\[\^c\]\s*2\.\s*注 一 ↩/)
})

test('a citation leads to its sources, and is plain text without one', async () => {
  const createScript = (markdown: string, hidesCitations: boolean) => `(() => {
    const place = document.createElement('div')
    const sources = ['https://a.example/1', 'http://b.example/2', 'javascript:hit()', '/block/0a-1?piece=2', '/chat/agent/0a-1?block=2&chunk=3', '//c.example/chat/agent/1']
      .map((url, i) => ({ n: i + 1, title: '源', url }))
    place.append(rendering.renderBlock(${JSON.stringify(markdown)}, { defs: '', notes: [], sources, hidesCitations: ${hidesCitations} }))
    return place`
  const cites = (markdown: string) =>
    page.evaluate<string[][]>(
      `${createScript(markdown, false)}.querySelectorAll('.md-cite').values().map((node) => [node.tagName, node.textContent, node.getAttribute('href') ?? '']).toArray() })()`,
    )
  const readText = (markdown: string, hidesCitations: boolean) =>
    page.evaluate<string>(`${createScript(markdown, hidesCitations)}.textContent.trim() })()`)
  expect(
    await cites('渠[1]水[2][citation:3]，无[7]，自[4][5]，他[6]，[1](https://b.example)，`[1]`'),
  ).toEqual([
    ['A', '1', 'https://a.example/1'],
    ['A', '2', 'http://b.example/2'],
    ['A', '4', '/block/0a-1?piece=2'],
    ['A', '5', '/chat/agent/0a-1?block=2&chunk=3'],
  ])
  const numbers = async (markdown: string) => (await cites(markdown)).map(([, n]) => n).join(' ')
  expect(await numbers('一[1, 2]二【4】三［5］四[1-2]五[1，4]')).toBe('1 2 4 5 1 2 1 4')
  expect(await numbers('数组 arr[1] 与 x[1][2]')).toBe('')
  expect(await readText('渠[1, 7]水[8]，arr[1]', false)).toBe('渠1[7]水[8]，arr[1]')
  expect(await readText('渠[1, 7]水[8]，arr[1]', true)).toBe('渠1水，arr[1]')
  expect(await html('渠[1]水')).toBe('<p>渠[1]水</p>\n')
  expect(await cites('[1]\n\n[1]: https://own.example')).toEqual([])
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('an image that the answer carries itself is shown', async () => {
  const renderedHtml = await html(`![点](data:image/png;base64,${PIXEL})`)
  expect(renderedHtml).toContain(`<img src="data:image/png;base64,${PIXEL}" alt="点">`)
})

test('tables, tasks, formulas and emphasis beside Chinese punctuation survive the sanitiser', async () => {
  expect(await html('|a|b|\n|-|-:|\n|1|2|')).toContain('<td align="right">2</td>')
  expect(await html('- [x] 完成')).toMatch(/<input[^>]*checked/)
  expect(await html('**问渠：**为有源头')).toContain('<strong>问渠：</strong>为有')
  for (const formula of ['$a<b$', '\\(a\\)', '\\[a\\]', '$$\na\n$$'])
    expect(await html(formula)).toContain('class="katex"')
  expect(await html('价格是 $5 到 $10。')).not.toContain('katex')
})

test('a remote image is a link that names its host', async () => {
  for (const text of [
    '![图](https://a.example/x.png)',
    '<a class="md-image" href="https://a.example/x.png"><b>图</b></a>',
  ]) {
    const link = await html(text)
    expect(link).toContain(
      'href="https://a.example/x.png" target="_blank" rel="noopener noreferrer nofollow"',
    )
    expect(link).toContain(`>${markdownText.openImage('图', 'a.example')}</a>`)
  }
})

test('a remote image in a link is the words of the link', async () => {
  const link = await html(
    '[![构建](https://a.example/x.svg)](https://b.example/) [![](https://a.example/y)](https://c.example/)',
  )
  expect(link).toMatch(/href="https:\/\/b\.example\/"[^>]*>构建<\/a>/)
  expect(link).toMatch(new RegExp(`href="https://c\\.example/"[^>]*>${markdownText.image}</a>`))
  expect(link).not.toContain('a.example')
})
