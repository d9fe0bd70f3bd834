import { isJsonObject } from '#server/core/json.ts'
import type { JsonObject } from '#server/core/json.ts'
import { UpstreamError } from '../upstream-error.ts'
import { isForwarded, pickForwardedFields } from '../forwarded-fields.ts'
import type { OnPart } from '../stream-part.ts'
import {
  ErrorResponseReader,
  findReportedError,
  toUpstreamError,
  redactKey,
} from '../providers/error-response.ts'
import { post } from '../transport/http.ts'
import type { BodyReader, ResponseHead } from '../transport/http.ts'
import type { StreamedBody } from '../transport/streamed-body.ts'
import type { Family } from '../catalogue/families.ts'
import type { Offer } from '../catalogue/offers.ts'
import { createFormBody } from './form-body.ts'
import type { Operation, OperationPart } from './operation.ts'

/** Largest JSON response, bytes: thousands of vectors, or ten images in base64. */
const MAX_JSON_BYTES = 100_000_000

type OperationTarget = Pick<
  Offer,
  'base_url' | 'api_key' | 'model' | 'timeouts' | 'fields' | 'defaults' | 'family'
>

/** Batches of one call that a platform gets at a time. */
const MAX_BATCHES_AT_ONCE = 4

/**
 * Calls one platform of OpenAI's dialect, in as many batches as its model needs. Throws UpstreamError, or the signal's reason
 * when the caller aborts.
 */
export async function streamOperation(
  target: OperationTarget,
  operation: Operation,
  signal: AbortSignal,
  onPart: OnPart<OperationPart>,
): Promise<void> {
  const { batches } = operation
  const bodies = (target.family.batch && batches?.split(target.family.batch)) || []
  if (!batches || bodies.length < 2) return callOnce(target, operation, signal, onPart)
  const answers = await callBatches(target, operation, bodies, signal)
  for (const part of toJsonParts(batches.join(answers), operation)) await onPart(part)
}

/** The answers of all batches, in their order. The first failure ends the others. */
async function callBatches(
  target: OperationTarget,
  operation: Operation,
  bodies: JsonObject[],
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const failureController = new AbortController()
  const anySignal = AbortSignal.any([signal, failureController.signal])
  const answers: JsonObject[] = []
  const pendingBodies = [...bodies.entries()]
  const work = async (): Promise<void> => {
    for (let next = pendingBodies.shift(); next; next = pendingBodies.shift()) {
      const [index, json] = next
      const batch: Operation = { ...operation, body: { json }, parseUsage: () => ({ flagged: '' }) }
      await callOnce(target, batch, anySignal, (part) => {
        if (part.type === 'json') answers[index] = part.answer
      })
    }
  }
  try {
    await Promise.all(Array.from({ length: MAX_BATCHES_AT_ONCE }, work))
  } catch (cause) {
    failureController.abort(cause)
    throw cause
  }
  return answers
}

async function callOnce(
  target: OperationTarget,
  operation: Operation,
  signal: AbortSignal,
  onPart: OnPart<OperationPart>,
): Promise<void> {
  const { base_url, api_key, timeouts } = target
  const { content_type, body } = encodeBody(operation, target)
  let reader: ErrorResponseReader | BytesReader | JsonReader | null = null
  const options = {
    headers: { 'content-type': content_type, ...(api_key ? { authorization: `Bearer ${api_key}` } : {}) },
    body,
    // No operation thinks in silence: its first byte may take as long as every later one.
    timeouts: { ...timeouts, first_byte_ms: timeouts.idle_ms },
    signal,
  }
  try {
    await post(base_url + operation.path, options, (head) => (reader = createReader(head, operation, onPart)))
  } catch (cause) {
    if (!isErrorReader(reader) || !(cause instanceof UpstreamError)) {
      throw cause instanceof UpstreamError ? redactKey(cause, api_key) : cause
    }
  }
  try {
    for (const part of toFinalParts(reader, operation)) await onPart(part)
  } catch (cause) {
    throw cause instanceof UpstreamError ? redactKey(cause, api_key) : cause
  }
}

type OperationReader = ErrorResponseReader | BytesReader | JsonReader

const isErrorReader = (reader: OperationReader | null): boolean => reader instanceof ErrorResponseReader

function createReader(
  head: ResponseHead,
  operation: Operation,
  onPart: OnPart<OperationPart>,
): OperationReader {
  if (head.status < 200 || head.status > 299) return new ErrorResponseReader(head)
  const mediaType = String(head.headers['content-type'] ?? 'application/octet-stream')
  const isObject = /^application\/([\w.]+\+)?json\b/i.test(mediaType)
  return operation.response_type === 'bytes' && !isObject
    ? new BytesReader(mediaType, onPart)
    : new JsonReader()
}

/** Returns the last parts of a response that was read to its end. Throws UpstreamError for an error, or no bytes. */
function toFinalParts(reader: OperationReader | null, operation: Operation): OperationPart[] {
  if (reader instanceof JsonReader) return toJsonParts(reader.toJson(), operation)
  if (reader instanceof ErrorResponseReader) throw reader.toError()
  if (!reader?.size) throw new UpstreamError('upstream_empty', 'no bytes')
  return [{ type: 'finish', reason: 'stop' }]
}

/** Emits bytes as they come. */
class BytesReader implements BodyReader {
  readonly done = false
  size = 0
  readonly #media_type: string
  readonly #onPart: OnPart<OperationPart>

  constructor(mediaType: string, onPart: OnPart<OperationPart>) {
    this.#media_type = mediaType
    this.#onPart = onPart
  }

  onData(bytes: Buffer): Promise<void> | void {
    this.size += bytes.length
    return this.#onPart({ type: 'bytes', bytes, media_type: this.#media_type })
  }
}

/** Collects a JSON response. */
class JsonReader implements BodyReader {
  readonly done = false
  readonly #pieces: Buffer[] = []
  #size = 0

  onData(bytes: Buffer): void {
    this.#size += bytes.length
    if (this.#size > MAX_JSON_BYTES)
      throw new UpstreamError('upstream_malformed', `more than ${MAX_JSON_BYTES} bytes`)
    this.#pieces.push(bytes)
  }

  toJson(): JsonObject {
    return parseJsonObject(Buffer.concat(this.#pieces).toString('utf8'))
  }
}

function encodeBody(
  { path, body }: Operation,
  { model, fields, defaults, family }: OperationTarget,
): { content_type: string; body: string | StreamedBody } {
  if ('json' in body) {
    const forwarded = renameFields(pickForwardedFields(path, body.json, fields), family.renames)
    return { content_type: 'application/json', body: JSON.stringify({ ...defaults, ...forwarded, model }) }
  }
  const forwarded = body.form.filter(([name]) => name !== 'model' && isForwarded(path, name, fields))
  return createFormBody([['model', model], ...forwarded])
}

/** Renames fields to the platform's names, and drops fields that it does not know. */
function renameFields(fields: JsonObject, renames: Family['renames'] = {}): JsonObject {
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    const renamed = renames[name] === undefined ? name : renames[name]
    return renamed === null ? [] : [[renamed, value] as const]
  })
  return Object.fromEntries(entries)
}

function toJsonParts(answer: JsonObject, operation: Operation): OperationPart[] {
  const error = findReportedError(answer)
  if (error) throw toUpstreamError(error)
  const usage = operation.parseUsage(answer)
  return [
    // A platform without plain text formats sends its usual object instead.
    operation.response_type === 'bytes'
      ? toTextPart(String(answer.text))
      : { type: 'json', answer: operation.trimAnswer?.(answer) ?? answer },
    'flagged' in usage
      ? { type: 'usage_flagged', detail: usage.flagged }
      : { type: 'operation_usage', ...usage },
    { type: 'finish', reason: 'stop' },
  ]
}

const toTextPart = (text: string): OperationPart => ({
  type: 'bytes',
  bytes: Buffer.from(text),
  media_type: 'text/plain; charset=utf-8',
})

function parseJsonObject(text: string): JsonObject {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new UpstreamError('upstream_malformed', `no JSON: ${text.slice(0, 200)}`)
  }
  if (!isJsonObject(answer)) throw new UpstreamError('upstream_malformed', 'no object')
  return answer
}
