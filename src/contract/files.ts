import { z } from 'zod'
import type { Calls } from './call.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Temporary keys to put files into a store that speaks S3. The address of an object is `{bucket_url}/{prefix}{path}` with `path`
 * of `toObjectPath` (uploads.ts); requests are signed with AWS Signature Version 4, with `token` as the session token. The keys
 * allow PutObject and the calls of a multipart upload (with ListParts) below `prefix`, and nothing else.
 */
const uploadCredential = z.object({
  secret_id: z.string(),
  secret_key: z.string(),
  token: z.string(),
  /** Seconds since 1970; half an hour from now at most. */
  expire_time: z.int(),
  /** The address of the store; a path of this site for the store that comes with the server. */
  endpoint: z.string(),
  bucket: z.string(),
  /** The address of the bucket, or a path of this site. */
  bucket_url: z.string(),
  region: z.string(),
  prefix: z.string(),
  /** `{base_url}{prefix}{path}` is the url of a file. */
  base_url: z.string(),
  /** The day in China to put into a path, `2026-11-22`: the store takes no other. */
  day: z.string(),
})
export type UploadCredential = z.output<typeof uploadCredential>

/** An account's stored files against its limit. */
const storageUse = z.object({
  used_bytes: z.int(),
  /** Files that make up those bytes. */
  count: z.int(),
  max_bytes: z.int(),
})
export type StorageUse = z.output<typeof storageUse>

/**
 * A picture (`avatar`, `logo`) in a request: the url of a file that its sender has uploaded, which becomes a square of
 * `AVATAR_PIXELS` that everybody may load; or the present picture, to keep it; or empty, for none.
 */
export const pictureUrl = z.string().max(300)
/** Errors of a call with such a field. */
export const pictureErrors = [
  'picture_missing',
  'picture_unreadable',
  'picture_too_large',
  'upload_busy',
] as const satisfies ErrorCode[]

export const fileCalls = {
  'GET /api/cos/credential': {
    summary: '上传文件用的临时凭证：只能写入自己的目录，半小时内有效',
    auth: 'user',
    response: uploadCredential,
    errors: ['credential_failed', 'rate_limited', 'storage_full', 'uploads_unsaved'],
  },

  'GET /api/user/storage': {
    summary: '已保存的文件占用的空间，以及当前等级的上限',
    auth: 'user',
    response: storageUse,
  },
} as const satisfies Calls
