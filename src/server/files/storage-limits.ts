import { getStorageLimits } from '#contract/uploads.ts'
import type { StorageUse } from '#contract/files.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Users } from '#server/accounts/users/users.ts'
import { listUploadDays } from './object-store.ts'
import type { ObjectStore } from './object-store.ts'
import { listKnownKeys, sumFiles } from './store.ts'

type Options = { db: Db; objects: ObjectStore; users: Users }

/** Limits how much an account keeps: files that it has saved, and uploads that it has not. */
export function createStorageLimits({ db, objects, users }: Options) {
  const getLimits = async (userId: string) => getStorageLimits(await users.getLevel(userId))

  return {
    async getUse(userId: string): Promise<StorageUse> {
      const { max_bytes } = await getLimits(userId)
      return { ...(await sumFiles(db, userId)), max_bytes }
    },

    /** Returns how many bytes an account of this level may keep. Throws AppError storage_full where `bytes` more do not fit. */
    async requireStorage(userId: string, bytes: number): Promise<number> {
      const { max_bytes } = await getLimits(userId)
      assertStorage((await sumFiles(db, userId)).used_bytes + bytes, max_bytes)
      return max_bytes
    },

    /**
     * Makes sure that a person has not too much in the store that is not saved, with an upload of so many `files` and `bytes`.
     * Throws AppError uploads_unsaved.
     */
    async requireUploadRoom(
      userId: string,
      { files, bytes }: { files: number; bytes: number },
    ): Promise<void> {
      const { max_unsaved_files, max_unsaved_bytes } = await getLimits(userId)
      const uploads = await objects.listUploads(userId, listUploadDays(new Date()))
      const keys = uploads.map(({ key }) => key)
      const knownKeys = keys.length ? await listKnownKeys(db, keys) : new Set()
      const unsaved = uploads.filter(({ key }) => !knownKeys.has(key))
      const unsavedBytes = unsaved.reduce((sum, { size }) => sum + size, 0)
      if (unsaved.length + files > max_unsaved_files || unsavedBytes + bytes > max_unsaved_bytes)
        throw new AppError('uploads_unsaved')
    },
  }
}

/** Throws AppError storage_full for more bytes than an account may keep. */
export function assertStorage(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new AppError('storage_full')
}
