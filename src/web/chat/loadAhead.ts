import { parts } from '../ui/lazyPart.tsx'

type Connection = { saveData?: boolean }

/** Who has just come here, or got an answer, is about to do something: that goes before. */
const PAUSE_MS = 5_000

const begun = new Set<() => Promise<unknown>>()
let loading = false

const idle = (): Promise<void> =>
  new Promise((done) => {
    // Safari has no such call.
    if ('requestIdleCallback' in window) requestIdleCallback(() => done())
    else setTimeout(done, 200)
  })

/**
 * Loads, one by one while the browser has nothing else to do, the code of all that the page may still open: what a person
 * opens in the middle of a conversation is there at once, without a network, and after a new version has taken the files
 * away. Not for who asked the browser to save data. What still does not come says so when it is opened (lazyPart.tsx).
 */
export async function loadAhead(): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: Connection }
  if (loading || connection?.saveData) return
  loading = true
  await new Promise((done) => setTimeout(done, PAUSE_MS))
  try {
    // What is loaded brings parts of its own: those are gone through as well.
    for (const get of parts) {
      if (begun.has(get)) continue
      await idle()
      await get()
      begun.add(get)
    }
  } catch {
    // No network: the next answer tries the rest.
  } finally {
    loading = false
  }
}
