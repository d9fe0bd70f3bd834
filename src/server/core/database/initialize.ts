import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDurablePglite, syncPath } from './durable-pglite.ts'

/**
 * Makes the database where there is none. It gets its name only when it is complete and on the disk, because a directory left by
 * a process that died while filling it cannot be opened again.
 */
export async function initializeDirectory(
  directory: string,
  onBroken: (reason: string) => void,
  compiling: Promise<WebAssembly.Module>,
): Promise<void> {
  if (existsSync(join(directory, 'PG_VERSION'))) return
  const fresh = `${directory}.new`
  rmSync(fresh, { recursive: true, force: true })
  for (const name of [directory, fresh]) rmSync(`${name}.synced`, { force: true })
  const database = await openDurablePglite(fresh, onBroken, compiling)
  await database.close()
  rmSync(`${fresh}.synced`)
  syncTree(fresh)
  renameSync(fresh, directory)
  syncPath(dirname(directory))
}

function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else syncPath(path)
  }
  syncPath(directory)
}
