import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { GatewayKey } from '#server/keys/keys.ts'
import type { ModelEntry, PromptMessage } from '#server/llm/llm.ts'
import { findRunOutcome } from '#server/runs/store.ts'
import type { CompletionHook } from '../completion-hooks.ts'
import { splitSystemMessages, buildMemoryPrompt, stripImages } from './prompt.ts'
import type { NewMessages } from './prompt.ts'
import * as store from './store.ts'

// Conversations that are remembered for programs: each call brings only what is new. Turns are remembered for 7 days,
// by the key and the name that it gave.

/** A conversation that a call is about to go on with. */
export type ContinuedConversation = {
  conversation_id: string
  prompt: PromptMessage[]
  new_messages: NewMessages
}

type MemoryOptions = { key: GatewayKey; sess_id: string; messages: PromptMessage[]; model: ModelEntry }

/**
 * Goes on with a conversation: no other call does until the transaction ends, and then until the run does. Throws
 * AppError turn_running.
 */
export async function continueConversation(
  tx: Db,
  { key, sess_id, messages, model }: MemoryOptions,
): Promise<ContinuedConversation> {
  const owner = { user_id: key.user_id, key_id: key.id }
  const { id: conversation_id, run_id, system } = await store.lockConversation(tx, owner, sess_id)
  // Looked at under the lock: what another call committed while this one waited is seen.
  if (run_id && (await findRunOutcome(tx, run_id)) === null) throw new AppError('turn_running')
  const current = splitSystemMessages(messages)
  const new_messages = current.system.length ? current : { ...current, system }
  const prompt = buildMemoryPrompt(new_messages, await store.listRecentTurns(tx, conversation_id), model)
  return { conversation_id, prompt, new_messages }
}

/** Says which run it is that goes on with the conversation, in the same transaction. */
export const setConversationRun = (
  tx: Db,
  { conversation_id }: ContinuedConversation,
  run_id: string,
): Promise<void> => store.setRun(tx, conversation_id, run_id)

/** Remembers the turn when its answer has come whole. */
export const createMemoryHook =
  ({ conversation_id, new_messages: { system, messages } }: ContinuedConversation): CompletionHook =>
  async (tx, { outcome, said: { tool_calls } }) => {
    if (outcome.state !== 'done') return
    const answer: PromptMessage = {
      role: 'assistant',
      content: outcome.text,
      ...(tool_calls.length ? { tool_calls } : {}),
    }
    const turn = [...messages, answer].map(stripImages)
    await store.insertTurn(tx, { conversation_id, system: system.map(stripImages), messages: turn })
  }
