import { createHash } from 'node:crypto'
import type { Body } from '#contract/gateway/bodies.ts'
import { transcriptionRequest } from '#contract/gateway/operations.ts'
import { AppError } from '#server/core/app-error.ts'
import {
  createEmbeddingsOperation,
  createImagesOperation,
  createRerankOperation,
  createSpeechOperation,
  createTranscriptionOperation,
  estimateTokens,
  listDocumentTexts,
  listInputs,
} from '#server/llm/llm.ts'
import { getMinDuration } from '#server/formats/formats.ts'
import type { ModelEntry, Operation } from '#server/llm/llm.ts'
import { parseWithSchema } from '../http/body-reader.ts'
import type { Upload } from '../http/multipart.ts'
import { MAX_CHARS_PER_TOKEN } from '../pipeline/chat-call.ts'
import type { GatewayDeps, RoutingOptions } from '../pipeline/context.ts'

/** A call of any kind other than chat. */
export type ParsedOperation = {
  model: string
  routing_options: RoutingOptions
  /** The content that a call with the same Idempotency-Key must repeat. */
  getContent: () => unknown
  /** The cheapest operation that the call can turn out to be, where its price is known only after some work. */
  createCheapest?: () => Operation
  /** Throws AppError: a text that the model cannot hold, a recording that cannot be read, too many waiting recordings. */
  createOperation(model: ModelEntry, deps: Pick<GatewayDeps, 'recordings'>): Promise<Operation> | Operation
  /** Tokens that count for the key's rate. */
  estimateInputTokens: () => number
}

export const parseEmbeddings = (body: Body<'embedding'>): ParsedOperation =>
  createParsedOperation(body, listInputs(body.input), (json, { id }) => createEmbeddingsOperation(id, json))

export const parseRerank = (body: Body<'rerank'>): ParsedOperation =>
  createParsedOperation(body, [body.query, ...listDocumentTexts(body.documents)], (json, { id }) =>
    createRerankOperation(id, json),
  )

export const parseImages = (body: Body<'image'>): ParsedOperation =>
  createParsedOperation(body, [body.prompt], createImagesOperation)

export const parseSpeech = (body: Body<'speech'>): ParsedOperation =>
  createParsedOperation(body, [body.input], createSpeechOperation)

/** Throws AppError bad_request with the fields at fault. */
export function parseTranscription({ file, fields }: Upload): ParsedOperation {
  const { model, ...routingOptions } = parseWithSchema(transcriptionRequest, Object.fromEntries(fields))
  return {
    model,
    routing_options: routingOptions,
    async getContent() {
      const hash = createHash('sha256').update(Buffer.from(await file.arrayBuffer()))
      return [fields, file.name, hash.digest('base64url')]
    },
    estimateInputTokens: () => 0,
    createCheapest: () =>
      createTranscriptionOperation({ file, duration_ms: getMinDuration(file.size), fields }),
    async createOperation(_, { recordings }) {
      const durationMs = await recordings.measure(file)
      if (durationMs === null) throw new AppError('audio_unreadable')
      return createTranscriptionOperation({ file, duration_ms: durationMs, fields })
    },
  }
}

/** Types of models with a context window for their text. */
const CONTEXT_BOUND_TYPES: ModelEntry['type'][] = ['embedding', 'rerank']

/** `texts` are the model's input; an array of numbers is a text that the client has encoded to tokens. */
function createParsedOperation<T extends RoutingOptions & { model: string }>(
  body: T,
  texts: (string | number[])[],
  build: (json: T, model: ModelEntry) => Operation,
): ParsedOperation {
  const { model, retries, provider_sort } = body
  return {
    model,
    routing_options: { retries, provider_sort },
    getContent: () => body,
    estimateInputTokens: () =>
      texts.reduce(
        (sum, text) => sum + (typeof text === 'string' ? estimateTokens(text, model) : text.length),
        0,
      ),
    createOperation(entry) {
      const getMaxLength = (text: string | number[]): number =>
        entry.context_window * (typeof text === 'string' ? MAX_CHARS_PER_TOKEN : 1)
      if (CONTEXT_BOUND_TYPES.includes(entry.type) && texts.some((text) => text.length > getMaxLength(text)))
        throw new AppError('context_length_exceeded')
      return build(body, entry)
    },
  }
}
