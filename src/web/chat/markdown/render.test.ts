import { chromium, type Browser, type Page } from '@playwright/test'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** What an answer might try; `hit()` would be called by whatever runs. */
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
  '<link rel=stylesheet href=https://evil.example/x.css><meta http-equiv=refresh content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '[x](javascript:hit())',
  '[x](JaVaScRiPt&colon;hit())',
  '[x](&#106;avascript:hit())',
  '[x](data:text/html,<script>hit()</script>)',
  '[x](vbscript:hit())',
  '[x](/logout)',
  '[x](//evil.example)',
  '<a href="java\nscript:hit()" onclick=hit()>x</a>',
  '[a]: javascript:hit()\n\n[a]',
  '<javascript:hit()>',
  '<details open ontoggle=hit()><summary>x</summary></details>',
  '<video autoplay onloadstart=hit()><source src=https://evil.example/a></video>',
  '<audio src=https://evil.example/a autoplay onerror=hit()></audio>',
  '<input autofocus onfocus=hit()><textarea autofocus onfocus=hit()></textarea>',
  '<button class="md-image" data-src="javascript:hit()" onclick=hit()>x</button>',
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
  '<noscript><p title="</noscript><img src=x onerror=hit()>">',
  '<template><img src=x onerror=hit()></template><xmp><img src=x onerror=hit()></xmp>',
  '<!--[if IE]><script>hit()</script><![endif]--><![CDATA[<script>hit()</script>]]><?x hit() ?>',
]

let browser: Browser
let page: Page
const asked: string[] = []

beforeAll(async () => {
  const [output] = [
    await build({
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        lib: { entry: 'src/web/chat/markdown/render.ts', formats: ['iife'], name: 'rendering' },
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
    place.append(rendering.blockNodes(markdown))
    return place.innerHTML
  }`)
  // KaTeX is there before anything is judged, so that formulas are rendered and not shown as source.
  await page.evaluate(`htmlOf('$x$')`)
  await page.waitForFunction(`htmlOf('$x$').includes('katex')`)
  page.on('request', (request) => asked.push(request.url()))
})
afterAll(() => browser.close())

type Found = { tags: string[]; attributes: string[]; addresses: string[]; classes: string[] }

/** Puts a payload's HTML into the page and lists what has come of it. */
async function put(payload: string): Promise<Found & { hits: number }> {
  return page.evaluate<Found & { hits: number }>(`new Promise((resolve) => {
    const main = document.querySelector('main')
    main.replaceChildren(rendering.blockNodes(${JSON.stringify(payload)}))
    const all = [...main.querySelectorAll('*')].filter((node) => !node.closest('.katex'))
    const formulas = [...main.querySelectorAll('.katex *')]
    main.querySelectorAll('button, a').forEach((node) => node.dispatchEvent(new Event('click')))
    setTimeout(() => resolve({
      tags: [...all, ...formulas].map((node) => node.tagName.toLowerCase()),
      attributes: [...all.flatMap((node) => node.getAttributeNames()), ...formulas.flatMap((node) => node.getAttributeNames().filter((name) => /^on|^data-|^href|^src/.test(name)))],
      addresses: [...all, ...formulas].flatMap((node) => [node.getAttribute('href'), node.dataset?.src].filter(Boolean)),
      classes: all.flatMap((node) => [...node.classList]).filter((name) => name !== 'katex' && name !== 'katex-display'),
      hits: window.hits,
    }), 20)
  })`)
}

test.each(payloads)('nothing runs, loads or dresses up: %s', async (payload) => {
  const found = await put(payload)
  expect(found.hits).toBe(0)
  expect(asked).toEqual([])
  const forbidden =
    /^(script|img|image|iframe|object|embed|form|textarea|style|link|meta|base|video|audio|source|details|template|foreignobject|a:script)$/
  expect(found.tags.filter((tag) => forbidden.test(tag))).toEqual([])
  expect(found.attributes.filter((name) => /^on|^style$|^id$|^name$|^src|^form|^action$/.test(name))).toEqual(
    [],
  )
  expect(found.addresses.filter((address) => !/^(https?|mailto):/.test(address))).toEqual([])
  expect(found.classes.filter((name) => !name.startsWith('md-'))).toEqual([])
})

const html = (markdown: string) => page.evaluate<string>(`htmlOf(${JSON.stringify(markdown)})`)

test('links leave the site without saying where from', async () => {
  expect(await html('[文](https://a.example/)')).toBe(
    '<p><a href="https://a.example/" target="_blank" rel="noopener noreferrer nofollow">文</a></p>\n',
  )
})

test('tables, tasks, formulas and emphasis beside Chinese punctuation survive the sanitiser', async () => {
  expect(await html('|a|b|\n|-|-:|\n|1|2|')).toContain('<td align="right">2</td>')
  expect(await html('- [x] 完成')).toMatch(/<input[^>]*checked/)
  expect(await html('**问渠：**为有源头')).toContain('<strong>问渠：</strong>为有')
  for (const formula of ['$a<b$', '\\(a\\)', '\\[a\\]', '$$\na\n$$'])
    expect(await html(formula)).toContain('class="katex"')
  expect(await html('价格是 $5 到 $10。')).not.toContain('katex')
})

test('a remote image is a button that names its host', async () => {
  expect(await html('![图](https://a.example/x.png)')).toContain('data-src="https://a.example/x.png"')
})
