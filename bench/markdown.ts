// Bar S4: an answer near 30,000 characters while it streams, and a chat of 2,000 messages at 200 tokens/s.
import type { Page } from '@playwright/test'
import { startCpuMeasurement, runInBrowser } from './chat/browser.ts'
import { measureSmoothness } from './chat/smoothness.ts'
import { generateAnswer } from './chat/texts.ts'

const CHARS = 30_000
const SECONDS = 8
const FLUSH_MS = 80
// 200 tokens/s of about 1.5 characters: 6 characters every 20 ms.
const RATE = { chunkChars: 6, chunkMs: 20 }

async function ask(page: Page): Promise<void> {
  await page.locator('textarea').fill('请详细讲讲注意力机制')
  await page.keyboard.press('Enter')
  await page.waitForSelector('article[aria-busy=true] .md')
  await page.waitForTimeout(1500)
}

/** Text of an answer that differs from one moment to the next is an update. */
const countUpdates = `(() => {
  window.updates = 0
  const seen = new MutationObserver(() => window.updates++)
  seen.observe(document.querySelector('article[aria-busy=true]'), { subtree: true, childList: true, characterData: true })
})()`

async function cpuPerUpdate(page: Page): Promise<Record<string, string>> {
  await ask(page)
  await page.evaluate(countUpdates)
  const cpu = await startCpuMeasurement(page)
  const before = await cpu()
  await page.waitForTimeout(SECONDS * 1000)
  const after = await cpu()
  const updates = await page.evaluate<number>('window.updates')
  const chars = await page.evaluate<number>(
    `document.querySelector('article[aria-busy=true] .md').textContent.length`,
  )
  return {
    'characters shown': String(chars),
    updates: `${updates} (one per ${FLUSH_MS} ms would be ${Math.round((SECONDS * 1000) / FLUSH_MS)})`,
    'script, ms per update (bar: at most 2)': ((after.script - before.script) / updates).toFixed(2),
    'whole main thread with layout and paint, ms per update': ((after.all - before.all) / updates).toFixed(2),
  }
}

async function smoothness(page: Page): Promise<Record<string, string>> {
  await page.waitForSelector('article')
  await ask(page)
  const { fps, inp, keys } = await measureSmoothness(page, SECONDS)
  return {
    'frames per second (bar: at least 55)': fps.toFixed(1),
    'INP p75, ms (bar: under 50)': inp.toFixed(0),
    'keys pressed': String(keys),
  }
}

const answer = generateAnswer(CHARS + 4000)
await runInBrowser({ answer, head: CHARS - 1500, ...RATE }, async ({ double, open }) => {
  console.log(`one answer near ${CHARS.toLocaleString('en')} characters, 200 tokens/s`)
  console.table(await cpuPerUpdate(await open(`/chat?sess_id=${double.seed(2)}`)))
})
await runInBrowser({ answer, head: 0, ...RATE }, async ({ double, open }) => {
  console.log('a chat of 2,000 messages, an answer at 200 tokens/s, a key every 120 ms')
  console.table(await smoothness(await open(`/chat?sess_id=${double.seed(2000)}`)))
})
