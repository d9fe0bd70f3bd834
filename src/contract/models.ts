import { z } from 'zod'
import type { Calls } from './call.ts'

/** A chat model as the model picker shows it. */
export const chatModel = z.object({
  id: z.string(),
  name: z.string(),
  desc: z.string(),
  /** Alias of the platform that offers it first. */
  platform: z.string(),
  context_window: z.int(),
  max_tokens: z.int(),
  capabilities: z.array(z.string()),
  /** Guests may try it. */
  guest: z.boolean(),
  /** A platform with a key (or the local model) can serve it now. */
  available: z.boolean(),
  /** The honest in-process stand-in of the embedded default. */
  local: z.boolean(),
  /** Coins per million tokens after discount. */
  input_price: z.number(),
  output_price: z.number(),
})
export type ChatModel = z.output<typeof chatModel>

export const modelCalls = {
  'GET /api/chat/models': {
    summary: '可用于对话的模型',
    auth: 'public',
    query: z.object({ source: z.string().max(20).default('web') }),
    response: z.object({ models: z.array(chatModel), default_model: z.string() }),
  },
} as const satisfies Calls
