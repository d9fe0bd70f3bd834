import { createHash } from 'node:crypto'
import { transcriptionRequest } from '#contract/gateway/operations.ts'
import { AppError } from '#server/core/app-error.ts'
import {
  estimateTokens,
  measureDuration,
  createEmbeddingsOperation,
  listInputs,
  createImagesOperation,
  listDocumentTexts,
  createRerankOperation,
  createSpeechOperation,
  createTranscriptionOperation,
} from '#server/llm/llm.ts'
import type { ModelEntry, Operation, OperationPath } from '#server/llm/llm.ts'
import { parseWithSchema } from '../http/body-reader.ts'
import type { RequestBodyReader } from '../http/body-reader.ts'
import type { Exchange } from '../http/exchange.ts'
import type { createBillingContext } from '../pipeline/run-request.ts'
import { readUpload } from '../http/multipart.ts'

/** A call as it was read. */
export type ParsedOperation = {
  model: string
  routing_options: Parameters<typeof createBillingContext>[2]
  /** What an Idempotency-Key stands for. */
  body: unknown
  /** Throws AppError: a text that the model cannot hold, a recording that cannot be read. */
  createOperation(model: ModelEntry): Promise<Operation> | Operation
  /** Tokens that count for the key's rate. */
  estimateInputTokens: () => number
}

/** The type of model that does a work. */
export const OPERATION_MODEL_TYPES: Record<OperationPath, ModelEntry['type']> = {
  '/embeddings': 'embedding',
  '/rerank': 'rerank',
  '/images/generations': 'image',
  '/audio/speech': 'tts',
  '/audio/transcriptions': 'asr',
}

export const isOperationPath = (path: string): path is OperationPath =>
  Object.hasOwn(OPERATION_MODEL_TYPES, path)

/** Reads the body of a call. Throws AppError bad_request with the fields at fault, payload_too_large, overloaded. */
export const parseOperation = (
  path: OperationPath,
  bodies: RequestBodyReader,
  exchange: Exchange,
): Promise<ParsedOperation> => PARSERS[path](bodies, exchange)

const PARSERS: Record<
  OperationPath,
  (bodies: RequestBodyReader, exchange: Exchange) => Promise<ParsedOperation>
> = {
  async '/embeddings'(bodies, exchange) {
    const body = await bodies.readJson(exchange, 'embedding')
    const inputs = listInputs(body.input)
    return createParsedOperation(body, inputs, (json, { id }) => createEmbeddingsOperation(id, json))
  },
  async '/rerank'(bodies, exchange) {
    const body = await bodies.readJson(exchange, 'rerank')
    const texts = [body.query, ...listDocumentTexts(body.documents)]
    return createParsedOperation(body, texts, (json, { id }) => createRerankOperation(id, json))
  },
  async '/images/generations'(bodies, exchange) {
    const body = await bodies.readJson(exchange, 'image')
    return createParsedOperation(body, [body.prompt], createImagesOperation)
  },
  async '/audio/speech'(bodies, exchange) {
    const body = await bodies.readJson(exchange, 'speech')
    return createParsedOperation(body, [body.input], createSpeechOperation)
  },
  async '/audio/transcriptions'(bodies, exchange) {
    const { file, fields } = await readUpload(bodies, exchange)
    const { model, ...routing_options } = parseWithSchema(transcriptionRequest, Object.fromEntries(fields))
    const hash = createHash('sha256').update(Buffer.from(await file.arrayBuffer()))
    return {
      model,
      routing_options,
      body: [fields, file.name, hash.digest('base64url')],
      estimateInputTokens: () => 0,
      async createOperation() {
        const duration_ms = await measureDuration(file)
        if (duration_ms === null) throw new AppError('audio_unreadable')
        return createTranscriptionOperation({
          file,
          duration_ms,
          fields: fields.filter(([name]) => !GATEWAY_FIELDS.has(name)),
        })
      },
    }
  },
}

/** Fields that no platform is told. */
const GATEWAY_FIELDS = new Set(['model', 'retries', 'provider_sort'])
/** No tokenizer makes a token of more characters than this on the average; what has more cannot fit the model. */
const CHARS_PER_TOKEN = 8
/** Types whose models say how much text they can hold. */
const CONTEXT_BOUND_TYPES: ModelEntry['type'][] = ['embedding', 'rerank']

/** `texts` are what the model is given, or tokens that a client has made of them. */
function createParsedOperation<T extends ParsedOperation['routing_options'] & { model: string }>(
  body: T,
  texts: (string | number[])[],
  build: (json: T, model: ModelEntry) => Operation,
): ParsedOperation {
  const { model, retries, provider_sort } = body
  return {
    model,
    routing_options: { retries, provider_sort },
    body,
    estimateInputTokens: () =>
      texts.reduce(
        (sum, text) => sum + (typeof text === 'string' ? estimateTokens(text, model) : text.length),
        0,
      ),
    createOperation(entry) {
      const getMaxLength = (text: string | number[]): number =>
        entry.context_window * (typeof text === 'string' ? CHARS_PER_TOKEN : 1)
      if (CONTEXT_BOUND_TYPES.includes(entry.type) && texts.some((text) => text.length > getMaxLength(text)))
        throw new AppError('context_length_exceeded')
      // JSON leaves out what is undefined.
      return build({ ...body, retries: undefined, provider_sort: undefined }, entry)
    },
  }
}
