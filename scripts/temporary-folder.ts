import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux's file system in memory. */
const MEMORY_FOLDER = '/dev/shm'
/** Far more bytes than a run of all tests writes at a time. */
const NEEDED_BYTES = 8e9

/**
 * Makes a folder for all temporary files of this process and its children, and removes it when this one ends. The folder is in
 * memory where there is plenty: a database is hundreds of files, and making those on a disk takes ten times as long.
 */
export function provideTemporaryFolder(): void {
  const folder = mkdtempSync(join(hasMemory() ? MEMORY_FOLDER : tmpdir(), 'wenqu-run-'))
  // Same mode as the system's folder: PostgreSQL and Debian's installer work as users of their own.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}

function hasMemory(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false
  // Containers often mount it without the right to run programs, such as those in Node's packages.
  if (/^\S+ \/dev\/shm \S+ \S*\bnoexec\b/m.test(readFileSync('/proc/mounts', 'utf8'))) return false
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return Math.min(bavail * bsize, process.availableMemory()) > NEEDED_BYTES
}
