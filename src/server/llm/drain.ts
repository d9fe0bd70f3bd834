import type { ChatPart, Usage } from './chat.ts'

/** How long a stopped answer is read on at a platform that bills it anyway, ms. */
const DRAIN_MS = 30_000

type Asking = (signal: AbortSignal) => AsyncIterable<ChatPart>
export type Billed = Omit<Usage, 'source'>

/**
 * Asks a platform that bills the whole answer even when the connection is closed. The caller who aborts is let go at
 * once, as everywhere; the answer is read on for a bounded time, so that the operator learns what it will be billed.
 */
export async function* readOnAfterAbort(
  ask: Asking,
  signal: AbortSignal,
  onBilled: (usage: Billed | null) => void,
): AsyncGenerator<ChatPart, void, undefined> {
  const own = new AbortController()
  const parts = ask(own.signal)[Symbol.asyncIterator]()
  const aborted = new Promise<'aborted'>((resolve) => {
    if (signal.aborted) resolve('aborted')
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true })
  })
  for (;;) {
    const coming = parts.next()
    const next = await Promise.race([coming, aborted])
    if (next === 'aborted') {
      void drain(parts, coming, own, onBilled)
      throw signal.reason
    }
    if (next.done) return
    yield next.value
  }
}

async function drain(
  parts: AsyncIterator<ChatPart>,
  coming: Promise<IteratorResult<ChatPart>>,
  own: AbortController,
  onBilled: (usage: Billed | null) => void,
): Promise<void> {
  const timer = setTimeout(() => own.abort(), DRAIN_MS).unref()
  let usage: Billed | null = null
  try {
    for (let next = await coming; !next.done; next = await parts.next()) {
      if (next.value.type === 'usage') usage = next.value.usage
    }
  } catch {
    // It was cut off, or broke off by itself: what it reported before that is all there is to know.
  } finally {
    clearTimeout(timer)
    onBilled(usage)
  }
}
