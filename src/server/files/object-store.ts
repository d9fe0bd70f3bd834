import type { Readable } from 'node:stream'
import type { UploadCredential } from '#contract/files.ts'

/** Whose uploads a credential is for. */
export type Uploader = { user_id: string; max_bytes: number }
/** Bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number }

/** Where files lie: a local folder, or a store elsewhere. Keys are `{prefix}{path}`. */
export type ObjectStore = {
  /** Of its addresses; null where they are this site's. */
  origin: string | null
  /** Keys that put below the uploader's prefix, for half an hour at most. Throws AppError credential_failed. */
  createCredential(uploader: Uploader): Promise<Omit<UploadCredential, 'base_url'>>
  /** Size of an object; null where there is none. */
  getSize(key: string): Promise<number | null>
  /** Rejects where there is no such object. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Where an object lies on this machine; null where it does not. */
  getPath(key: string): string | null
  /** Stores what the server itself has fetched or made. */
  put(key: string, bytes: Uint8Array): Promise<void>
  delete(key: string): Promise<void>
  /** Keys of objects that were stored before a moment. */
  listOlder(than: Date): AsyncIterable<string[]>
  /** Removes uploads that were begun before a moment and never finished. */
  sweepUploads(before: Date): Promise<void>
}

/** Where a user's files lie, and nobody else's. */
export const toPrefix = (user_id: string): string => `u/${user_id}/`

/** Pictures that everybody may load; no credential puts there. */
export const PICTURE_PREFIX = 'p/'

const PICTURE_KEY = /^p\/[0-9a-f]{32}\.webp$/
const KEY = /^u\/[0-9a-f-]{36}\/(image|file)\/\d{4}\/\d\d\/\d\d\/[0-9a-f]{32}\.[a-z0-9]{1,10}$/

export const isPictureKey = (key: string): boolean => PICTURE_KEY.test(key)

/** Whether a key names a file or a picture as the product lays them out; nothing else is ever stored. */
export const isObjectKey = (key: string): boolean => KEY.test(key) || isPictureKey(key)

/** `{FILES_URL}{key}` is the url of a file. */
export const FILES_URL = '/files/'

/** The key of what this user has uploaded, by its url; undefined for any other text. */
export function toUploadedKey(user_id: string, url: string): string | undefined {
  const key = url.startsWith(FILES_URL) ? url.slice(FILES_URL.length) : ''
  return KEY.test(key) && key.startsWith(toPrefix(user_id)) ? key : undefined
}

/** How long a credential is good for, seconds. */
export const CREDENTIAL_SECONDS = 30 * 60
