import type { Take, Usage } from './chat.ts'

/** How long a stopped answer is read on at a platform that bills it anyway, ms. */
const DRAIN_MS = 30_000

type Asking = (signal: AbortSignal, take: Take) => Promise<void>
export type Billed = Omit<Usage, 'source'>

/**
 * Asks a platform that bills the whole answer even when the connection is closed. The caller who aborts is let go at
 * once, as everywhere; the answer is read on for a bounded time, so that the operator learns what it will be billed.
 */
export async function readOnAfterAbort(
  ask: Asking,
  signal: AbortSignal,
  take: Take,
  onBilled: (usage: Billed | null) => void,
): Promise<void> {
  const own = new AbortController()
  const left = Promise.withResolvers<void>()
  let usage: Billed | null = null
  const asked = ask(own.signal, (part) => {
    if (part.type === 'usage') usage = part.usage
    if (signal.aborted) return
    const taken = take(part)
    // A reader that is slow, or fails because it has left, holds up nothing.
    if (taken) return Promise.race([taken, left.promise]).catch(unless(signal))
  })
  const onAbort = (): void => {
    left.resolve()
    const timer = setTimeout(() => own.abort(), DRAIN_MS).unref()
    // Cut off, or broken off by itself: what it reported before that is all there is to know.
    void asked
      .catch(() => {})
      .finally(() => {
        clearTimeout(timer)
        onBilled(usage)
      })
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([asked, left.promise])
    signal.throwIfAborted()
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const unless =
  (signal: AbortSignal) =>
  (error: unknown): void => {
    if (!signal.aborted) throw error
  }
