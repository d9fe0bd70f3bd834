import type { OnPart, Usage } from '../stream-part.ts'

/** Longest time that an aborted response is read on from a platform that bills it anyway, ms. */
const DRAIN_MS = 30_000

type StreamCall = (signal: AbortSignal, onPart: OnPart) => Promise<void>

/**
 * Calls a platform that bills the whole response even when the connection is closed. A caller that aborts is released at
 * once, as everywhere; the response is read on for a bounded time, so that the operator learns what will be billed.
 */
export async function drainAfterAbort(
  call: StreamCall,
  signal: AbortSignal,
  onPart: OnPart,
  onBilled: (usage: Usage | null) => void,
): Promise<void> {
  const upstreamAbort = new AbortController()
  const detached = Promise.withResolvers<void>()
  let usage: Usage | null = null
  /** The caller has aborted. A variable, since the signal would be looked up for every part. */
  let isAborted = false
  const streaming = call(upstreamAbort.signal, (part) => {
    if (part.type === 'usage') usage = part.usage
    if (isAborted) return
    const pending = onPart(part)
    // A receiver that is slow, or fails because its caller aborted, must not hold up the call.
    if (pending) return Promise.race([pending, detached.promise]).catch(ignoreIfAborted(signal))
  })
  const onAbort = (): void => {
    isAborted = true
    detached.resolve()
    const timer = setTimeout(() => upstreamAbort.abort(), DRAIN_MS).unref()
    // However the call ended, nothing is known beyond the usage that it reported before.
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
