import { setTimeout as sleep } from 'node:timers/promises'

/** Most items of one write: beyond it a single statement's JSON takes long to parse. */
const MAX_BATCH = 500
/**
 * Time from the start of a batch of several items to the start of the next, ms: a batch costs more by itself (a statement, its
 * commit, messages between two processes) than an item adds.
 */
const GATHER_MS = 10

/**
 * Group commit: while one batch is being written the next one gathers, so that many callers share a transaction and its fsync. A
 * single caller does not wait. `write` takes items and returns one result each, in order. When a batch fails, its items are tried
 * one by one, so that one bad item fails alone.
 */
export function createBatcher<T, R>(write: (items: T[]) => Promise<R[]>): (item: T) => Promise<R> {
  type Waiting = { item: T; resolve: (result: R) => void; reject: (reason: unknown) => void }
  let queue: Waiting[] = []
  let active = false
  /** Earliest start of the next batch, in the time of `performance.now()`. */
  let nextMs = 0

  const writeAll = async (): Promise<void> => {
    while (queue.length) {
      const waitMs = nextMs - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      const batch = queue.splice(0, MAX_BATCH)
      if (batch.length > 1) nextMs = performance.now() + GATHER_MS
      await commit(batch)
    }
    active = false
  }

  const commit = async (batch: Waiting[]): Promise<void> => {
    try {
      const results = await write(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!)
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error)
      else for (const one of batch) await commit([one])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (active) return
      active = true
      // Everything added in the same turn of the event loop goes into the first batch.
      setImmediate(() => void writeAll())
    })
}
