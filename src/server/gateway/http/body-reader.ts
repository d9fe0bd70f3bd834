import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { AppError } from '#server/core/app-error.ts'
import type { Exchange } from './exchange.ts'
import { parseValue } from './parse-body.ts'
import type { ParseResult } from './parse-body.ts'
import { createBodyParser } from './body-parser.ts'
import type { Body, BodySchemaName } from './body-schemas.ts'

/** Bytes of a JSON body: room for pictures in base64. */
const MAX_JSON_BYTES = 20_000_000

export type RequestBodyReader = ReturnType<typeof createRequestBodyReader>

/** Takes this many bytes of the room for bodies; false when there is not as much. */
type ReserveBytes = (bytes: number) => boolean

/**
 * Reads the bodies of calls. All of them together take no more than `most_bytes` of this process, each until its call is
 * over, since a prompt is needed until the last platform was asked.
 */
export function createRequestBodyReader({ most_bytes: max_bytes }: { most_bytes: number }) {
  const parser = createBodyParser()
  let reserved_bytes = 0
  const createReservation = ({ finished }: Exchange): ReserveBytes => {
    let own_bytes = 0
    void finished.then(() => {
      reserved_bytes -= own_bytes
    })
    return (bytes) => {
      if (reserved_bytes + bytes > max_bytes) return false
      reserved_bytes += bytes
      own_bytes += bytes
      return true
    }
  }

  return {
    /**
     * Reads a JSON body through the schema of this name. Throws AppError: payload_too_large, overloaded, or bad_request
     * with the fields at fault.
     */
    async readJson<Name extends BodySchemaName>(exchange: Exchange, name: Name): Promise<Body<Name>> {
      return unwrapResult(
        await parser.parse(name, await receiveBytes(exchange, MAX_JSON_BYTES, createReservation(exchange))),
      )
    },
    /** A body of at most `most` bytes, as it came. Throws the same, but for fields. */
    readBytes: (exchange: Exchange, max_bytes: number): Promise<Buffer<ArrayBuffer>> =>
      receiveBytes(exchange, max_bytes, createReservation(exchange)),
    close: () => parser.close(),
  }
}

/** Reads a value through a schema. Throws AppError bad_request with the fields at fault. */
export const parseWithSchema = <T>(schema: z.ZodType<T>, value: unknown): T =>
  unwrapResult(parseValue(schema, value))

function unwrapResult<T>(read: ParseResult<T>): T {
  if ('body' in read) return read.body
  const { refused, ...details } = read
  throw new AppError(refused, details)
}

/** What is too large by its own word is refused before it comes; a client that asked whether to send it then need not. */
async function receiveBytes(
  { request, response }: Exchange,
  max_bytes: number,
  reserve: ReserveBytes,
): Promise<Buffer<ArrayBuffer>> {
  const { 'content-length': length, expect } = request.headers
  if (Number(length ?? 0) > max_bytes) throw new AppError('payload_too_large')
  if (!reserve(Number(length ?? 0))) throw createOverloadedError()
  if (expect !== undefined) response.writeContinue()
  return collectBytes(request, max_bytes, length === undefined ? reserve : () => true)
}

/** `take` is asked for each piece that comes. */
function collectBytes(
  request: IncomingMessage,
  max_bytes: number,
  reserve: ReserveBytes,
): Promise<Buffer<ArrayBuffer>> {
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
      if (size > max_bytes) refuse(new AppError('payload_too_large'))
      else if (!reserve(chunk.length)) refuse(createOverloadedError())
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    const onClose = (cause?: Error): void => {
      if (!request.complete) reject(new AppError('bad_request', { cause }))
    }
    request.on('error', onClose)
    request.on('close', onClose)
  })
}

const createOverloadedError = (): AppError => new AppError('overloaded', { retry_after: 1 })
