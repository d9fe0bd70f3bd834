import type { IncomingMessage } from 'node:http'
import { Worker } from 'node:worker_threads'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'
import type { Body, BodyName } from '#contract/gateway/bodies.ts'
import { AppError } from '#server/core/app-error.ts'
import { createCapacityCounter, PROCESS } from '#server/core/capacity.ts'
import type { Holder } from '#server/core/capacity.ts'
import type { GatewayKey } from '#server/accounts/keys/keys.ts'
import type { Exchange } from './exchange.ts'
import { parseBody, parseValue } from './parse-body.ts'
import type { ParseResult, ParseTask } from './parse-body.ts'

/** Bytes of a JSON body, decompressed: room for documents in base64, as much as Anthropic's API takes. */
const MAX_JSON_BYTES = 32_000_000
/** Encodings of a body that are read (RFC 9110, section 8.4.1). */
const ENCODING = /^(?:identity|(?:x-)?gzip)$/i
/** Bytes that are parsed in the main thread, which is faster than a transfer, whatever they hold. */
const MAX_INLINE_BYTES = 64_000
/** Heap of the parser's thread. A body of the largest size needs some tens of MB. */
const THREAD_HEAP_MB = 256

export type RequestBodyReader = ReturnType<typeof createRequestBodyReader>

type Payer = Pick<GatewayKey, 'account_id'>

/**
 * Reads the bodies of calls. All of them together use no more than `max_bytes` of this process, and those of an account or an
 * address no more than its share. Bytes count from their arrival until their call is over, since a prompt is needed until the
 * last platform has been tried.
 */
export function createRequestBodyReader({ max_bytes }: { max_bytes: number }) {
  const parser = createBodyParser()
  const counter = createCapacityCounter(max_bytes)

  /** Rejects a body whose declared length is too large before it comes; with `Expect` the client then need not send it. */
  const receiveBytes = (
    { request, response, limit_key, finished }: Exchange,
    { account_id }: Payer,
    maxBodyBytes: number,
  ): Promise<Buffer<ArrayBuffer>> => {
    const { 'content-length': length, 'content-encoding': encoding = 'identity', expect } = request.headers
    if (!ENCODING.test(encoding))
      throw new AppError('unsupported_media', { message: '不支持的内容编码，请使用 gzip 或不压缩' })
    if (Number(length ?? 0) > maxBodyBytes) throw new AppError('payload_too_large')
    const holders: Holder[] = [
      PROCESS,
      { type: 'account', id: account_id },
      { type: 'address', id: limit_key },
    ]
    counter.assertRoom(Number(length ?? 0), holders)
    if (expect !== undefined) response.writeContinue()
    const reservation = counter.open()
    void finished.then(reservation.release)
    return collectBytes(request, maxBodyBytes, (bytes) => reservation.reserve(bytes, holders))
  }

  return {
    /**
     * Reads a JSON body through the schema of this name. Throws AppError: payload_too_large, overloaded, too_many_calls,
     * or bad_request with the fields at fault.
     */
    async readJson<Name extends BodyName>(exchange: Exchange, payer: Payer, name: Name): Promise<Body<Name>> {
      const bytes = await receiveBytes(exchange, payer, MAX_JSON_BYTES)
      return unwrapResult(await parser.parse(name, bytes))
    },
    /** Reads a body of at most `bodyBytes`, unparsed. Throws the same errors, without fields. */
    async readBytes(exchange: Exchange, payer: Payer, bodyBytes: number): Promise<Buffer<ArrayBuffer>> {
      return receiveBytes(exchange, payer, bodyBytes)
    },
    close: () => parser.close(),
  }
}

/** Reads a value through a schema. Throws AppError bad_request with the fields at fault. */
export const parseWithSchema = <T>(schema: z.ZodType<T>, value: unknown): T =>
  unwrapResult(parseValue(schema, value))

function unwrapResult<T>(result: ParseResult<T>): T {
  if ('body' in result) return result.body
  const { error, ...details } = result
  throw new AppError(error, details)
}

/**
 * Collects a body. `reserve` gets the size of each decompressed chunk, and throws when there is no room for it, so that a few
 * bytes that would become many are read no further.
 */
function collectBytes(
  request: IncomingMessage,
  maxBytes: number,
  reserve: (bytes: number) => void,
): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const isCompressed = /gzip$/i.test(request.headers['content-encoding'] ?? '')
    const gunzip = isCompressed ? request.pipe(createGunzip()) : null
    const body = gunzip ?? request
    const chunks: Buffer[] = []
    let [size, isRejected] = [0, false]
    // The rest is read and dropped, so that the client gets to read the error.
    const rejectBody = (error: unknown): void => {
      isRejected = true
      chunks.length = 0
      if (gunzip) request.unpipe(gunzip.destroy()).resume()
      reject(error)
    }
    body.on('data', (chunk: Buffer) => {
      if (isRejected) return
      size += chunk.length
      try {
        if (size > maxBytes) throw new AppError('payload_too_large')
        reserve(chunk.length)
        chunks.push(chunk)
      } catch (error) {
        rejectBody(error)
      }
    })
    body.on('end', () => resolve(Buffer.concat(chunks)))
    gunzip?.on('error', () => rejectBody(new AppError('bad_request', { fields: { body: 'gzip' } })))
    const onClose = (cause?: Error): void => {
      // Even a body that came whole may be lost, if nobody had read it when the connection was cut.
      if (!request.readableEnded) rejectBody(new AppError('bad_request', { cause }))
    }
    request.on('error', onClose)
    request.on('close', onClose)
    // The connection was cut while the key was looked up.
    if (request.destroyed) onClose()
  })
}

const createOverloadedError = (cause?: unknown): AppError =>
  new AppError('overloaded', { retry_after: 1, cause })

type ParserThread = { parse(task: ParseTask): Promise<unknown>; terminate(): Promise<number> }

/**
 * Parses bodies, large ones in a thread of their own, so that other calls are served meanwhile. The thread is started for the
 * first large body, and again if it breaks down. Bodies that it then had in hand get AppError overloaded.
 */
function createBodyParser() {
  let thread: ParserThread | null = null
  const onThreadLost = (): void => {
    thread = null
  }
  return {
    async parse<Name extends BodyName>(
      name: Name,
      bytes: Buffer<ArrayBuffer>,
    ): Promise<ParseResult<Body<Name>>> {
      if (bytes.length <= MAX_INLINE_BYTES) return parseBody(name, bytes)
      thread ??= startThread(onThreadLost)
      return (await thread.parse({ name, bytes: toTransferable(bytes) })) as ParseResult<Body<Name>>
    },
    async close(): Promise<void> {
      await thread?.terminate()
    },
  }
}

function startThread(onLost: () => void): ParserThread {
  const worker = new Worker(new URL('./body-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  })
  // The connection of a waiting request keeps the process alive, so the thread need not.
  worker.unref()
  const pending: PromiseWithResolvers<unknown>[] = []
  worker.on('message', (result: unknown) => pending.shift()?.resolve(result))
  let hasExited = false
  // An error is followed by the exit: by then another thread may have taken its place.
  const rejectPending = (cause?: unknown): void => {
    if (hasExited) return
    hasExited = true
    onLost()
    for (const { reject } of pending.splice(0)) reject(createOverloadedError(cause))
  }
  worker.on('error', rejectPending)
  worker.on('exit', () => rejectPending())
  return {
    parse(task) {
      const result = Promise.withResolvers<unknown>()
      pending.push(result)
      worker.postMessage(task, [task.bytes])
      return result.promise
    },
    terminate: () => worker.terminate(),
  }
}

/** Returns memory that can be transferred: a Buffer may be a part of a larger one. */
function toTransferable({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>): ArrayBuffer {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength
  return isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
}
