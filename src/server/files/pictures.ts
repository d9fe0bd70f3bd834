import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { AVATAR_PIXELS } from '#contract/uploads.ts'
import { AppError } from '#server/core/app-error.ts'
import { createCapacityCounter, PROCESS } from '#server/core/capacity.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { drawSquare } from '#server/readers/readers.ts'
import { getMd5OfKey, isPictureKey, PICTURE_PREFIX, toUploadedKey } from './object-store.ts'
import type { ObjectStore } from './object-store.ts'
import type { RecordedObject, VerifiedObject } from './verified-reader.ts'

/** Where the pictures of people, agents and organizations are loaded from, by everybody. */
export const PICTURES_URL = '/pictures/'

/** A browser sends squares of some 20 kB; a program may send a photo. */
const MAX_SOURCE_BYTES = 10 * 1024 * 1024
/** Pictures that are drawn at a time: each has a process of its own. */
const MAX_DRAWING = 4
/** Of one user; far above what a person changes. */
const SAVE_LIMIT = { points: 20, seconds: 60 }

/**
 * What a field `avatar` or `logo` becomes, to be stored as its new value. `url` is what the client sends: the url of a file
 * that this user has uploaded, `current`, which stays, or '' for none; `current` is what the field holds, '' at first. Throws
 * AppError: those of `pictureErrors` (contract/files.ts), rate_limited, overloaded.
 */
export type SavePicture = (userId: string, url: string, current: string) => Promise<string>

/**
 * Small pictures that everybody may load. What was uploaded is never one of them: it is drawn again, in a process that
 * holds nothing else, so that of the file nothing is left but what it shows. Nothing is fetched from anywhere else.
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
    const own = drawing.open()
    own.reserve(1, [PROCESS])
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
      own.release()
    }
  }

  return {
    /**
     * A field that holds pictures: `listUsed` says which of some urls it holds, so that those which nobody shows any more
     * can be removed. Returns what turns a client's value into what the field is to hold.
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

    /** The bytes of a picture by its url (image/webp). Throws AppError not_found. */
    read: async (url: string): Promise<Buffer<ArrayBuffer>> => {
      const key = toKey(url)
      if (!isPictureKey(key)) throw new AppError('not_found')
      const size = await objects.getSize(key)
      if (!size || size > MAX_SOURCE_BYTES) throw new AppError('not_found')
      return read({ key, size, md5: getMd5OfKey(key) })
    },

    /** Which of these pictures some field holds. */
    async listUsedKeys(keys: string[]): Promise<Set<string>> {
      const urls = keys.map(toUrl)
      const used = await Promise.all(fields.map((listUsed) => listUsed(urls)))
      return new Set(used.flat().map(toKey))
    },
  }
}
