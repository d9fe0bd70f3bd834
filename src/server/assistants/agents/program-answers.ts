import type { Db } from '#server/core/database/database.ts'
import type { ModelEntry, PromptMessage } from '#server/llm/llm.ts'
import type { Payer } from '#server/runs/runs.ts'
import type { Agents } from './agents.ts'
import type { Answering } from './answering.ts'

type Options = { db: Db; agents: Agents; answering: Answering }

/** Answers programs, which the gateway asks for: an agent's answers outside of a conversation, without progress and notes. */
export const createProgramAnswers = ({ db, agents, answering }: Options) => ({
  /** Throws AppError agent_not_found. */
  async open(asker: Payer, uuid: string) {
    const { user_id } = asker
    const agent = await agents.requireUsable({ user_id, guest: false }, uuid)
    return {
      model: agent.model,
      plan(question: string, model: ModelEntry) {
        const plan = answering.plan(agent, { asker, question, model })
        const { system, preparation, createGuard, listReferences } = plan
        return {
          system,
          reserved_tokens: preparation.reserved_tokens,
          async buildMessages(messages: PromptMessage[], signal: AbortSignal) {
            await agents.countUse(db, uuid, user_id)
            const unread = { publishNote: () => {}, saveNote: async () => {} }
            return preparation.buildMessages(messages, { signal, ...unread })
          },
          createGuard,
          listReferences,
        }
      },
    }
  },
})
