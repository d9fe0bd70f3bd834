import { THINKING } from '#contract/chat-tools.ts'
import { ZHIKU } from '#contract/chatbot.ts'
import type { AgentQuestion } from '#contract/questions/questions.ts'
import { WEB_SEARCH } from '#contract/web-search.ts'
import type { Blocks } from '#server/documents/blocks/blocks.ts'
import type { Assistant, PromptContext } from '#server/conversations/conversations.ts'
import { AppError } from '#server/core/app-error.ts'
import { resolvePreference } from '#server/llm/llm.ts'
import type { Users } from '#server/accounts/users/users.ts'
import type { Agents } from './agents.ts'
import { listAgentPassages } from './answering.ts'
import type { Answering } from './answering.ts'
import type { Widgets } from './widget.ts'

type Options = { agents: Agents; answering: Answering; widgets: Widgets; blocks: Blocks; users: Users }

/**
 * The assistant of the channel `zhiku-{uuid}`: questions to a knowledge agent, by everybody who is signed in and may use it, and
 * by the visitors of its widget.
 */
export const createAgentAssistant = ({
  agents,
  answering,
  widgets,
  blocks,
  users,
}: Options): Assistant<AgentQuestion> => ({
  async checkAccess(userId, chatbot) {
    await agents.requireUsable({ user_id: userId, guest: false }, getAgentId(chatbot))
  },

  async prepareTurn({ visitor, client }, input) {
    const { user_id, account_id, budgets } = visitor
    const isEmbedded = visitor.chatbot !== undefined
    if (isEmbedded) await widgets.checkQuestion(user_id, client, input)
    const agent = await agents.requireUsable(visitor, getAgentId(input.chatbot))
    const isKnown = (tool: string): boolean => tool === THINKING || (tool === WEB_SEARCH && agent.interneted)
    if (input.tools && !input.tools.every(isKnown)) throw new AppError('tool_unknown')
    const spoken = await blocks.readQuestion(user_id, input)
    const { provider_sort } = await users.getPreferences(user_id)
    return {
      getInitialModel: () => agent.model,
      has_own_model: true,
      agent: agent.uuid,
      preference: resolvePreference(undefined, undefined, { provider_sort }),
      spoken,
      stream: agent.stream,
      related_prompts: agent.related_prompts && !isEmbedded,
      async beforeRun(tx) {
        await agents.countUse(tx, agent.uuid, user_id)
        if (isEmbedded) await widgets.countTurn(tx, agent.uuid, { user_id, client })
      },
      preparePrompt({ question, partial, history, tools, blocks: about, model }) {
        const plan = answering.plan(agent, {
          asker: { user_id, account_id, budgets },
          question,
          model,
          partial,
          recent: listRecent(history),
          documents: blocks.createPreparation(user_id, about, question, model),
        })
        const others = tools.filter((tool) => tool !== WEB_SEARCH)
        return { ...plan, tools: plan.searches_web ? [WEB_SEARCH, ...others] : others }
      },
    }
  },
})

const getAgentId = (chatbot: string): string => chatbot.slice(ZHIKU.length + 1)

/** Lists the passages from which the last answer was made, as far as its reader sees them. */
const listRecent = (history: PromptContext['history']) =>
  listAgentPassages(history.find(({ role }) => role === 'ai')?.search?.sources ?? [])
