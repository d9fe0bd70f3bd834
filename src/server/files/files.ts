import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UploadCredential } from '#contract/files.ts'
import { checkUpload, getMaxUploadBytes, toFileType, toObjectPath } from '#contract/uploads.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Config } from '#server/core/config.ts'
import type { Db } from '#server/core/database/database.ts'
import { toChinaDay } from '#server/core/dates.ts'
import { createId } from '#server/core/ids.ts'
import type { Log } from '#server/core/log.ts'
import type { Users } from '#server/users/users.ts'
import { createLocalStore, removeOlder } from './local-store.ts'
import { FILES_URL, isObjectKey, isPictureKey, toPrefix, toUploadedKey } from './object-store.ts'
import type { ByteRange } from './object-store.ts'
import { createPictures } from './pictures.ts'
import { createRemoteStore } from './remote-store.ts'
import { createS3Handler, isStoreRequest } from './s3-requests.ts'
import * as store from './store.ts'
import type { FileRow } from './store.ts'

export { FILES_URL } from './object-store.ts'
export { fileColumns, joinFile } from './store.ts'
export type { FileRow } from './store.ts'
export type { SavePicture } from './pictures.ts'

/** Objects without a record, and uploads that were not finished, are removed after this long. */
const ORPHAN_MS = 24 * 3_600_000

type Options = { db: Db; config: Config; users: Users; log: Log }
export type Files = ReturnType<typeof createFiles>
type UploadedFile = { md5: string; name: string; type: string; size: number; url: string; channel: string }

/** What people upload: where it is put, what is known of it, and how its owner gets it back. */
export function createFiles({ db, config, users, log }: Options) {
  const folder = join(config.data_dir, 'files')
  const copies = join(folder, 'copies')
  const local = config.store.kind === 'local' ? createLocalStore(folder, config.app_secret) : null
  const objects = local ?? createRemoteStore(config.store as Exclude<Config['store'], { kind: 'local' }>)
  const pictures = createPictures(objects)
  /** Users whose upload is being looked at: it is read as a whole. */
  const checking = new Set<string>()

  /** The size of an object as it is stored. Throws AppError file_missing. */
  const requireSize = async (key: string): Promise<number> => {
    const size = await objects.getSize(key)
    if (size === null) throw new AppError('file_missing')
    return size
  }

  /** Throws AppError file_damaged, file_too_large: then the object is gone. */
  const checkObject = async (user_id: string, key: string, file: UploadedFile): Promise<number> => {
    const size = await requireSize(key)
    const refusal = checkUpload(await users.getLevel(user_id), { ...file, size })
    if (refusal !== null) {
      await objects.delete(key)
      throw new AppError('file_too_large', { message: refusal })
    }
    if (size === file.size && (await computeMd5(await objects.read(key))) === file.md5) return size
    await objects.delete(key)
    throw new AppError('file_damaged')
  }

  /** Deletes an object unless a record names it; meanwhile none is made. */
  const deleteUnknown = (key: string): Promise<void> =>
    db.transaction(async (tx) => {
      await store.lockObject(tx, key)
      const known = await store.listKnownKeys(tx, [key])
      if (!known.has(key)) await objects.delete(key)
    })

  return {
    /** Where browsers put files by themselves, beside this site; null where they do not. */
    store_origin: objects.origin,

    /** Keys to put files into the store with, for half an hour. Throws AppError credential_failed. */
    async createCredential(user_id: string): Promise<UploadCredential> {
      const max_bytes = getMaxUploadBytes(await users.getLevel(user_id))
      return { ...(await objects.createCredential({ user_id, max_bytes })), base_url: FILES_URL }
    },

    /** A file that the user has uploaded in this channel before. */
    findByMd5: (user_id: string, channel: string, md5: string) =>
      store.findFileByMd5(db, user_id, channel, md5),

    /**
     * What an upload has put into the store, after size and md5 were taken of it, to be recorded by `record`. Throws
     * AppError file_missing, file_damaged, file_too_large, upload_busy.
     */
    async checkUploaded(user_id: string, file: UploadedFile): Promise<Omit<FileRow, 'created_at'>> {
      const key = toUploadedKey(user_id, file.url)
      if (!key?.includes(`/${file.md5}.`)) throw new AppError('file_missing')
      if (checking.has(user_id)) throw new AppError('upload_busy')
      checking.add(user_id)
      try {
        const size = await checkObject(user_id, key, file)
        const { md5, name, channel } = file
        return { id: createId(), user_id, key, md5, name, channel, size, type: toFileType(file) }
      } finally {
        checking.delete(user_id)
      }
    },

    /** Stores what the server has fetched for a user, to be recorded by `record`. */
    async put(
      user_id: string,
      { name, type, channel, bytes }: Pick<UploadedFile, 'name' | 'type' | 'channel'> & { bytes: Uint8Array },
    ): Promise<Omit<FileRow, 'created_at'>> {
      const md5 = createHash('md5').update(bytes).digest('hex')
      const key = toPrefix(user_id) + toObjectPath(md5, { name, type }, toChinaDay(new Date()))
      await objects.put(key, bytes)
      return { id: createId(), user_id, key, md5, name, channel, size: bytes.byteLength, type }
    },

    /**
     * Records a file in the caller's transaction; the same content that is recorded already is what is returned. Throws AppError
     * file_missing: its object was deleted since it was stored, with the last record that named it.
     */
    async record(tx: Db, file: Omit<FileRow, 'created_at'>): Promise<FileRow> {
      await store.lockObject(tx, file.key)
      const recorded = await store.insertFile(tx, file)
      await requireSize(recorded.key)
      return recorded
    },

    /** A user's file by the end of its url. */
    find: async (user_id: string, key: string): Promise<FileRow | undefined> =>
      isObjectKey(key) ? store.findFileByKey(db, user_id, key) : undefined,

    read: (file: Pick<FileRow, 'key'>, range?: ByteRange): Promise<Readable> => objects.read(file.key, range),

    /**
     * A file as a path of this machine, for programs that read files; `remove` it afterwards. Rejects where the object is
     * gone.
     */
    async download(
      { key }: Pick<FileRow, 'key'>,
      signal: AbortSignal,
    ): Promise<{ path: string; remove: () => Promise<void> }> {
      const own = objects.getPath(key)
      if (own !== null) return { path: own, remove: async () => {} }
      await mkdir(copies, { recursive: true })
      const path = join(copies, randomBytes(16).toString('hex'))
      const remove = (): Promise<void> => rm(path, { force: true })
      const file = await open(path, 'wx', 0o600)
      try {
        await pipeline(await objects.read(key), file.createWriteStream(), { signal })
      } catch (error) {
        await remove()
        throw error
      }
      return { path, remove }
    },

    /**
     * Forgets a user's file, with what hangs on it, in the caller's transaction; call what it returns after the commit, to delete
     * the object.
     */
    async delete(
      tx: Db,
      user_id: string,
      { id, key }: Pick<FileRow, 'id' | 'key'>,
    ): Promise<() => Promise<void>> {
      await store.lockObject(tx, key)
      await store.deleteFile(tx, user_id, id)
      // What cannot be deleted at once the sweep finds.
      return () =>
        deleteUnknown(key).catch((err: unknown) => log.warn({ err }, 'a file could not be deleted'))
    },

    /**
     * A field that holds pictures which everybody may load (`avatar`, `logo`), to be called once at the start of its feature.
     * `listUsed` says which of some urls it holds: what no field holds is removed after a day. Returns what turns a client's
     * value into the one to be stored.
     */
    definePictures: pictures.define,

    /** A picture by its url. Throws AppError not_found. */
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
        const known = keys.length ? await store.listKnownKeys(db, keys) : new Set()
        const used = oldPictures.length ? await pictures.listUsedKeys(oldPictures) : new Set()
        for (const key of keys) if (!known.has(key) && !used.has(key)) await objects.delete(key)
      }
    },

    /** Takes requests of the store that comes with the server; false for others. */
    tryHandle: local ? createS3Handler({ store: local, app_url: config.app_url, log }) : () => false,

    /** Whether a request puts into that store: a slice takes as long as the line of its sender needs. */
    isUpload: (request: IncomingMessage): boolean => local !== null && isStoreRequest(request),
  }
}

async function computeMd5(stream: Readable): Promise<string> {
  const hash = createHash('md5')
  await pipeline(stream, hash)
  return hash.digest('hex')
}
