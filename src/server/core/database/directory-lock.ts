import { DatabaseSync } from 'node:sqlite'
import { DatabaseOpenError } from './open-error.ts'

/** Milliseconds to wait for the lock, which a process that is just ending may still hold. */
const LOCK_TIMEOUT_MS = 1000
const SQLITE_BUSY = 5

/**
 * Takes a file as an exclusive lock and returns a function that releases it. The operating system frees the lock however the
 * process dies; SQLite serves only for its portable file locks. Throws DatabaseOpenError.
 */
export function lockDirectory(file: string): () => void {
  const lock = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause
    throw new DatabaseOpenError(
      'database_locked',
      `数据目录正被另一个进程使用，请先停止它，或用 DATA_DIR 指定别的目录 / another process is using this data directory; stop it first or set DATA_DIR: ${file}`,
      cause,
    )
  }
  return () => lock.close()
}
