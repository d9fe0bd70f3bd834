import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { AppError } from '../../core/app-error.ts'
import type { Exchange } from '../exchange.ts'
import { readThrough } from './read.ts'
import type { Read } from './read.ts'
import { openReader } from './reader.ts'
import type { Body, SchemaName } from './schemas.ts'

/** Bytes of a JSON body: room for pictures in base64. */
const MOST_JSON = 20_000_000

export type Bodies = ReturnType<typeof openBodies>

/** Takes this many bytes of the room for bodies; false when there is not as much. */
type Take = (bytes: number) => boolean

/**
 * Reads the bodies of calls. All of them together take no more than `most_bytes` of this process, each until its call is
 * over, since a prompt is needed until the last platform was asked.
 */
export function openBodies({ most_bytes }: { most_bytes: number }) {
  const reader = openReader()
  let taken = 0
  const shareOf = ({ over }: Exchange): Take => {
    let own = 0
    void over.then(() => {
      taken -= own
    })
    return (bytes) => {
      if (taken + bytes > most_bytes) return false
      taken += bytes
      own += bytes
      return true
    }
  }

  return {
    /**
     * Reads a JSON body through the schema of this name. Throws AppError: payload_too_large, overloaded, or bad_request
     * with the fields at fault.
     */
    async read<Name extends SchemaName>(exchange: Exchange, name: Name): Promise<Body<Name>> {
      return bodyOf(await reader.read(name, await bytesOf(exchange, MOST_JSON, shareOf(exchange))))
    },
    /** A body of at most `most` bytes, as it came. Throws the same, but for fields. */
    bytes: (exchange: Exchange, most: number): Promise<Buffer<ArrayBuffer>> =>
      bytesOf(exchange, most, shareOf(exchange)),
    close: () => reader.close(),
  }
}

/** Reads a value through a schema. Throws AppError bad_request with the fields at fault. */
export const parseWith = <T>(schema: z.ZodType<T>, value: unknown): T => bodyOf(readThrough(schema, value))

function bodyOf<T>(read: Read<T>): T {
  if ('body' in read) return read.body
  const { refused, ...details } = read
  throw new AppError(refused, details)
}

/** What is too large by its own word is refused before it comes; a client that asked whether to send it then need not. */
async function bytesOf(
  { request, response }: Exchange,
  most: number,
  take: Take,
): Promise<Buffer<ArrayBuffer>> {
  const { 'content-length': length, expect } = request.headers
  if (Number(length ?? 0) > most) throw new AppError('payload_too_large')
  if (!take(Number(length ?? 0))) throw overloaded()
  if (expect !== undefined) response.writeContinue()
  return gathered(request, most, length === undefined ? take : () => true)
}

/** `take` is asked for each piece that comes. */
function gathered(request: IncomingMessage, most: number, take: Take): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let [size, refused] = [0, false]
    // What still comes is read and forgotten, so that the client gets to read why.
    const refuse = (error: AppError): void => {
      refused = true
      chunks.length = 0
      reject(error)
    }
    request.on('data', (chunk: Buffer) => {
      if (refused) return
      size += chunk.length
      if (size > most) refuse(new AppError('payload_too_large'))
      else if (!take(chunk.length)) refuse(overloaded())
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    const left = (cause?: Error): void => {
      if (!request.complete) reject(new AppError('bad_request', { cause }))
    }
    request.on('error', left)
    request.on('close', left)
  })
}

const overloaded = (): AppError => new AppError('overloaded', { retry_after: 1 })
