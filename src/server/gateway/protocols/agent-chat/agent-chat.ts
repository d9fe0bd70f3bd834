import type { AgentChatRequest, AgentChatResponse, AgentReference } from '#contract/gateway/agent-chat.ts'
import type { AgentPlan } from '#server/assistants/agents/agents.ts'
import { canUseModel, estimateTokens } from '#server/llm/llm.ts'
import type { ModelEntry, PromptMessage } from '#server/llm/llm.ts'
import type { PromptPreparation } from '#server/runs/runs.ts'
import { KEEP_ALIVE_COMMENT } from '#server/core/event-stream/event-stream.ts'
import type { CachedResult } from '../../pipeline/cached-result.ts'
import type { ProtocolAdapter } from '../../pipeline/chat-call.ts'
import { createCompletionHeader, formatUsage } from '../openai-chat/response.ts'
import { createChunkWriter } from '../openai-chat/stream.ts'

/** Questions to knowledge agents: `POST /agent/chat`. */
export const agentChat: ProtocolAdapter<AgentChatRequest> = {
  async parse({ deps, key, body }) {
    const { uuid, question, messages, stream, sess_id } = body
    const { user_id, account_id, budgets } = key
    const agent = await deps.agents.requireUsable({ user_id, guest: false }, uuid)
    return {
      model: canUseModel(deps.catalogue, agent.model, { type: 'chat' })
        ? agent.model
        : (deps.catalogue.getDefaultModel() ?? agent.model),
      routing_options: {},
      stream: stream === true,
      // Each agent has conversations of its own.
      sess_id: sess_id && `agent ${uuid} ${sess_id}`,
      buildPrompt: (model) => ({
        messages: [...(messages ?? []).map(toPromptMessage), { role: 'user', content: question }],
        max_tokens: model.max_tokens,
      }),
      createOptions(model) {
        const asker = { user_id, account_id, budgets }
        const plan = deps.answering.plan(agent, { asker, question, model })
        const countUse = (): Promise<void> => deps.agents.countUse(deps.db, uuid, user_id)
        return { prepare: createPreparation(plan, model, countUse), createGuard: plan.createGuard }
      },
    }
  },

  createFormatter({ run_id, request }) {
    return {
      formatWhole: (result): AgentChatResponse => ({
        message_id: run_id,
        content: result.text,
        reference: getReference(result),
        usage: formatUsage(result),
      }),
      createWriter: () =>
        createChunkWriter(createCompletionHeader(run_id, request.model), true, (result) => ({
          message_id: run_id,
          reference: getReference(result),
        })),
      keep_alive: KEEP_ALIVE_COMMENT,
    }
  },
}

const toPromptMessage = ({ role, text }: NonNullable<AgentChatRequest['messages']>[number]): PromptMessage =>
  role === 'user' || role === 'human' ? { role: 'user', content: text } : { role: 'assistant', content: text }

type Note = { reference: AgentReference[] }

const getReference = ({ note }: CachedResult): AgentReference[] => (note as Note | undefined)?.reference ?? []

/**
 * Prepares an answer by the agent's plan. The system message is added here, so that no remembered conversation has it: another
 * call might send that on without the guard.
 */
function createPreparation(
  { system, preparation, listReferences }: AgentPlan,
  model: ModelEntry,
  countUse: () => Promise<void>,
): PromptPreparation {
  return {
    reserved_tokens: preparation.reserved_tokens + estimateTokens(system, model.id),
    async buildMessages({ messages, signal }) {
      await countUse()
      const conversation = messages.filter(({ role }) => role !== 'system')
      const prepared = await preparation.buildMessages(conversation, {
        signal,
        publishNote: () => {},
        saveNote: async () => {},
      })
      return [{ role: 'system', content: system }, ...prepared]
    },
    finish: (): Note => ({ reference: listReferences() }),
  }
}
