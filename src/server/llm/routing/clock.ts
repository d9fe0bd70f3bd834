import { setTimeout as wait } from 'node:timers/promises'

/** Time and randomness, which tests replace. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number
  /** From 0 up to, not including, 1. */
  random: () => number
  /** Rejects with the signal's reason as soon as it aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  random: Math.random,
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, { signal })
    } catch (cause) {
      signal.throwIfAborted()
      throw cause
    }
  },
}
