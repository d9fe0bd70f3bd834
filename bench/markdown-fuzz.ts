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
/** The seed that was shown last. */
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

let page = await openPage()
/** Null when the page ended or hung; another one is opened then, and `last` is the seed at fault. */
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
// A busy machine makes any document slow once: only what is slow three times is.
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
