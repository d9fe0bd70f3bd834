import { THINKING } from '#contract/chat-tools.ts'
import type { DocumentQuestion } from '#contract/questions/questions.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Assistant } from '#server/conversations/conversations.ts'
import { resolvePreference } from '#server/llm/llm.ts'
import type { Users } from '#server/accounts/users/users.ts'
import type { Blocks } from './blocks.ts'

const getBlockId = (chatbot: string): string => chatbot.slice('block-'.length)

/** The assistant of the channel `block-{id}`: questions about one of the user's own documents. */
export const createBlockAssistant = ({
  blocks,
  users,
}: {
  blocks: Blocks
  users: Users
}): Assistant<DocumentQuestion> => ({
  async checkAccess(userId, chatbot) {
    await blocks.get(userId, getBlockId(chatbot))
  },

  async prepareTurn({ visitor }, input) {
    const { user_id } = visitor
    const id = getBlockId(input.chatbot)
    if (input.tools?.some((tool) => tool !== THINKING)) throw new AppError('tool_unknown')
    await blocks.requireAskable(user_id, id)
    const spoken = await blocks.readQuestion(user_id, input)
    const { model, provider_sort } = await users.getPreferences(user_id)
    return {
      getInitialModel: (session) => session.model ?? model,
      preference: resolvePreference(undefined, undefined, { provider_sort }),
      spoken,
      preparePrompt: ({ question, tools, blocks: about, settings, model: turnModel }) => ({
        system: settings.system_prompt,
        tools,
        preparation: blocks.createPreparation(user_id, [id, ...about], question, turnModel),
      }),
    }
  },
})
