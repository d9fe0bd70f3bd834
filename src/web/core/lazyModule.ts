const PROBE_MS = 5_000

/**
 * Code that could not be loaded. `stale`: the server answers, but this file of it does not come. A new version has taken
 * it away, or the browser remembers that it failed once (Firefox and Safari did until 2026); a reload mends both.
 */
export class ModuleLoadError extends Error {
  readonly stale: boolean
  constructor(stale: boolean) {
    super()
    this.stale = stale
  }
}

/**
 * What gives code that is loaded when it is first asked for, or at once with `eager`. A failure is not kept: who asks again
 * has it loaded again. The page is never reloaded by itself: nobody knows what stands in its fields.
 */
export function lazyModule<T>(load: () => Promise<T>, eager = false): () => Promise<T> {
  let loading: Promise<T> | undefined
  const loadOnce = () =>
    (loading ??= loadWithRetry(load).catch((error: unknown) => {
      loading = undefined
      throw error
    }))
  if (eager && !import.meta.env.SSR) loadOnce().catch(() => {})
  return loadOnce
}

async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    const isServerReachable = await fetch('/healthz', { signal: AbortSignal.timeout(PROBE_MS) }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (!isServerReachable) throw new ModuleLoadError(false)
    return load().catch(() => {
      throw new ModuleLoadError(true)
    })
  }
}
