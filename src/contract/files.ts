import { z } from 'zod'
import type { Calls } from './call.ts'
import type { ErrorCode } from './errors.ts'

/**
 * Temporary keys to put files into a store that speaks S3. The address of an object is `{bucket_url}/{prefix}{path}` with `path`
 * of `toObjectPath` (uploads.ts); requests are signed with AWS Signature Version 4, with `token` as the session token. The keys
 * allow PutObject and the calls of a multipart upload (with ListParts) below `prefix`, and nothing else.
 */
const uploadCredential = z.object({
  secret_id: z.string().describe('临时密钥的编号'),
  secret_key: z.string().describe('临时密钥'),
  token: z.string().describe('临时凭证的会话令牌'),
  /** Seconds since 1970; half an hour from now at most. */
  expire_time: z.int().describe('失效时间，1970 年以来的秒数'),
  endpoint: z.string().describe('对象存储的地址，可以是本站的路径'),
  bucket: z.string().describe('存储桶的名称'),
  bucket_url: z.string().describe('存储桶的地址，可以是本站的路径'),
  region: z.string().describe('地域'),
  prefix: z.string().describe('对象的前缀'),
  base_url: z.string().describe('文件的地址前缀：后面接 prefix 和路径'),
  /** The day in China to put into a path, `2026-11-22`: the store takes no other. */
  day: z.string().describe('写进路径的日期，如 2026-11-22（中国时间）'),
})
export type UploadCredential = z.output<typeof uploadCredential>

/** An account's stored files against its limit. */
const storageUse = z.object({
  used_bytes: z.int().describe('已保存的文件占用的字节数'),
  count: z.int().describe('已保存的文件数'),
  max_bytes: z.int().describe('当前等级可以保存的字节数'),
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
