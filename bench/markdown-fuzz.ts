// Bar P7 for answers: generated markdown, formulas and diagrams in a real browser. None may end the page, and no block may stop
// it for longer than 200 ms. A document is named by its seed: node bench/markdown-fuzz.ts [documents] [first seed]
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Page } from '@playwright/test'
import { build } from 'vite'
import { CHROMIUM_ARGS } from '../test/world/chromium.ts'
import { quantile } from './chat/browser.ts'

const MAX_MS = 200
/** A page that takes longer for one batch counts as hung. */
const HANG_MS = 60_000
const BATCH = 50
const [documents = 10_000, firstSeed = 1] = process.argv.slice(2).map(Number)

/** As src/web/markdown/measureHostile.ts returns it, milliseconds. */
type Timing = { seed: number; cut: number; block: number; document: number; diagram: number }

/** Returns the page's files by their addresses. */
async function bundlePage(): Promise<Map<string, string | Uint8Array>> {
  const [output] = [
    await build({
      configFile: false,
      logLevel: 'error',
      worker: { format: 'es' },
      build: {
        write: false,
        rollupOptions: {
          input: 'src/web/markdown/measureHostile.ts',
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: 'page.js', assetFileNames: 'assets/[name][extname]' },
        },
      },
    }),
  ].flat()
  if (!output || !('output' in output)) throw new Error('nothing was built')
  return new Map(
    output.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  )
}

const files = await bundlePage()
const styles = [...files.keys()].filter((name) => name.endsWith('.css'))
const links = styles.map((name) => `<link rel="stylesheet" href="${name}">`).join('')
const server = createServer(({ url = '/' }, response) => {
  const type = url.endsWith('.js') ? 'text/javascript' : url.endsWith('.css') ? 'text/css' : 'text/html'
  response.writeHead(200, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' })
  response.end(files.get(url) ?? `<!doctype html>${links}<body>`)
}).listen(0)
const { port } = server.address() as AddressInfo
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  // As on a desktop, so that diagrams are drawn in a process beside the page's.
  args: [...CHROMIUM_ARGS, '--site-per-process'],
})
/** The seed that was shown last. */
let last = 0
async function openPage(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 768, height: 900 } })
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.evaluate(`import('/page.js').then((module) => { window.fuzz = module })`)
  page.on('console', (message) => {
    if (/^\d+$/.test(message.text())) last = Number(message.text())
  })
  return page
}

let page = await openPage()
/** Returns null when the page ended or hung; then it opens another page, and `last` is the seed at fault. */
async function measure(seeds: number[]): Promise<Timing[] | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('hangs')), HANG_MS)
  })
  const measured = page.evaluate<Timing[]>(`fuzz.measureAll(${JSON.stringify(seeds)})`)
  const result = await Promise.race([measured, hang]).catch(() => null)
  clearTimeout(timer)
  if (result) return result
  // A page that hangs does not close by itself.
  void page.close().catch(() => {})
  page = await openPage()
  return null
}
const isSlow = ({ cut, block }: Timing) => Math.max(cut, block) > MAX_MS

const timings: Timing[] = []
const suspects: number[] = []
for (let seed = firstSeed; seed < firstSeed + documents;) {
  const until = Math.min(seed + BATCH, firstSeed + documents)
  const measured = await measure(Array.from({ length: until - seed }, (_, i) => seed + i))
  if (measured) timings.push(...measured)
  else suspects.push(last)
  suspects.push(...(measured ?? []).filter(isSlow).map((one) => one.seed))
  seed = measured ? until : last + 1
}
// A busy machine makes any document slow once: only a document that is slow three times counts.
const ended: number[] = []
const slow: Timing[] = []
for (const seed of suspects) {
  let fastest: Timing | undefined
  for (let times = 0; times < 3 && (!fastest || isSlow(fastest)); times++) {
    const [again] = (await measure([seed])) ?? []
    if (again && (!fastest || again.cut + again.block < fastest.cut + fastest.block)) fastest = again
  }
  if (!fastest) ended.push(seed)
  else if (isSlow(fastest)) slow.push(fastest)
}
void browser.close()

const report = (name: string, list: number[]) =>
  console.log(
    `${name}: p50 ${quantile(list, 0.5).toFixed(1)} ms, p99 ${quantile(list, 0.99).toFixed(0)} ms, most ${Math.max(0, ...list).toFixed(0)} ms`,
  )
console.log(`${documents} documents from seed ${firstSeed}`)
console.log(`pages that ended or hung: ${ended.length}`, ended)
console.log(
  `slower than ${MAX_MS} ms to cut, or in one block: ${slow.length}; once, but not again: ${suspects.length - ended.length - slow.length}`,
)
for (const { seed, cut, block } of slow.slice(0, 40))
  console.log(`  seed ${seed}: cut ${cut.toFixed(0)} ms, slowest block ${block.toFixed(0)} ms`)
report(
  'cut into blocks',
  timings.map(({ cut }) => cut),
)
report(
  'slowest block',
  timings.map(({ block }) => block),
)
report(
  'whole document at once',
  timings.map(({ document }) => document),
)
report(
  'its diagrams, one after the other',
  timings.flatMap(({ diagram }) => diagram || []),
)
process.exit(ended.length || slow.length ? 1 : 0)
