import type { z } from 'zod'
import { completionRequest } from '#contract/gateway.ts'
import { messageRequest, tokenCountRequest } from '#contract/messages.ts'
import { responseRequest } from '#contract/responses.ts'
import { embeddingRequest, imageRequest, rerankRequest, speechRequest } from '#contract/works.ts'

const schemas = {
  completion: completionRequest,
  message: messageRequest,
  tokenCount: tokenCountRequest,
  response: responseRequest,
  embedding: embeddingRequest,
  rerank: rerankRequest,
  image: imageRequest,
  speech: speechRequest,
} as const

export type SchemaName = keyof typeof schemas
/** What is read through it. */
export type Body<Name extends SchemaName> = z.output<(typeof schemas)[Name]>

/** What bodies are read through, by name: a schema itself cannot be handed to a thread. */
export const SCHEMAS: { [Name in SchemaName]: z.ZodType<Body<Name>> } = schemas

/**
 * Values of one body at most, names of fields included: what is made of them crosses threads, and is gone through on the
 * event loop. 10,000 messages have a quarter of it. Embeddings are asked for with tokens too, 300,000 at OpenAI: numbers,
 * which are soon gone through.
 */
export const mostValues = (name: SchemaName): number => (name === 'embedding' ? 400_000 : 200_000)
