import { createStore } from 'zustand'

/** `error`: the reason why the last save failed. */
export type AutosaveState = { state: 'saved' | 'changed' | 'saving' } | { state: 'failed'; error: unknown }

/** Long enough for a burst of typing, short enough that nobody leaves before it. */
const DELAY_MS = 600

/**
 * Saves the newest data a moment after a change, one save at a time. Data that could not be saved is saved with the next change,
 * or when `flush` is called.
 */
export function createAutosave<T>(save: (data: T) => Promise<unknown>) {
  const store = createStore<AutosaveState>(() => ({ state: 'saved' }))
  let latest: { data: T } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let runningSave: Promise<void> | null = null
  /** The data on its way, and the number of saves that succeeded. */
  let inFlight: { data: T } | null = null
  let savings = 0

  async function run(): Promise<void> {
    while (latest) {
      const { data } = latest
      inFlight = latest
      latest = null
      store.setState({ state: 'saving' })
      try {
        await save(data)
        savings++
      } catch (error) {
        latest ??= { data }
        return store.setState({ state: 'failed', error })
      } finally {
        inFlight = null
      }
    }
    store.setState({ state: 'saved' })
  }
  /** Saves pending changes at once. Resolves when nothing is left to save, or a save failed. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    return (runningSave ??= run().finally(() => (runningSave = null)))
  }
  return {
    store,
    change: (data: T): void => {
      latest = { data }
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), DELAY_MS)
      if (!runningSave) store.setState({ state: 'changed' })
    },
    flush,
    /** The data not known to be saved, and how many saves there will have been after it; null where all is saved. */
    getUnsaved: (): { data: T; savings: number } | null => {
      const unsaved = latest ?? inFlight
      return unsaved && { data: unsaved.data, savings: savings + (latest ? 1 : 0) + (inFlight ? 1 : 0) }
    },
    /** Drops changes that are not on their way yet. Resolves when nothing is on its way. */
    stop: async (): Promise<void> => {
      clearTimeout(timer)
      latest = null
      await runningSave
      // A save that failed just then has put its data back.
      latest = null
      store.setState({ state: 'saved' })
    },
  }
}
