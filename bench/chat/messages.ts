import { randomUUID } from 'node:crypto'
import type { ChatMessage, ChatSession } from '#contract/chat.ts'

/** The answer comes with its first `head` characters at once, then `chunkChars` every `chunkMs`. */
export type Options = { answer: string; head: number; chunkChars: number; chunkMs: number }

export const session = (id: string, chatbot = 'dati'): ChatSession => ({
  id,
  chatbot,
  title: '注意力机制与工程实现',
  pinned: false,
  archived: false,
  model: 'bench',
  current: true,
  updated_at: new Date().toISOString(),
})

export const message = (
  sessId: string,
  role: 'human' | 'ai',
  chatId: string,
  text: string,
  id = randomUUID(),
): ChatMessage => ({
  id,
  sess_id: sessId,
  chat_id: chatId,
  role,
  text,
  model: 'bench',
  chat_model: 'bench',
  content_type: 'text',
  stream: true,
  status: 'done',
  error: null,
  tools: [],
  agent: null,
  block: null,
  quick_action: null,
  liked: false,
  feedback: null,
  related_prompts: [],
  search: null,
  wants_related: false,
  reasoning: '',
  reasoning_ms: null,
  versions: [id],
  continuable: false,
  figures: null,
  created_at: new Date().toISOString(),
})
