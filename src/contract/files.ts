import { z } from 'zod'
import type { Calls } from './call.ts'

/**
 * Temporary keys to put files into a store that speaks S3: the address of an object is `{bucket_url}/{prefix}{path}` with
 * `path` of `toObjectPath` (uploads.ts), requests are signed with AWS Signature Version 4 and `token` as the session
 * token. They put (PutObject and the calls of a multipart upload, ListParts included) below `prefix`, and nothing else.
 */
export const uploadCredential = z.object({
  secret_id: z.string(),
  secret_key: z.string(),
  token: z.string(),
  /** Seconds since 1970; half an hour from now at most. */
  expire_time: z.int(),
  /** The address of the store, or of the store that comes with the server a path of this site. */
  endpoint: z.string(),
  bucket: z.string(),
  /** The address of the bucket, or a path of this site. */
  bucket_url: z.string(),
  region: z.string(),
  prefix: z.string(),
  /** `{base_url}{prefix}{path}` is the url of a file. */
  base_url: z.string(),
})
export type UploadCredential = z.output<typeof uploadCredential>

export const fileCalls = {
  'GET /api/cos/credential': {
    summary: '上传文件用的临时凭证：只能写入自己的目录，半小时内有效',
    auth: 'user',
    response: uploadCredential,
    errors: ['credential_failed', 'rate_limited'],
  },
} as const satisfies Calls
