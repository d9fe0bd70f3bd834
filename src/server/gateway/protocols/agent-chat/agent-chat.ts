import type { AgentChatRequest, AgentChatResponse, AgentReference } from '#contract/gateway/agent-chat.ts'
import { canUseModel, estimateTokens } from '#server/llm/llm.ts'
import type { ModelEntry, PromptMessage } from '#server/llm/llm.ts'
import type { ChatRunRequest, Payer, PromptPreparation } from '#server/runs/runs.ts'
import { KEEP_ALIVE_COMMENT } from '#server/core/event-stream/event-stream.ts'
import type { CachedResult } from '../../pipeline/cached-result.ts'
import type { ProtocolAdapter } from '../../pipeline/chat-call.ts'
import { createCompletionHeader, formatUsage } from '../openai-chat/response.ts'
import { createChunkWriter } from '../openai-chat/stream.ts'

/** The knowledge agents, as far as the gateway needs them; handed in, so that it knows nothing of how they answer. */
export type AgentAnswers = {
  /** Opens an agent for the owner of a key. Throws AppError agent_not_found. */
  open(asker: Payer, uuid: string): Promise<OpenAgent>
}
type OpenAgent = {
  /** Its own model, which may have become unusable. */
  model: string
  /** Plans one answer. */
  plan(question: string, model: ModelEntry): AgentPlan
}
type AgentPlan = {
  system: string
  /** Most tokens that `buildMessages` adds. */
  reserved_tokens: number
  /** Counts the use of the agent, and puts its material into the conversation. */
  buildMessages(messages: PromptMessage[], signal: AbortSignal): Promise<PromptMessage[]>
  createGuard: ChatRunRequest['createGuard']
  /** Returns the sources of the answer, once its messages are built. */
  listReferences(): AgentReference[]
}

/** Questions to knowledge agents: `POST /agent/chat`. */
export const createAgentChat = (agents: AgentAnswers): ProtocolAdapter<AgentChatRequest> => ({
  async parse({ deps, key, body }) {
    const { uuid, question, messages, stream, sess_id } = body
    const { user_id, account_id, budgets } = key
    const agent = await agents.open({ user_id, account_id, budgets }, uuid)
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
        const plan = agent.plan(question, model)
        return { prepare: createPreparation(plan, model), createGuard: plan.createGuard }
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
})

const toPromptMessage = ({ role, text }: NonNullable<AgentChatRequest['messages']>[number]): PromptMessage =>
  role === 'user' || role === 'human' ? { role: 'user', content: text } : { role: 'assistant', content: text }

type Note = { reference: AgentReference[] }

const getReference = ({ note }: CachedResult): AgentReference[] => (note as Note | undefined)?.reference ?? []

/**
 * Prepares an answer by the agent's plan. The system message is added here, so that no remembered conversation has it: another
 * call might send that on without the guard.
 */
function createPreparation(plan: AgentPlan, model: ModelEntry): PromptPreparation {
  const { system } = plan
  return {
    reserved_tokens: plan.reserved_tokens + estimateTokens(system, model.id),
    async buildMessages({ messages, signal }) {
      const conversation = messages.filter(({ role }) => role !== 'system')
      return [{ role: 'system', content: system }, ...(await plan.buildMessages(conversation, signal))]
    },
    finish: (): Note => ({ reference: plan.listReferences() }),
  }
}
