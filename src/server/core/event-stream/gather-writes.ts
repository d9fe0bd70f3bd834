/** Interval between writes, ms: no reader notices it, and it is far shorter than a platform's own pauses. */
const GATHER_MS = 5

let pendingWrites: (() => void)[] = []
/** Earliest time of the next write, in the time of `performance.now()`. */
let dueMs = 0

/**
 * Calls `write` at once or, if another stream of this process was just written to, a moment later together with all others that
 * wait: sending a few bytes costs most where it wakes a reader who then waits for the next chunk, and about a third of that where
 * many are sent one after the other.
 */
export function gatherWrites(write: () => void): void {
  if (pendingWrites.push(write) > 1) return
  const waitMs = dueMs - performance.now()
  if (waitMs <= 0) writeAll()
  else setTimeout(writeAll, waitMs)
}

function writeAll(): void {
  const due = pendingWrites
  pendingWrites = []
  dueMs = performance.now() + GATHER_MS
  for (const write of due) write()
}
