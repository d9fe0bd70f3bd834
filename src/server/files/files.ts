import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { StorageUse, UploadCredential } from '#contract/files.ts'
import { checkUpload, getMaxUploadBytes, toObjectPath } from '#contract/uploads.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import { createId } from '#server/core/ids.ts'
import type { Log } from '#server/core/log.ts'
import type { Users } from '#server/accounts/users/users.ts'
import { createDownload } from './download.ts'
import { readType } from './file-type.ts'
import { createLocalStore, removeOlder } from './local-store.ts'
import {
  FILES_URL,
  getMd5OfKey,
  isObjectKey,
  isPictureKey,
  toSealedKey,
  toUploadedKey,
} from './object-store.ts'
import { createPictures } from './pictures.ts'
import { createRemoteStore } from './remote-store.ts'
import { createS3Handler, isStoreRequest } from './s3-requests.ts'
import { assertStorage, createStorageLimits } from './storage-limits.ts'
import * as store from './store.ts'
import type { FileRow } from './store.ts'
import { createVerifiedReader } from './verified-reader.ts'
import type { RecordedObject, VerifiedObject } from './verified-reader.ts'

export { FILES_URL } from './object-store.ts'
export { fileColumns, joinFile } from './store.ts'
export type { FileRow } from './store.ts'

/** Objects without a record, and uploads that were not finished, are removed after this long. */
const ORPHAN_MS = 24 * 3_600_000

type Options = { db: Db; config: Config; users: Users; log: Log }
export type Files = ReturnType<typeof createFiles>
/** A stored file that is not on record: its future row, the key of its upload (null without one), and the room of its owner. */
export type NewFile = { row: Omit<FileRow, 'created_at'>; upload_key: string | null; max_bytes: number }
type UploadedFile = { md5: string; name: string; type: string; size: number; url: string; channel: string }

/** Keeps the files that people upload: stores them, records them, and gives them back to their owners. */
export function createFiles({ db, config, users, log }: Options) {
  const folder = join(config.data_dir, 'files')
  const copies = join(folder, 'copies')
  const local = config.store.kind === 'local' ? createLocalStore(folder, config.app_secret) : null
  const objects = local ?? createRemoteStore(config.store as Exclude<Config['store'], { kind: 'local' }>)
  /** Users with an upload that is being checked, for which it is read as a whole. */
  const checking = new Set<string>()

  const openVerified = createVerifiedReader(objects, log)
  const pictures = createPictures(objects, openVerified)
  const storage = createStorageLimits({ db, objects, users })

  /** Deletes an object unless a record names it; meanwhile none can be made. */
  const deleteUnknown = (key: string): Promise<void> =>
    db.transaction(async (tx) => {
      await store.lockObject(tx, key)
      const knownKeys = await store.listKnownKeys(tx, [key])
      if (!knownKeys.has(key)) await objects.delete(key)
    })

  /**
   * Takes an upload to a key where its owner cannot change it, and checks it there. Returns that key, and the type. Throws
   * AppError file_missing, file_damaged, file_too_large.
   */
  const sealUpload = async (
    userId: string,
    key: string,
    sealedKey: string,
    file: UploadedFile,
  ): Promise<{ key: string; type: string }> => {
    const size = await objects.getSize(key)
    if (size === null) throw new AppError('file_missing')
    const refusal = checkUpload(await users.getLevel(userId), { ...file, size })
    if (refusal !== null) {
      await deleteUnknown(key)
      throw new AppError('file_too_large', { message: refusal })
    }
    const sealed = await objects.seal(key, sealedKey)
    if (sealed === null) throw new AppError('file_missing')
    try {
      const object = await openVerified({ key: sealed, size: file.size, md5: file.md5 })
      return { key: sealed, type: await readType(object, file) }
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause
      // The object was deleted meanwhile, with the last record that named it.
      if ((await objects.getSize(sealed)) === null) throw new AppError('file_missing', { cause })
      for (const damaged of new Set([sealed, key])) await deleteUnknown(damaged)
      throw new AppError('file_damaged', { cause })
    }
  }

  return {
    /** Origin to which browsers send files by themselves, beside this site; null where they do not. */
    store_origin: objects.origin,

    /** Creates keys for uploads, good for half an hour. Throws AppError credential_failed, storage_full, uploads_unsaved. */
    async createCredential(userId: string): Promise<UploadCredential> {
      const maxBytes = getMaxUploadBytes(await users.getLevel(userId))
      await storage.requireStorage(userId, 1)
      await storage.requireUploadRoom(userId, { files: 1, bytes: 1 })
      const day = toChinaDay(new Date())
      return {
        ...(await objects.createCredential({ user_id: userId, max_bytes: maxBytes })),
        base_url: FILES_URL,
        day,
      }
    },

    /** Returns how much of an account's room its files take. */
    getUse: (userId: string): Promise<StorageUse> => storage.getUse(userId),

    /** Finds a file that the user has uploaded in this channel before. */
    findByMd5: (userId: string, channel: string, md5: string) =>
      store.findFileByMd5(db, userId, channel, md5),

    /**
     * Seals an upload, so that nobody can change it, and checks its size and MD5, to be recorded by `record`; call
     * `discardUpload` after that. Throws AppError file_missing, file_damaged, file_too_large, upload_busy, storage_full.
     */
    async checkUploaded(userId: string, file: UploadedFile): Promise<NewFile> {
      const key = toUploadedKey(userId, file.url)
      if (!key || getMd5OfKey(key) !== file.md5) throw new AppError('file_missing')
      if (checking.has(userId)) throw new AppError('upload_busy')
      checking.add(userId)
      try {
        const maxBytes = await storage.requireStorage(userId, file.size)
        const id = createId()
        const { key: sealed, type } = await sealUpload(userId, key, toSealedKey(userId, id, key), file)
        const { md5, name, channel, size } = file
        const row = { id, user_id: userId, key: sealed, md5, name, channel, size, type }
        return { row, upload_key: key, max_bytes: maxBytes }
      } finally {
        checking.delete(userId)
      }
    },

    /** Stores bytes that the server has fetched for a user, to be recorded by `record`. Throws AppError storage_full. */
    async put(
      userId: string,
      { name, type, channel, bytes }: Pick<UploadedFile, 'name' | 'type' | 'channel'> & { bytes: Uint8Array },
    ): Promise<NewFile> {
      const maxBytes = await storage.requireStorage(userId, bytes.byteLength)
      const md5 = createHash('md5').update(bytes).digest('hex')
      const id = createId()
      const key = toSealedKey(userId, id, toObjectPath(md5, { name, type }, toChinaDay(new Date())))
      await objects.put(key, bytes)
      return {
        row: { id, user_id: userId, key, md5, name, channel, size: bytes.byteLength, type },
        upload_key: null,
        max_bytes: maxBytes,
      }
    },

    /**
     * Records a file in the caller's transaction, or returns the recorded one of the same content. Throws AppError storage_full,
     * and file_missing where its object was deleted since it was stored, with the last record that named it.
     */
    async record(tx: Db, { row, max_bytes }: NewFile): Promise<FileRow> {
      await store.lockObject(tx, row.key)
      await store.lockFilesOf(tx, row.user_id)
      const recorded = await store.insertFile(tx, row)
      if (recorded.id === row.id) assertStorage((await store.sumFiles(tx, row.user_id)).used_bytes, max_bytes)
      if ((await objects.getSize(recorded.key)) === null) throw new AppError('file_missing')
      return recorded
    },

    /** Removes from the store what is left of a checked or put file once it is recorded: copies that no record names. */
    async discardUpload({ row, upload_key }: NewFile): Promise<void> {
      // The sweep finds objects that cannot be deleted at once.
      for (const key of new Set([row.key, upload_key ?? row.key]))
        await deleteUnknown(key).catch((err: unknown) => log.warn({ err }, 'an upload could not be deleted'))
    },

    /** Finds a user's file by the end of its url; an upload that was sealed under another key is found by its content. */
    async find(userId: string, key: string): Promise<FileRow | undefined> {
      if (!isObjectKey(key)) return undefined
      const md5 = toUploadedKey(userId, FILES_URL + key) && getMd5OfKey(key)
      return (
        (await store.findFileByKey(db, userId, key)) ??
        (md5 ? store.findFileOfContent(db, userId, md5) : undefined)
      )
    },

    /** Opens a file, whose bytes are those of its record; close the result. Throws AppError not_found. */
    open: (file: RecordedObject): Promise<VerifiedObject> => openVerified(file),

    /** Reads a whole file as a stream, which fails if the bytes are not as many as recorded. */
    read: async (file: RecordedObject): Promise<Readable> => (await openVerified(file)).read(),

    /** Gives a file a path on this machine; see download.ts. */
    download: createDownload({ objects, openVerified, copies }),

    /**
     * Deletes the record of a user's file, with all that depends on it, in the caller's transaction; call the result after the
     * commit, to delete the object.
     */
    async delete(
      tx: Db,
      userId: string,
      { id, key }: Pick<FileRow, 'id' | 'key'>,
    ): Promise<() => Promise<void>> {
      await store.lockObject(tx, key)
      await store.deleteFile(tx, userId, id)
      // The sweep finds objects that cannot be deleted at once.
      return () =>
        deleteUnknown(key).catch((err: unknown) => log.warn({ err }, 'a file could not be deleted'))
    },

    /**
     * Defines a field with pictures that everybody may load (`avatar`, `logo`), at the start of its feature. `listUsed` returns
     * those of some urls that the field holds: pictures that no field holds are removed after a day. Returns the function that
     * turns a client's value into the one to be stored.
     */
    definePictures: pictures.define,

    /** Reads a picture by its url. Throws AppError not_found. */
    readPicture: pictures.read,

    /**
     * Removes what nobody can reach: uploads that were never finished, objects without a record, and pictures that no field
     * holds.
     */
    async sweep(now = new Date()): Promise<void> {
      const before = new Date(now.getTime() - ORPHAN_MS)
      await objects.sweepUploads(before)
      await removeOlder(copies, before)
      for await (const keys of objects.listOlder(before)) {
        const oldPictures = keys.filter(isPictureKey)
        const knownKeys = keys.length ? await store.listKnownKeys(db, keys) : new Set()
        const usedKeys = oldPictures.length ? await pictures.listUsedKeys(oldPictures) : new Set()
        for (const key of keys) if (!knownKeys.has(key) && !usedKeys.has(key)) await objects.delete(key)
      }
    },

    /** Takes requests of the store that comes with the server; returns false for others. */
    tryHandle: local
      ? createS3Handler({
          store: local,
          app_url: config.app_url,
          log,
          requireUploadRoom: (userId, added) => storage.requireUploadRoom(userId, added),
        })
      : () => false,

    /** Tells whether a request puts into that store: a slice takes as long as its sender's line needs. */
    isUpload: (request: IncomingMessage): boolean => local !== null && isStoreRequest(request),
  }
}
