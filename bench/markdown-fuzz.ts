// Bar P7 for answers: generated markdown, formulas and diagrams in a real browser. None may end the page, and no block stop
// it for longer than 200 ms. A document is named by its seed: node bench/markdown-fuzz.ts [documents] [first seed]
import { chromium, type Page } from '@playwright/test'
import { build } from 'vite'
import { quantile } from './chat/browser.ts'

const MAX_MS = 200
/** A page that takes longer for one batch is counted as hung. */
const HANG_MS = 60_000
const BATCH = 50
const [documents = 10_000, firstSeed = 1] = process.argv.slice(2).map(Number)

/** As src/web/markdown/measureHostile.ts returns it, milliseconds. */
type Timing = { seed: number; cut: number; block: number; document: number; diagram: number }

async function bundlePage(): Promise<{ script: string; style: string }> {
  const lib = { entry: 'src/web/markdown/measureHostile.ts', formats: ['iife' as const], name: 'fuzz' }
  const [output] = [
    await build({ configFile: false, logLevel: 'error', build: { write: false, lib } }),
  ].flat()
  if (!output || !('output' in output)) throw new Error('nothing was built')
  const script = output.output.find((file) => file.type === 'chunk')?.code ?? ''
  const styles = output.output.filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'))
  return { script, style: styles.map((file) => ('source' in file ? String(file.source) : '')).join('\n') }
}

const { script, style } = await bundlePage()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
let last = 0
async function openPage(): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 768, height: 900 } })
  await page.setContent('<!doctype html><body>')
  await page.addStyleTag({ content: style })
  await page.addScriptTag({ content: script })
  page.on('console', (message) => {
    if (/^\d+$/.test(message.text())) last = Number(message.text())
  })
  return page
}

const timings: Timing[] = []
const ended: string[] = []
let page = await openPage()
for (let seed = firstSeed; seed < firstSeed + documents;) {
  const until = Math.min(seed + BATCH, firstSeed + documents)
  const seeds = Array.from({ length: until - seed }, (_, i) => seed + i)
  let timer: ReturnType<typeof setTimeout> | undefined
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('hangs')), HANG_MS)
  })
  try {
    timings.push(
      ...(await Promise.race([page.evaluate<Timing[]>(`fuzz.measureAll(${JSON.stringify(seeds)})`), hang])),
    )
    seed = until
  } catch (error) {
    ended.push(`${last}: ${String(error).slice(0, 120)}`)
    // A page that hangs does not close by itself.
    void page.close().catch(() => {})
    page = await openPage()
    seed = last + 1
  }
  clearTimeout(timer)
}
void browser.close()

const report = (name: string, list: number[]) =>
  console.log(
    `${name}: p50 ${quantile(list, 0.5).toFixed(1)} ms, p99 ${quantile(list, 0.99).toFixed(0)} ms, most ${Math.max(0, ...list).toFixed(0)} ms`,
  )
console.log(`${documents} documents from seed ${firstSeed}`)
console.log(`pages that ended or hung: ${ended.length}`, ended)
const slow = timings.filter(({ cut, block }) => Math.max(cut, block) > MAX_MS)
console.log(`slower than ${MAX_MS} ms to cut, or in one block: ${slow.length}`)
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
