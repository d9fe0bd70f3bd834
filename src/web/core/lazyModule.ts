const PROBE_MS = 5_000

/**
 * Code could not be loaded. `stale`: the server responds, but this file does not arrive, because a new version removed it, or
 * because the browser remembers an earlier failure (Firefox and Safari did until 2026); a reload mends both.
 */
export class ModuleLoadError extends Error {
  readonly stale: boolean
  constructor(stale: boolean) {
    super()
    this.stale = stale
  }
}

/**
 * Returns a function that loads code when first called, or at once with `eager`. A failure is not remembered: the next call tries
 * again. The page is never reloaded automatically, since its fields may hold unsaved text.
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
