import { closeSync, fsyncSync, openSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { vector } from '@electric-sql/pglite-pgvector'

type Stream = { node: unknown; nfd?: number }
type NodeFiles = { stream_ops: { fsync?: (stream: Stream) => number }; realPath(node: unknown): string }
type Module = { FS: { filesystems: { NODEFS: NodeFiles } } }

/** The exit status by which PGlite hands on an ordinary SQL error. */
const LONGJMP_STATUS = 100

/** WASI's EIO. */
const WASI_EIO = 29

/** Writes a file's or directory's content through to the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** PGlite's file system ignores fsync, so a power cut could take commits that were acknowledged. This one doesn't. */
class DurableFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const made = await super.init(...args)
    const addFsync = (module: unknown): void => {
      const files = (module as Module).FS.filesystems.NODEFS
      files.stream_ops.fsync = (stream) => {
        try {
          // A directory has no descriptor of its own.
          if (stream.nfd === undefined) syncPath(files.realPath(stream.node))
          else fsyncSync(stream.nfd)
          return 0
        } catch {
          // PostgreSQL stops by itself when the log can't be written.
          return WASI_EIO
        }
      }
    }
    made.emscriptenOpts.preRun = [addFsync, ...(made.emscriptenOpts.preRun ?? [])]
    return made
  }
}

/**
 * Opens a directory, and makes a new database in it where there is none. `onBroken` is told why when PostgreSQL goes
 * down with the disk full, for example.
 */
export async function openDurablePglite(
  directory: string,
  onBroken: (reason: string) => void,
): Promise<PGlite> {
  let last_fatal_line = ''
  const database = await PGlite.create({
    fs: new DurableFS(directory),
    onStderr(line) {
      if (/PANIC|FATAL/.test(line)) last_fatal_line = line
      return false
    },
    extensions: { vector, pg_trgm },
    startParams: [
      // -F is PostgreSQL's own switch to leave fsync out.
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      ...['wal_sync_method=fsync', 'max_wal_size=128MB', 'min_wal_size=32MB'].flatMap((value) => [
        '-c',
        value,
      ]),
    ],
  })
  // PGlite swallows what ends PostgreSQL (a panic, a trap) and then asks it for ever to go on.
  const module = database.Module as unknown as { _PostgresMainLoopOnce: () => void }
  const step = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      step()
    } catch (error) {
      if ((error as { status?: number }).status !== LONGJMP_STATUS) onBroken(last_fatal_line || String(error))
      throw error
    }
  }
  return database
}
