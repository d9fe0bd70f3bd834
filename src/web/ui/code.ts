import { uiText } from '../text/ui.ts'
import { toast } from './toast.ts'

const PROBE_MS = 5_000

/**
 * Code that could not be loaded. `stale`: the server answers, but this file of it does not come. A new version has taken
 * it away, or the browser remembers that it failed once (Firefox and Safari did until 2026); a reload mends both.
 */
export class NotLoaded extends Error {
  readonly stale: boolean
  constructor(stale: boolean) {
    super()
    this.stale = stale
  }
}

/**
 * What gives code that is loaded when it is first asked for, or at once with `now`. A failure is not kept: who asks again
 * has it loaded again. The page is never reloaded by itself: nobody knows what stands in its fields.
 */
export function code<T>(load: () => Promise<T>, now = false): () => Promise<T> {
  let loading: Promise<T> | undefined
  const get = () =>
    (loading ??= patiently(load).catch((error: unknown) => {
      loading = undefined
      throw error
    }))
  if (now) get().catch(() => {})
  return get
}

async function patiently<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    const there = await fetch('/healthz', { signal: AbortSignal.timeout(PROBE_MS) }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (!there) throw new NotLoaded(false)
    return load().catch(() => {
      throw new NotLoaded(true)
    })
  }
}

/** Does something by code that may not be there yet; says so where it cannot be loaded, and gives up. */
export const withCode = <T>(
  get: () => Promise<T>,
  work: (code: T) => unknown,
  otherwise?: () => void,
): Promise<void> =>
  get().then(
    async (code) => void (await work(code)),
    () => {
      toast.error(uiText.notLoaded)
      otherwise?.()
    },
  )
