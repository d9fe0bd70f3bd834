// Bar S5: opening a conversation of 1,000 messages from the list.
import { startCpuMeasurement, runInBrowser, quantile } from './chat/browser.ts'

const MESSAGES = 1000
const TIMES = 7

await runInBrowser({ answer: '', head: 0, chunkChars: 1, chunkMs: 1000 }, async ({ double, open }) => {
  const small = double.seed(10)
  const large = double.seed(MESSAGES)
  const runs: { script: number; all: number; rows: number }[] = []
  for (let i = 0; i < TIMES; i++) {
    // Another conversation is on the screen, so that lazily loaded parts (markdown, formulas, colours) are there.
    const page = await open(`/chat?sess_id=${small}`)
    const link = page.locator(`a[href*="${large}"]`)
    await link.waitFor()
    await page.waitForTimeout(1500)
    const cpu = await startCpuMeasurement(page)
    const before = await cpu()
    await link.click()
    await page.getByText(`问题 ${MESSAGES / 2 - 1}`).waitFor()
    await page.waitForTimeout(1000)
    const after = await cpu()
    const rows = await page.locator('article').count()
    runs.push({ script: after.script - before.script, all: after.all - before.all, rows })
    await page.close()
  }
  const median = (of: 'script' | 'all' | 'rows') =>
    quantile(
      runs.map((run) => run[of]),
      0.5,
    )
  console.log(`opening a conversation of ${MESSAGES} messages, median of ${TIMES}`)
  console.table({
    'script, CPU ms': median('script').toFixed(0),
    'whole main thread, CPU ms (bar: at most 70)': median('all').toFixed(0),
    'rows in the page (bar: under 20)': String(median('rows')),
  })
})
