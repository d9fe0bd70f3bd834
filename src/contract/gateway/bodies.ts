import type { z } from 'zod'
import { agentChatRequest } from './agent-chat.ts'
import { chatCompletionRequest, textCompletionRequest } from './chat-completions.ts'
import { messageRequest, tokenCountRequest } from './messages.ts'
import {
  embeddingRequest,
  imageRequest,
  rerankRequest,
  speechRequest,
  transcriptionRequest,
} from './operations.ts'
import { responseRequest } from './responses.ts'

/** The schemas of the gateway's bodies by name: unlike a schema, a name can be handed to a thread and to the browser. */
export const gatewayBodies = {
  completion: chatCompletionRequest,
  textCompletion: textCompletionRequest,
  message: messageRequest,
  tokenCount: tokenCountRequest,
  response: responseRequest,
  embedding: embeddingRequest,
  rerank: rerankRequest,
  image: imageRequest,
  speech: speechRequest,
  transcription: transcriptionRequest,
  agentChat: agentChatRequest,
} as const satisfies Record<string, z.ZodObject>

export type BodyName = keyof typeof gatewayBodies
/** A body as its schema reads it. */
export type Body<Name extends BodyName> = z.output<(typeof gatewayBodies)[Name]>
