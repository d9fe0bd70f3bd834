import type { OnPart, Usage } from '../chat.ts'

/** How long a stopped answer is read on at a platform that bills it anyway, ms. */
const DRAIN_MS = 30_000

type StreamCall = (signal: AbortSignal, onPart: OnPart) => Promise<void>
export type BilledUsage = Omit<Usage, 'source'>

/**
 * Asks a platform that bills the whole answer even when the connection is closed. The caller who aborts is let go at
 * once, as everywhere; the answer is read on for a bounded time, so that the operator learns what it will be billed.
 */
export async function drainAfterAbort(
  call: StreamCall,
  signal: AbortSignal,
  onPart: OnPart,
  onBilled: (usage: BilledUsage | null) => void,
): Promise<void> {
  const upstream_abort = new AbortController()
  const detached = Promise.withResolvers<void>()
  let usage: BilledUsage | null = null
  const streaming = call(upstream_abort.signal, (part) => {
    if (part.type === 'usage') usage = part.usage
    if (signal.aborted) return
    const pending = onPart(part)
    // A reader that is slow, or fails because it has left, holds up nothing.
    if (pending) return Promise.race([pending, detached.promise]).catch(ignoreIfAborted(signal))
  })
  const onAbort = (): void => {
    detached.resolve()
    const timer = setTimeout(() => upstream_abort.abort(), DRAIN_MS).unref()
    // Cut off, or broken off by itself: what it reported before that is all there is to know.
    void streaming
      .catch(() => {})
      .finally(() => {
        clearTimeout(timer)
        onBilled(usage)
      })
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([streaming, detached.promise])
    signal.throwIfAborted()
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const ignoreIfAborted =
  (signal: AbortSignal) =>
  (error: unknown): void => {
    if (!signal.aborted) throw error
  }
