import { parentPort, workerData } from 'node:worker_threads'

/** Signal that ends a process which took too much memory, so that its parent can tell why. */
export const MEMORY_SIGNAL = 'SIGUSR2'

const WATCH_MS = 100

// Runs in a thread beside the reading, which may be busy for as long as it likes: ends the process when it takes too much
// memory, buffers and pictures included, or when its parent has died.
if (parentPort) {
  const { max_bytes, parent } = workerData as { max_bytes: number; parent: number }
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    if (process.memoryUsage.rss() > max_bytes) process.kill(process.pid, MEMORY_SIGNAL)
  }, WATCH_MS)
}
