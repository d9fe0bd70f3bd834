// Bar S4: an answer near 30,000 characters while it streams, ours and the prototype's (peers/markdown/prototype.tsx) in turn,
// and a chat of 2,000 messages at 200 tokens/s.
import type { Page } from '@playwright/test'
import { quantile, startCpuMeasurement, runInBrowser } from './chat/browser.ts'
import { measureSmoothness } from './chat/smoothness.ts'
import { generateAnswer } from './chat/texts.ts'

const CHARS = 30_000
const SECONDS = 8
const ROUNDS = 3
const FLUSH_MS = 80
// 200 tokens/s of about 1.5 characters: 6 characters every 20 ms.
const RATE = { chunkChars: 6, chunkMs: 20 }

async function ask(page: Page): Promise<void> {
  await page.locator('textarea').fill('请详细讲讲注意力机制')
  await page.keyboard.press('Enter')
  await page.waitForSelector('article[aria-busy=true] .md')
  await page.waitForTimeout(1500)
}

/** Counts an update where the text of an answer differs from one moment to the next. */
const countUpdates = `(() => {
  window.updates = 0
  const seen = new MutationObserver(() => window.updates++)
  seen.observe(document.querySelector('article[aria-busy=true]'), { subtree: true, childList: true, characterData: true })
})()`

type Cost = { script: number; all: number; updates: number; chars: number }

/** Main thread's CPU, ms an update, for the answer that grows in a page. */
async function measureUpdates(page: Page): Promise<Cost> {
  await page.evaluate(countUpdates)
  const cpu = await startCpuMeasurement(page)
  const before = await cpu()
  await page.waitForTimeout(SECONDS * 1000)
  const after = await cpu()
  const updates = await page.evaluate<number>('window.updates')
  const chars = await page.evaluate<number>(
    `document.querySelector('article[aria-busy=true] .md').textContent.length`,
  )
  await page.close()
  const [script, all] = [(after.script - before.script) / updates, (after.all - before.all) / updates]
  return { script, all, updates, chars }
}

const median = (costs: Cost[], of: 'script' | 'all') =>
  quantile(
    costs.map((cost) => cost[of]),
    0.5,
  )

async function smoothness(page: Page): Promise<Record<string, string>> {
  await page.waitForSelector('article')
  await ask(page)
  const { fps, inp, keys } = await measureSmoothness(page, SECONDS)
  return {
    'frames per second (bar: at least 58)': fps.toFixed(1),
    'INP p75, ms (bar: under 40)': inp.toFixed(0),
    'keys pressed': String(keys),
  }
}

const answer = generateAnswer(CHARS + 4000)
await runInBrowser({ answer, head: CHARS - 1500, ...RATE }, async ({ double, open, openPrototype }) => {
  const [ours, theirs]: [Cost[], Cost[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const page = await open(`/chat?sess_id=${double.seed(2)}`)
    await ask(page)
    ours.push(await measureUpdates(page))
    const prototype = await openPrototype()
    await prototype.waitForTimeout(1500)
    theirs.push(await measureUpdates(prototype))
  }
  const [script, all] = [median(ours, 'script'), median(ours, 'all')]
  const [peerScript, peerAll] = [median(theirs, 'script'), median(theirs, 'all')]
  console.log(
    `one answer near ${CHARS.toLocaleString('en')} characters, 200 tokens/s, main thread's CPU an update, median of ${ROUNDS}`,
  )
  console.table([
    {
      ms: 'script (bar: at most 1.2 of the prototype)',
      ours: script.toFixed(2),
      prototype: peerScript.toFixed(2),
      ratio: (script / peerScript).toFixed(2),
    },
    {
      ms: 'with layout and paint (bar: at most 12)',
      ours: all.toFixed(2),
      prototype: peerAll.toFixed(2),
      ratio: (all / peerAll).toFixed(2),
    },
  ])
  const list = (costs: Cost[]) => costs.map(({ updates, chars }) => `${updates} of ${chars}`).join(', ')
  console.log(
    `updates (one per ${FLUSH_MS} ms would be ${Math.round((SECONDS * 1000) / FLUSH_MS)}) and characters: ours ${list(ours)}; prototype ${list(theirs)}`,
  )
})
await runInBrowser({ answer, head: 0, ...RATE }, async ({ double, open }) => {
  console.log('a chat of 2,000 messages, an answer at 200 tokens/s, a key every 120 ms')
  console.table(await smoothness(await open(`/chat?sess_id=${double.seed(2000)}`)))
})
