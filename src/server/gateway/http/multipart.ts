import { MAX_RECORDING_BYTES } from '#contract/gateway/operations.ts'
import { AppError } from '#server/core/app-error.ts'
import type { GatewayKey } from '#server/accounts/keys/keys.ts'
import type { RequestBodyReader } from './body-reader.ts'
import type { Exchange } from './exchange.ts'

/** Room for the other fields of a form, bytes. */
const MAX_OTHER_FIELDS_BYTES = 200_000
/** Fields that are refused: a platform that fetched a recording itself would get one of unmeasured length. */
const URL_FIELD = /url$/i

export type Upload = { file: File; fields: [name: string, value: string][] }

/** Reads a form with one file, named `file`. Throws AppError unsupported_media, payload_too_large, overloaded, bad_request. */
export async function readUpload(
  bodies: RequestBodyReader,
  exchange: Exchange,
  key: GatewayKey,
): Promise<Upload> {
  const type = exchange.request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type))
    throw new AppError('unsupported_media', { message: '请使用 multipart/form-data' })
  const form = await parseForm(
    await bodies.readBytes(exchange, key, MAX_RECORDING_BYTES + MAX_OTHER_FIELDS_BYTES),
    type,
  )
  const entries = [...form]
  const files = entries.filter((entry): entry is [string, File] => entry[1] instanceof File)
  const [name, file] = files[0] ?? []
  if (!file || name !== 'file' || files.length > 1) throw createFieldError('file', '需要恰好一个文件')
  if (file.size > MAX_RECORDING_BYTES) throw new AppError('payload_too_large')
  if (file.size === 0) throw createFieldError('file', '文件是空的')
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const urlField = fields.find(([field]) => URL_FIELD.test(field))
  if (urlField) throw createFieldError('file', '请直接上传文件，不支持地址')
  return { file, fields }
}

async function parseForm(bytes: Buffer<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch {
    throw createFieldError('body', 'multipart/form-data')
  }
}

const createFieldError = (field: string, reason: string) =>
  new AppError('bad_request', { fields: { [field]: reason } })
