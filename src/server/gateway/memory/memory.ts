import { AppError } from '../../core/app-error.ts'
import type { Db } from '../../core/database.ts'
import type { GatewayKey } from '../../keys/keys.ts'
import type { ModelEntry } from '../../llm/catalogue-schema.ts'
import type { PromptMessage } from '../../llm/chat.ts'
import { runEnd } from '../../runs/store.ts'
import type { Then } from '../endings.ts'
import { broughtBy, promptWith, withoutPictures } from './prompt.ts'
import type { Brought } from './prompt.ts'
import * as store from './store.ts'

// Conversations that are remembered for programs: each call brings only what is new. Turns are remembered for 7 days,
// by the key and the name that it gave.

/** A conversation that a call is about to go on with. */
export type Entered = { conversation_id: string; prompt: PromptMessage[]; brought: Brought }

type Call = { key: GatewayKey; sess_id: string; messages: PromptMessage[]; model: ModelEntry }

/**
 * Goes on with a conversation: no other call does until the transaction ends, and then until the run does. Throws
 * AppError turn_running.
 */
export async function enter(tx: Db, { key, sess_id, messages, model }: Call): Promise<Entered> {
  const owner = { user_id: key.user_id, key_id: key.id }
  const { id: conversation_id, run_id, system } = await store.lockConversation(tx, owner, sess_id)
  // Looked at under the lock: what another call committed while this one waited is seen.
  if (run_id && (await runEnd(tx, run_id)) === null) throw new AppError('turn_running')
  const own = broughtBy(messages)
  const brought = own.system.length ? own : { ...own, system }
  const prompt = promptWith(brought, await store.newestTurns(tx, conversation_id), model)
  return { conversation_id, prompt, brought }
}

/** Says which run it is that goes on with the conversation, in the same transaction. */
export const begin = (tx: Db, { conversation_id }: Entered, run_id: string): Promise<void> =>
  store.setRun(tx, conversation_id, run_id)

/** Remembers the turn when its answer has come whole. */
export const remember =
  ({ conversation_id, brought: { system, messages } }: Entered): Then =>
  async (tx, { outcome, said: { tool_calls } }) => {
    if (outcome.state !== 'done') return
    const answer: PromptMessage = {
      role: 'assistant',
      content: outcome.text,
      ...(tool_calls.length ? { tool_calls } : {}),
    }
    const turn = [...messages, answer].map(withoutPictures)
    await store.insertTurn(tx, { conversation_id, system: system.map(withoutPictures), messages: turn })
  }
