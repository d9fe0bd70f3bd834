import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { GatewayKey } from '#server/accounts/keys/keys.ts'
import { estimatePrompt } from '#server/llm/llm.ts'
import type { Content, ModelEntry, PromptMessage } from '#server/llm/llm.ts'
import { isRunning } from '#server/runs/runs.ts'
import type { CompletionHook } from './completion-hooks.ts'
import * as store from './store.ts'

// Conversations that are remembered for programs: each call brings only its new messages. Turns are remembered for 7 days, under
// the key and the name that the call gave.

/** Percent of a model's context that a prompt with remembered turns may take; the rest is for the answer. */
const CONTEXT_SHARE_PERCENT = 75
/** Texts in place of parts that were sent as bytes, which are not remembered. */
const PLACEHOLDERS = { image: '[图片]', audio: '[音频]', file: '[文件]' }

/** A conversation that a call continues. */
export type ContinuedConversation = {
  conversation_id: string
  prompt: PromptMessage[]
  new_messages: NewMessages
}

/** A call's messages: the system messages that they begin with, and the rest. */
type NewMessages = { system: PromptMessage[]; messages: PromptMessage[] }

type MemoryOptions = { key: GatewayKey; sess_id: string; messages: PromptMessage[]; model: ModelEntry }

/**
 * Continues a conversation. Other calls wait until the transaction ends, and are then refused until the run ends. Throws AppError
 * turn_running.
 */
export async function continueConversation(
  tx: Db,
  { key, sess_id, messages, model }: MemoryOptions,
): Promise<ContinuedConversation> {
  const owner = { user_id: key.user_id, key_id: key.id }
  const { id: conversationId, run_id, system } = await store.lockConversation(tx, owner, sess_id)
  // Read under the lock, so that a commit of the call that this one waited for is seen.
  if (run_id && (await isRunning(tx, run_id))) throw new AppError('turn_running')
  const current = splitSystemMessages(messages)
  const newMessages = current.system.length ? current : { ...current, system }
  const prompt = buildMemoryPrompt(newMessages, await store.listRecentTurns(tx, conversationId), model)
  return { conversation_id: conversationId, prompt, new_messages: newMessages }
}

/** Remembers the turn if its answer came whole. */
export const createMemoryHook =
  ({ conversation_id, new_messages: { system, messages } }: ContinuedConversation): CompletionHook =>
  async (tx, { result: { state, text, response } }) => {
    if (state !== 'done') return
    const { tool_calls, reasoning } = response
    const answer: PromptMessage = {
      role: 'assistant',
      content: text,
      ...(tool_calls.length ? { tool_calls } : {}),
      ...(tool_calls.length && reasoning ? { reasoning: { text: reasoning } } : {}),
    }
    const turn = [...messages, answer].map(stripBytes)
    await store.insertTurn(tx, { conversation_id, system: system.map(stripBytes), messages: turn })
  }

function splitSystemMessages(messages: PromptMessage[]): NewMessages {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const end = first === -1 ? messages.length : first
  return { system: messages.slice(0, end), messages: messages.slice(end) }
}

/**
 * Builds the prompt of a call that continues a conversation: the system messages, as many of its latest whole turns as fit the
 * model's context (tokens), and the new messages. `turns` are newest first. Results of tools stay with the turn that called the
 * tools: neither means anything without the other.
 */
function buildMemoryPrompt(
  { system, messages }: NewMessages,
  turns: PromptMessage[][],
  model: { id: string; context_window: number },
): PromptMessage[] {
  const newTokens = estimatePrompt([...system, ...messages], model.id)
  let tokensLeft = (model.context_window * CONTEXT_SHARE_PERCENT) / 100 - newTokens
  const prompt = [...messages]
  let whole: PromptMessage[] = []
  for (const turn of turns) {
    whole.unshift(...turn)
    if (turn[0]?.role === 'tool') continue
    tokensLeft -= estimatePrompt(whole, model.id)
    if (tokensLeft < 0 && prompt[0]?.role !== 'tool') break
    prompt.unshift(...whole)
    whole = []
  }
  return [...system, ...prompt]
}

/** A message as it is remembered. */
function stripBytes(message: PromptMessage): PromptMessage {
  return { ...message, content: stripContentBytes(message.content) }
}

function stripContentBytes(content: Content): Content {
  if (typeof content === 'string') return content
  return content.map((part) =>
    part.type !== 'text' && 'data' in part ? { type: 'text', text: PLACEHOLDERS[part.type] } : part,
  )
}
