// The bar of comparisons: eight columns at 200 tokens/s each beside a history of 50 turns, for 8 seconds.
// `npm run bench:compare`, or of another size with `-- [turns] [seconds]`.
import type { Page } from '@playwright/test'
import { runInBrowser, startCpuMeasurement } from './chat/browser.ts'
import { measureSmoothness } from './chat/smoothness.ts'
import { generateAnswer } from './chat/texts.ts'

const [TURNS = 50, SECONDS = 8] = process.argv.slice(2).map(Number)
const COLUMNS = 8
// 200 tokens/s of about 1.5 characters: 6 characters every 20 ms.
const RATE = { chunkChars: 6, chunkMs: 20 }

async function ask(page: Page): Promise<void> {
  await page.locator('textarea').fill('请详细讲讲注意力机制')
  await page.keyboard.press('Enter')
  await page.waitForFunction(`document.querySelectorAll('article[aria-busy=true] .md').length === ${COLUMNS}`)
  await page.waitForTimeout(1500)
}

const answer = generateAnswer(30_000)
await runInBrowser({ answer, head: 0, ...RATE }, async ({ double, open }) => {
  const opened = performance.now()
  const page = await open(`/compare?sess_id=${double.seedComparison(TURNS, COLUMNS)}`)
  await page
    .locator('article')
    .nth(2 * TURNS * COLUMNS - 1)
    .waitFor({ state: 'attached' })
  const opening = performance.now() - opened
  await ask(page)
  const cpu = await startCpuMeasurement(page)
  const before = await cpu()
  const { fps, inp, keys } = await measureSmoothness(page, SECONDS)
  const after = await cpu()
  console.log(`${COLUMNS} columns at 200 tokens/s each, ${TURNS} turns before, a key every 120 ms`)
  console.table({
    'frames per second (bar: at least 50)': fps.toFixed(1),
    'INP p75, ms (bar: under 80)': inp.toFixed(0),
    'keys pressed': String(keys),
    'main thread, share of one core': ((after.all - before.all) / (SECONDS * 1000)).toFixed(2),
    'of it in scripts': ((after.script - before.script) / (SECONDS * 1000)).toFixed(2),
    'from the address to all columns, ms': opening.toFixed(0),
  })
})
