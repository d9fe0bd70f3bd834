import type { z } from 'zod'
import { chatCompletionRequest } from '#contract/gateway/chat-completions.ts'
import { messageRequest, tokenCountRequest } from '#contract/gateway/messages.ts'
import { responseRequest } from '#contract/gateway/responses.ts'
import { embeddingRequest, imageRequest, rerankRequest, speechRequest } from '#contract/gateway/operations.ts'

const schemas = {
  completion: chatCompletionRequest,
  message: messageRequest,
  tokenCount: tokenCountRequest,
  response: responseRequest,
  embedding: embeddingRequest,
  rerank: rerankRequest,
  image: imageRequest,
  speech: speechRequest,
} as const

export type BodySchemaName = keyof typeof schemas
/** What is read through it. */
export type Body<Name extends BodySchemaName> = z.output<(typeof schemas)[Name]>

/** What bodies are read through, by name: a schema itself cannot be handed to a thread. */
export const BODY_SCHEMAS: { [Name in BodySchemaName]: z.ZodType<Body<Name>> } = schemas

/**
 * Values of one body at most, names of fields included: what is made of them crosses threads, and is gone through on the
 * event loop. 10,000 messages have a quarter of it. Embeddings are asked for with tokens too, 300,000 at OpenAI: numbers,
 * which are soon gone through.
 */
export const getMaxValues = (name: BodySchemaName): number => (name === 'embedding' ? 400_000 : 200_000)
