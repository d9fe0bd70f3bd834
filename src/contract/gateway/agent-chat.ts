import { z } from 'zod'
import { rememberedSession, stream } from './request-fields.ts'
import type { ChatCompletionUsage } from './completion-answers.ts'

// POST /agent/chat: a question to a knowledge agent, in a shape of our own.

const message = z.object({
  role: z
    .enum(['user', 'assistant', 'human', 'ai'])
    .describe('角色：user 或 human 提问者、assistant 或 ai 回答者'),
  text: z.string().max(200_000).describe('消息的正文'),
})

export const agentChatRequest = z.object({
  /** A public agent, or one of the key's account. */
  uuid: z.uuid().describe('智能体的编号'),
  question: z.string().trim().min(1).max(200_000).describe('问题'),
  /** The conversation before the question. */
  messages: z.array(message).max(200).nullish().describe('问题之前的对话'),
  stream,
  /** The name of a conversation with this agent that is remembered for the key; `messages` are its new part. */
  sess_id: rememberedSession,
})
export type AgentChatRequest = z.output<typeof agentChatRequest>

/** A passage or web page that was given for the answer, by the number of its citation. */
export type AgentReference = {
  n: number
  /** The passage, or the title of a web page. */
  content: string
  /** The document and the place in it, or the address of a web page. */
  source: string
  /** How well it fits the question, 0 to 1; null for a web page. */
  confidence: number | null
}

/**
 * The answer. In a stream, chunks of OpenAI's shape (`choices[0].delta.content`); the last one before `[DONE]` has no choices,
 * but `message_id`, `reference` and `usage`.
 */
export type AgentChatResponse = {
  /** Names the bill: `GET /api/chat/transaction/{uuid}`. */
  message_id: string
  content: string
  /** Empty where the agent keeps its sources to itself. */
  reference: AgentReference[]
  usage: ChatCompletionUsage
}
