import type { SessionWatch } from '#server/core/event-stream/send-events.ts'

/** Interval of the checks, ms: well within the five seconds after which a signed-out browser must receive nothing. */
const LOOK_INTERVAL_MS = 3_000

/**
 * Ends event streams of signed-out browsers: one query every few seconds for all of them together, since any process may sign a
 * browser out. `listLive` returns the given token hashes that are still signed in.
 */
export function createSessionWatch(listLive: (tokenHashes: string[]) => Promise<Set<string>>) {
  const watched = new Map<AbortController, string>()
  let timer: NodeJS.Timeout | null = null

  const endSignedOut = async (): Promise<void> => {
    const streams = [...watched]
    const live = await listLive([...new Set(watched.values())])
    for (const [stream, tokenHash] of streams) if (!live.has(tokenHash)) stream.abort()
  }
  /** Not awaited. While the database is away, nobody can be signed out either. */
  const look = (): void => {
    if (watched.size) void endSignedOut().catch(() => undefined)
  }

  return {
    look,
    add(tokenHash: string): SessionWatch {
      const stream = new AbortController()
      watched.set(stream, tokenHash)
      timer ??= setInterval(look, LOOK_INTERVAL_MS).unref()
      const release = (): void => {
        watched.delete(stream)
        if (watched.size || !timer) return
        clearInterval(timer)
        timer = null
      }
      return { signal: stream.signal, release }
    },
  }
}
