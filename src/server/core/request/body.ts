import { AppError } from '../app-error.ts'
import { parseJsonObject } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { nestFields } from './form-fields.ts'

/** Largest body of a call, bytes. A prompt of MAX_PROMPT_CHARS fits even when each character is escaped. */
const MAX_BODY_BYTES = 2_000_000

/** Called with the size of each chunk of a body; throws when there is no room for it. */
export type ReserveBytes = (bytes: number) => void

/**
 * Reads the fields of a body, in whichever form a client sends them: JSON, also as text/plain or application/…+json, and both
 * kinds of forms. An empty body has none. Throws AppError bad_request, unsupported_media, payload_too_large.
 */
export async function readFields(request: Request, reserve: ReserveBytes): Promise<JsonObject> {
  const bytes = await readBytes(request, reserve)
  if (bytes.length === 0) return {}
  const contentType = request.headers.get('Content-Type') ?? ''
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  if (type === 'multipart/form-data') return nestFields(await parseMultipart(bytes, contentType))
  if (type === 'application/x-www-form-urlencoded')
    return nestFields(new URLSearchParams(decodeStrictly(bytes)))
  if (type === '' || type === 'text/plain' || /^application\/(?:json|[\w.-]+\+json)$/.test(type))
    return parseJson(decodeStrictly(bytes))
  throw new AppError('unsupported_media')
}

/** Reads a body as text, for checking a signature over its bytes. */
export async function readText(request: Request, reserve: ReserveBytes): Promise<string> {
  return decodeStrictly(await readBytes(request, reserve))
}

async function readBytes(request: Request, reserve: ReserveBytes): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get('Content-Length') ?? 0) > MAX_BODY_BYTES)
    throw new AppError('payload_too_large')
  if (!request.body) return Buffer.alloc(0)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // A refused body is not cancelled: that would close the connection before the answer.
    for await (const chunk of request.body.values({ preventCancel: true })) {
      size += chunk.length
      if (size > MAX_BODY_BYTES) throw new AppError('payload_too_large')
      reserve(chunk.length)
      chunks.push(chunk)
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    // The client disconnected or broke the framing in the middle of its body.
    throw new AppError('bad_request', { cause })
  }
  return Buffer.concat(chunks)
}

function decodeStrictly(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AppError('bad_request')
  }
}

function parseJson(text: string): JsonObject {
  const fields = parseJsonObject(text)
  if (!fields) throw new AppError('bad_request')
  return fields
}

async function parseMultipart(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData()
  } catch (cause) {
    throw new AppError('bad_request', { cause })
  }
}
