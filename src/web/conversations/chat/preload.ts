import { isAnswerGrowing } from '#web/conversations/conversations.ts'
import { lazyLoaders } from '#web/ui/lazy/lazyComponent.tsx'

type Connection = { saveData?: boolean }

/** Delay before loading, because somebody who has just arrived or got an answer is about to act. */
const DELAY_MS = 5_000

const loadedParts = new Set<() => Promise<unknown>>()
let isLoading = false

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A part may bring a style sheet, which restyles the whole page; so growing answers go first. */
async function waitForIdle(): Promise<void> {
  while (isAnswerGrowing()) await sleep(DELAY_MS)
  // Safari lacks requestIdleCallback.
  if ('requestIdleCallback' in window) await new Promise((resolve) => requestIdleCallback(resolve))
  else await sleep(200)
}

/**
 * Loads the code of everything that the page may still open, one part at a time while the browser is idle. Later it opens at
 * once, without a network, and even after a new version has removed the files. Does nothing if the person asked the browser to
 * save data. A part that fails to load here is reported where it is opened (lazyComponent.tsx).
 */
export async function preloadParts(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: Connection }
  if (isLoading || connection?.saveData) return
  isLoading = true
  await sleep(DELAY_MS)
  try {
    // A loaded part may add loaders of its own, which this loop reaches too.
    for (const get of lazyLoaders) {
      if (loadedParts.has(get)) continue
      await waitForIdle()
      await get()
      loadedParts.add(get)
    }
  } catch {
    // The network failed: the next answer tries the rest.
  } finally {
    isLoading = false
  }
}
