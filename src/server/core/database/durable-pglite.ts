import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Stream = { node: unknown; nfd?: number }
type NodeFiles = { stream_ops: { fsync?: (stream: Stream) => number }; realPath(node: unknown): string }
type Module = { FS: { filesystems: { NODEFS: NodeFiles } } }

/** The exit status by which PGlite passes on an ordinary SQL error. */
const LONGJMP_STATUS = 100

/** WASI's EIO. */
const WASI_EIO = 29

/** Flushes a file or a directory to the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** How far the clock may be set back while files are written. */
const CLOCK_MARGIN_MS = 10_000

/** PGlite's file system ignores fsync, so a power cut could lose acknowledged commits. This one does not ignore it. */
class DurableFS extends NodeFS {
  /** Files last written before this moment, epoch ms, are on the disk already. */
  syncedUntil = 0

  private isSynced(target: number | string): boolean {
    if (!this.syncedUntil) return false
    const { mtimeMs } = typeof target === 'number' ? fstatSync(target) : statSync(target)
    return mtimeMs < this.syncedUntil - CLOCK_MARGIN_MS
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const initResult = await super.init(...args)
    const addFsync = (module: unknown): void => {
      const files = (module as Module).FS.filesystems.NODEFS
      files.stream_ops.fsync = (stream) => {
        try {
          // A directory has no descriptor.
          const target = stream.nfd ?? files.realPath(stream.node)
          if (this.isSynced(target)) return 0
          if (typeof target === 'number') fsyncSync(target)
          else syncPath(target)
          return 0
        } catch {
          // PostgreSQL stops by itself when the log can't be written.
          return WASI_EIO
        }
      }
    }
    initResult.emscriptenOpts.preRun = [addFsync, ...(initResult.emscriptenOpts.preRun ?? [])]
    return initResult
  }
}

/** Returns when the last start that opened this directory began, epoch ms; 0 if there was none, or if a copy took its place. */
function readSyncedUntil(marker: string, directory: string): number {
  try {
    const [beganAt, inode] = readFileSync(marker, 'utf8').split(' ').map(Number)
    return (inode === statSync(directory).ino && beganAt) || 0
  } catch {
    return 0
  }
}

/** Node's own types describe a module, but not `compile`. */
const { WebAssembly: compiler } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> }
}

/** Compiles PostgreSQL for any number of openings. It needs no directory, so this can be done before there is one. */
export const compilePglite = async (): Promise<WebAssembly.Module> =>
  compiler.compile(await readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))

/**
 * Opens a directory, and makes a new database in it where there is none. `onBroken` gets the reason when PostgreSQL goes down,
 * for example because the disk is full.
 *
 * After a crash PostgreSQL first flushes every file to the disk, more than a thousand. Every opening does so, or follows a clean
 * shutdown: therefore files that were not written since the last opening began are skipped.
 */
export async function openDurablePglite(
  directory: string,
  onBroken: (reason: string) => void,
  compiling: Promise<WebAssembly.Module> = compilePglite(),
): Promise<PGlite> {
  let lastFatalLine = ''
  const marker = `${directory}.synced`
  const beganAt = Date.now()
  const fs = new DurableFS(directory)
  fs.syncedUntil = readSyncedUntil(marker, directory)
  const database = await PGlite.create({
    fs,
    pgliteWasmModule: await compiling,
    onStderr(line) {
      if (/PANIC|FATAL/.test(line)) lastFatalLine = line
      return false
    },

    startParams: [
      // -F is PostgreSQL's own switch that turns fsync off.
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      ...['wal_sync_method=fsync', 'max_wal_size=128MB', 'min_wal_size=32MB'].flatMap((value) => [
        '-c',
        value,
      ]),
    ],
  })
  fs.syncedUntil = 0
  writeFileSync(marker, `${beganAt} ${statSync(directory).ino}`)
  // PGlite swallows the errors that end PostgreSQL (a panic, a trap) and then calls it again for ever.
  const instance = database.Module as unknown as { _PostgresMainLoopOnce: () => void }
  const step = instance._PostgresMainLoopOnce
  instance._PostgresMainLoopOnce = () => {
    try {
      step()
    } catch (error) {
      if ((error as { status?: number }).status !== LONGJMP_STATUS) onBroken(lastFatalLine || String(error))
      throw error
    }
  }
  return database
}
