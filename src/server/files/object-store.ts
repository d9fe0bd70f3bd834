import type { Readable } from 'node:stream'
import type { UploadCredential } from '#contract/files.ts'
import { toChinaDay } from '#contract/dates/dates.ts'

/** Owner of the uploads that a credential is for, and the largest file, bytes. */
export type Uploader = { user_id: string; max_bytes: number }
/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

/** One version of an object: its bytes stay those that were opened, whatever takes its place meanwhile. */
export type OpenedObject = {
  size: number
  /** Differs wherever the bytes may differ. */
  version: string
  /** Rejects where the store has lost this version. */
  read(range: ByteRange): Promise<Readable>
  close(): Promise<void>
}

/** A place for files: a local folder, or a store elsewhere. Keys are `{prefix}{path}`. */
export type ObjectStore = {
  /** Origin of its addresses; null where they are this site's. */
  origin: string | null
  /** Creates keys to put below the uploader's prefix, for half an hour at most. Throws AppError credential_failed. */
  createCredential(uploader: Uploader): Promise<Omit<UploadCredential, 'base_url' | 'day'>>
  /** Returns the size of an object; null where there is none. */
  getSize(key: string): Promise<number | null>
  /** Opens an object, to be closed afterwards; null where there is none. */
  open(key: string): Promise<OpenedObject | null>
  /**
   * Makes sure that no credential can change an upload from now on, and returns the key under which it is safe: its own where the
   * store itself ensures that, else `sealedKey`, to which it is copied. Null where there is no such object.
   */
  seal(key: string, sealedKey: string): Promise<string | null>
  /** Returns the path of an object on this machine; null where it is elsewhere. */
  getPath(key: string): string | null
  /** Stores bytes that the server itself has fetched or made. */
  put(key: string, bytes: Uint8Array): Promise<void>
  delete(key: string): Promise<void>
  /** Lists a person's uploads of some days (`2026-11-22`), and the parts of unfinished ones. */
  listUploads(userId: string, days: string[]): Promise<{ key: string; size: number }[]>
  /** Lists keys of objects that were stored before a moment. */
  listOlder(than: Date): AsyncIterable<string[]>
  /** Removes uploads that were begun before a moment and never finished. */
  sweepUploads(before: Date): Promise<void>
}

/** Returns the prefix of a user's files, below which nobody else's are. */
export const toPrefix = (userId: string): string => `u/${userId}/`

/** Files that the server itself has stored, from an upload or a link; no credential reaches here. */
export const SEALED_PREFIX = 's/'
/** Pictures that everybody may load; no credential reaches here. */
export const PICTURE_PREFIX = 'p/'

/** In newer keys the second part is the MD5. */
const PICTURE_KEY = /^p\/[0-9a-f]{32}(?:-([0-9a-f]{32}))?\.webp$/
const KEY = /^u\/[0-9a-f-]{36}\/(?:image|file)\/(\d{4}\/\d\d\/\d\d)\/([0-9a-f]{32})\.[a-z0-9]{1,10}$/
const SEALED_KEY = /^s\/[0-9a-f-]{36}\/[0-9a-f-]{36}\/[0-9a-f]{32}\.[a-z0-9]{1,10}$/

export const isPictureKey = (key: string): boolean => PICTURE_KEY.test(key)
export const isSealedKey = (key: string): boolean => SEALED_KEY.test(key)

/** Tells whether a key names a file or a picture as the product lays them out; nothing else is ever stored. */
export const isObjectKey = (key: string): boolean => KEY.test(key) || isSealedKey(key) || isPictureKey(key)

/** Returns the MD5 that an object has by its name; undefined where the name has none. */
export const getMd5OfKey = (key: string): string | undefined =>
  KEY.exec(key)?.[2] ??
  PICTURE_KEY.exec(key)?.[1] ??
  /([0-9a-f]{32})\.\w+$/.exec(SEALED_KEY.exec(key)?.[0] ?? '')?.[1]

/** Lists days in China that an upload's key may name: today, and yesterday while a credential of then is good. */
export const listUploadDays = (now: Date): string[] => [
  ...new Set([now, new Date(now.getTime() - CREDENTIAL_SECONDS * 1000)].map(toChinaDay)),
]

/** Tells whether an upload may be put under a key now. */
export const isKeyOfToday = (key: string, now: Date): boolean =>
  listUploadDays(now).includes(KEY.exec(key)?.[1]?.replaceAll('/', '-') ?? '')

/** Returns a key for a user's file where no credential reaches; each file has its own, so that nothing is ever overwritten. */
export const toSealedKey = (userId: string, id: string, uploadedPath: string): string =>
  `${SEALED_PREFIX}${userId}/${id}/${uploadedPath.slice(uploadedPath.lastIndexOf('/') + 1)}`

/** `{FILES_URL}{key}` is the url of a file. */
export const FILES_URL = '/files/'

/** Returns the key of this user's upload by its url; undefined for any other text. */
export function toUploadedKey(userId: string, url: string): string | undefined {
  const key = url.startsWith(FILES_URL) ? url.slice(FILES_URL.length) : ''
  return KEY.test(key) && key.startsWith(toPrefix(userId)) ? key : undefined
}

/** Lifetime of a credential, seconds. */
export const CREDENTIAL_SECONDS = 30 * 60
