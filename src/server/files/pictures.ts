import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { AVATAR_PIXELS } from '#contract/uploads.ts'
import { AppError } from '#server/core/app-error.ts'
import { createCapacityCounter, PROCESS } from '#server/core/capacity.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { drawSquare } from '#server/formats/formats.ts'
import { getMd5OfKey, isPictureKey, PICTURE_PREFIX, toUploadedKey } from './object-store.ts'
import type { ObjectStore } from './object-store.ts'
import type { RecordedObject, VerifiedObject } from './verified-reader.ts'

/** Address below which everybody loads the pictures of people, agents and organizations. */
export const PICTURES_URL = '/pictures/'

/** Largest source of a picture: a browser sends squares of some 20 kB, a program may send a photo. */
const MAX_SOURCE_BYTES = 10 * 1024 * 1024
/** Most pictures that are drawn at a time, each in a process of its own. */
const MAX_DRAWING = 4
/** Limit per user, far above what a person changes. */
const SAVE_LIMIT = { points: 20, seconds: 60 }

/**
 * Turns a client's value of a field `avatar` or `logo` into the one to be stored. `url` is the url of a file that this user has
 * uploaded, `current`, which stays, or '' for none; `current` is what the field holds, '' at first. Throws AppError: those of
 * `pictureErrors` (contract/files.ts), rate_limited, overloaded.
 */
export type SavePicture = (userId: string, url: string, current: string) => Promise<string>

/**
 * Keeps small pictures that everybody may load. An upload never becomes one of them as it is: it is drawn again, in a process
 * that holds nothing else, so that only the visible picture is left of the file. Nothing is fetched from anywhere else.
 */
export function createPictures(
  objects: ObjectStore,
  openVerified: (object: RecordedObject) => Promise<VerifiedObject>,
) {
  const fields: ((urls: string[]) => Promise<string[]>)[] = []
  const saving = new Set<string>()
  const drawing = createCapacityCounter(MAX_DRAWING)
  const limit = createRateLimit(SAVE_LIMIT)
  const toUrl = (key: string): string => PICTURES_URL + key.slice(PICTURE_PREFIX.length)
  const toKey = (url: string): string => PICTURE_PREFIX + url.slice(PICTURES_URL.length)

  const read = async (object: RecordedObject): Promise<Buffer<ArrayBuffer>> =>
    buffer(await (await openVerified(object)).read())

  /** Throws AppError picture_missing, picture_too_large. */
  const readUploaded = async (userId: string, url: string): Promise<Buffer> => {
    const key = toUploadedKey(userId, url)
    const size = key && (await objects.getSize(key))
    if (!key || !size) throw new AppError('picture_missing')
    if (size > MAX_SOURCE_BYTES) throw new AppError('picture_too_large')
    try {
      return await read({ key, size, md5: getMd5OfKey(key) })
    } catch (cause) {
      throw new AppError('picture_missing', { cause })
    }
  }

  const save = async (userId: string, url: string): Promise<string> => {
    const reservation = drawing.open()
    reservation.reserve(1, [PROCESS])
    try {
      const bytes = await readUploaded(userId, url)
      const picture = await drawSquare(bytes, AVATAR_PIXELS).catch((cause: unknown) => {
        const isTooLarge = cause instanceof AppError && cause.code === 'document_too_large'
        throw new AppError(isTooLarge ? 'picture_too_large' : 'picture_unreadable', { cause })
      })
      const md5 = createHash('md5').update(picture).digest('hex')
      const key = `${PICTURE_PREFIX}${randomBytes(16).toString('hex')}-${md5}.webp`
      await objects.put(key, picture)
      return toUrl(key)
    } finally {
      reservation.release()
    }
  }

  return {
    /**
     * Defines a field with pictures: `listUsed` returns which of some urls it holds, so that the others can be removed. Returns
     * the function that turns a client's value into the one that the field is to hold.
     */
    define: (listUsed: (urls: string[]) => Promise<string[]>): SavePicture => {
      fields.push(listUsed)
      return async (userId, url, current) => {
        if (url === '' || url === current) return url
        await limit(userId)
        if (saving.has(userId)) throw new AppError('upload_busy')
        saving.add(userId)
        try {
          return await save(userId, url)
        } finally {
          saving.delete(userId)
        }
      }
    },

    /** Returns the bytes of a picture by its url (image/webp). Throws AppError not_found. */
    read: async (url: string): Promise<Buffer<ArrayBuffer>> => {
      const key = toKey(url)
      if (!isPictureKey(key)) throw new AppError('not_found')
      const size = await objects.getSize(key)
      if (!size || size > MAX_SOURCE_BYTES) throw new AppError('not_found')
      return read({ key, size, md5: getMd5OfKey(key) })
    },

    /** Returns the pictures among these that some field holds. */
    async listUsedKeys(keys: string[]): Promise<Set<string>> {
      const urls = keys.map(toUrl)
      const usedUrls = await Promise.all(fields.map((listUsed) => listUsed(urls)))
      return new Set(usedUrls.flat().map(toKey))
    },
  }
}
