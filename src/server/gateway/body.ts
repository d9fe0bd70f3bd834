import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { AppError } from '../core/app-error.ts'

/** Bytes of a body: room for pictures in base64. */
const MAX_BODY = 20_000_000

/** Reads a JSON body through a schema. Throws AppError payload_too_large, or bad_request with the fields at fault. */
export async function readBody<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<z.output<Schema>> {
  return parseWith(schema, json(await bytesOf(request, MAX_BODY)))
}

/** Throws AppError bad_request with the fields at fault. */
export function parseWith<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) fields[path.join('.') || 'body'] ??= message
  throw new AppError('bad_request', { fields })
}

/** A body of at most `most` bytes. Throws AppError payload_too_large, or bad_request when the client has left. */
export function bytesOf(request: IncomingMessage, most: number): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > most) {
      return reject(new AppError('payload_too_large'))
    }
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= most) return void chunks.push(chunk)
      // What still comes is read and forgotten, so that the client gets to read why.
      chunks.length = 0
      reject(new AppError('payload_too_large'))
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    const left = (cause?: Error): void => {
      if (!request.complete) reject(new AppError('bad_request', { cause }))
    }
    request.on('error', left)
    request.on('close', left)
  })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw new AppError('bad_request', { fields: { body: 'JSON' } })
  }
}
