import { createStore } from 'zustand'

/** `error`: why the last saving failed. */
export type AutosaveState = { state: 'saved' | 'changed' | 'saving' } | { state: 'failed'; error: unknown }

/** Long enough for a burst of typing, short enough that nobody leaves before it. */
const DELAY_MS = 600

/**
 * Saves what changes a moment after it changed, one saving at a time, always the newest. What could not be saved is saved with
 * the next change, or when `flush` is called.
 */
export function createAutosave<T>(save: (data: T) => Promise<unknown>) {
  const store = createStore<AutosaveState>(() => ({ state: 'saved' }))
  let latest: { data: T } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | null = null
  /** What is on its way, and how often something was saved. */
  let sent: { data: T } | null = null
  let savings = 0

  async function run(): Promise<void> {
    while (latest) {
      const { data } = latest
      sent = latest
      latest = null
      store.setState({ state: 'saving' })
      try {
        await save(data)
        savings++
      } catch (error) {
        latest ??= { data }
        return store.setState({ state: 'failed', error })
      } finally {
        sent = null
      }
    }
    store.setState({ state: 'saved' })
  }
  /** Saves what has changed now. Resolves when nothing is left to save, or saving failed. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    return (running ??= run().finally(() => (running = null)))
  }
  return {
    store,
    change: (data: T): void => {
      latest = { data }
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), DELAY_MS)
      if (!running) store.setState({ state: 'changed' })
    },
    flush,
    /** What nobody knows to be saved, and how many savings there will have been when it is; null where all is saved. */
    getUnsaved: (): { data: T; savings: number } | null => {
      const unsaved = latest ?? sent
      return unsaved && { data: unsaved.data, savings: savings + (latest ? 1 : 0) + (sent ? 1 : 0) }
    },
    /** Saves no more of what has changed so far. Resolves when nothing is on its way. */
    stop: async (): Promise<void> => {
      clearTimeout(timer)
      latest = null
      await running
      // A saving that failed just then has left its data.
      latest = null
      store.setState({ state: 'saved' })
    },
  }
}
