import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#server/core/app-error.ts'
import type { ObjectStore } from './object-store.ts'
import type { RecordedObject, VerifiedObject } from './verified-reader.ts'

/** A file on this machine; `remove` it once it has been read. */
type LocalFile = { path: string; remove: () => Promise<void> }
type Options = {
  objects: Pick<ObjectStore, 'getPath'>
  openVerified: (file: RecordedObject) => Promise<VerifiedObject>
  /** Folder for copies of objects that are elsewhere. */
  copies: string
}

/**
 * Creates the function that gives a file a path on this machine, for programs that read files. It throws AppError document_gone
 * where the object is gone or another one, storage_unavailable for every other failure, and the signal's reason.
 */
export function createDownload({ objects, openVerified, copies }: Options) {
  const copy = async (object: VerifiedObject, signal: AbortSignal): Promise<LocalFile> => {
    await mkdir(copies, { recursive: true })
    const path = join(copies, randomBytes(16).toString('hex'))
    const remove = (): Promise<void> => rm(path, { force: true })
    try {
      await pipeline(await object.read(), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    } catch (error) {
      await remove()
      throw error
    }
    return { path, remove }
  }

  return async (recorded: RecordedObject, signal: AbortSignal): Promise<LocalFile> => {
    try {
      const object = await openVerified(recorded)
      const path = objects.getPath(recorded.key)
      if (path === null) return await copy(object, signal)
      await object.close()
      return { path, remove: async () => {} }
    } catch (cause) {
      signal.throwIfAborted()
      const isGone = cause instanceof AppError && cause.code === 'not_found'
      // Nothing of this depends on what is in the file.
      throw new AppError(isGone ? 'document_gone' : 'storage_unavailable', { cause })
    }
  }
}
