import type { ServerResponse } from 'node:http'
import type { OperationResponse } from '#contract/gateway/operations.ts'
import { AppError } from '#server/core/app-error.ts'
import { waitForDrain } from '#server/core/event-stream/event-stream.ts'
import { filterObjects, isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import type { Operation } from '#server/llm/llm.ts'
import { sendJson } from '../http/exchange.ts'
import { MAX_CACHED_BYTES } from '../pipeline/cached-result.ts'
import type { CachedResult } from '../pipeline/cached-result.ts'
import type { CallContext } from '../pipeline/context.ts'
import { executeRun, loadWholeResult, throwIfFailed } from '../pipeline/run-source.ts'
import type { RunSource } from '../pipeline/run-source.ts'

/** Sends the platform's object; model, usage and id are ours. Throws AppError when there is none. */
export async function respondJson(
  context: CallContext,
  source: RunSource,
  { path, body }: Operation,
  model: string,
): Promise<void> {
  const { response } = context.exchange
  const result = await loadWholeResult(context, source)
  const { operation_output: output } = result
  if (output?.type !== 'json') throw new AppError(output ? 'answer_not_kept' : 'internal')
  const encoding = 'json' in body ? body.json.encoding_format : undefined
  const answer = path === '/embeddings' ? encodeEmbeddings(encoding, output.answer) : output.answer
  const gatewayFields: OperationResponse = {
    id: source.run_id,
    model,
    usage: formatUsage(path, answer, result),
  }
  response.setHeader('x-transaction-id', source.run_id)
  sendJson(response, 200, { ...answer, ...gatewayFields })
}

/**
 * Sends bytes as they come; the end of the response follows the settlement. A failure after the first byte can no longer be
 * answered with a status: the connection is closed, so that no client takes a part for the whole.
 */
export async function respondBytes(context: CallContext, source: RunSource): Promise<void> {
  const { response } = context.exchange
  response.setHeader('x-transaction-id', source.run_id)
  if ('loadCachedResult' in source) {
    const { operation_output: output } = await loadWholeResult(context, source)
    if (output?.type !== 'bytes' || !output.bytes) throw new AppError(output ? 'answer_not_kept' : 'internal')
    writeHead(response, output.media_type)
    response.end(output.bytes)
    return
  }
  const onBytes = (bytes: Buffer, mediaType: string): Promise<void> | void => {
    if (response.destroyed) return
    writeHead(response, mediaType)
    if (!response.write(bytes)) return waitForDrain(response)
  }
  // A client that left before the first byte may come back.
  const getMaxBytes = (): number =>
    source.outlives_client || (response.destroyed && !response.headersSent) ? MAX_CACHED_BYTES : 0
  const result = await executeRun(context, source, { type: 'bytes', onBytes, getMaxBytes })
  if (result.state === 'done') response.end()
  else if (response.headersSent) response.destroy()
  throwIfFailed(result)
}

function writeHead(response: ServerResponse, mediaType: string): void {
  if (response.headersSent) return
  response.writeHead(200, {
    'Content-Type': mediaType,
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
}

/** Formats OpenAI's usage of each call, with the units that were billed. */
function formatUsage(
  path: Operation['path'],
  { usage }: JsonObject,
  { metered }: CachedResult,
): OperationResponse['usage'] & JsonObject {
  const { tokens, units = 0, times = 1 } = metered
  const reported = isJsonObject(usage) ? usage : {}
  if (path === '/images/generations')
    return { total_tokens: 0, input_tokens: 0, output_tokens: 0, ...reported, billed_units: times }
  if (path === '/audio/transcriptions')
    return { type: 'duration', seconds: Math.ceil(units / 1000), billed_units: units }
  return { prompt_tokens: tokens.input, total_tokens: tokens.input, billed_units: tokens.input }
}

const BYTES_PER_FLOAT = Float32Array.BYTES_PER_ELEMENT

/**
 * Vectors in the requested encoding, whichever the platform used: OpenAI's own clients request base64 (32-bit floats,
 * little-endian) by default, and several platforms know floats only.
 */
function encodeEmbeddings(encoding: unknown, answer: JsonObject): JsonObject {
  const encode = encoding === 'base64' ? toBase64 : toFloats
  const data = filterObjects(answer.data).map((entry) => ({ ...entry, embedding: encode(entry.embedding) }))
  return { ...answer, data }
}

function toBase64(embedding: unknown): unknown {
  if (!Array.isArray(embedding)) return embedding
  const bytes = Buffer.allocUnsafe(embedding.length * BYTES_PER_FLOAT)
  for (const [index, value] of embedding.entries()) bytes.writeFloatLE(Number(value), index * BYTES_PER_FLOAT)
  return bytes.toString('base64')
}

function toFloats(embedding: unknown): unknown {
  if (typeof embedding !== 'string') return embedding
  const bytes = Buffer.from(embedding, 'base64')
  return Array.from({ length: Math.floor(bytes.length / BYTES_PER_FLOAT) }, (_, index) =>
    bytes.readFloatLE(index * BYTES_PER_FLOAT),
  )
}
