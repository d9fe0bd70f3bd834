import { isAnswerGrowing } from '#web/conversations/conversations.ts'
import { lazyLoaders } from '#web/ui/lazy/lazyComponent.tsx'

type Connection = { saveData?: boolean }

/** Who has just come here, or got an answer, is about to do something: that goes before. */
const DELAY_MS = 5_000

const loaded = new Set<() => Promise<unknown>>()
let isLoading = false

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** Every part may bring a style sheet, for which the whole page is styled anew: an answer that grows goes before, too. */
async function waitForIdle(): Promise<void> {
  while (isAnswerGrowing()) await sleep(DELAY_MS)
  // Safari has no such call.
  if ('requestIdleCallback' in window) await new Promise((done) => requestIdleCallback(done))
  else await sleep(200)
}

/**
 * Loads, one by one while the browser has nothing else to do, the code of all that the page may still open: what a person
 * opens in the middle of a conversation is there at once, without a network, and after a new version has taken the files
 * away. Not for who asked the browser to save data. What still does not load is reported where it is opened (lazyComponent.tsx).
 */
export async function preloadParts(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: Connection }
  if (isLoading || connection?.saveData) return
  isLoading = true
  await sleep(DELAY_MS)
  try {
    // What is loaded brings parts of its own: those are gone through as well.
    for (const get of lazyLoaders) {
      if (loaded.has(get)) continue
      await waitForIdle()
      await get()
      loaded.add(get)
    }
  } catch {
    // No network: the next answer tries the rest.
  } finally {
    isLoading = false
  }
}
