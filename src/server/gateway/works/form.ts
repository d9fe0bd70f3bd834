import { MOST_RECORDING } from '#contract/works.ts'
import { AppError } from '../../core/app-error.ts'
import type { Bodies } from '../body/bodies.ts'
import type { Exchange } from '../exchange.ts'

/** Room for the other fields of a form, bytes. */
const BESIDE = 200_000
/** A platform that fetches a recording by itself would be given one that nobody measured. */
const ELSEWHERE = /url$/i

export type Upload = { file: File; fields: [name: string, value: string][] }

/** Reads a multipart form with one file in it, named `file`. Throws AppError payload_too_large, overloaded, bad_request. */
export async function readUpload(bodies: Bodies, exchange: Exchange): Promise<Upload> {
  const type = exchange.request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type)) throw new AppError('unsupported_media')
  const form = await parsed(await bodies.bytes(exchange, MOST_RECORDING + BESIDE), type)
  const entries = [...form]
  const files = entries.filter((entry): entry is [string, File] => entry[1] instanceof File)
  const [name, file] = files[0] ?? []
  if (!file || name !== 'file' || files.length > 1) throw refused('file', '需要恰好一个文件')
  if (file.size > MOST_RECORDING) throw new AppError('payload_too_large')
  if (file.size === 0) throw refused('file', '文件是空的')
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const away = fields.find(([field]) => ELSEWHERE.test(field))
  if (away) throw refused('file', '请直接上传文件，不支持地址')
  return { file, fields }
}

async function parsed(bytes: Buffer<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch {
    throw refused('body', 'multipart/form-data')
  }
}

const refused = (field: string, reason: string) =>
  new AppError('bad_request', { fields: { [field]: reason } })
