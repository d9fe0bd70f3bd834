import type { ComparisonQuestion } from '#contract/questions/questions.ts'
import type { Assistant } from '#server/conversations/conversations.ts'
import { requireModelAccess } from '#server/llm/llm.ts'
import type { Catalogue } from '#server/llm/llm.ts'
import { AppError } from '#server/core/app-error.ts'
import { COMPARE, getComparedSession } from '#contract/chatbot.ts'
import { putColumn } from './columns.ts'
import { findComparison, saveComparison } from './store.ts'

/** The channel `compare`: the general assistant, several times side by side. */
export const createCompareAssistant = ({
  general,
  catalogue,
}: {
  general: Assistant<ComparisonQuestion>
  catalogue: Catalogue
}): Assistant<ComparisonQuestion> => ({
  async checkAccess(_, chatbot) {
    // A new comparison has no id yet.
    if (chatbot !== COMPARE) throw new AppError('not_found')
  },

  async getLanes(tx, sessId, models) {
    const { models: columns } = await findComparison(tx, sessId)
    if (!models) {
      if (!columns.length) throw new AppError('compare_empty')
      return columns
    }
    const requestedModels = [
      ...new Set(models.map((id) => requireModelAccess(catalogue, id, { type: 'chat' }).id)),
    ]
    // A requested model without a column gets one.
    const all = requestedModels.reduce((some, model) => putColumn(some, { model }), columns)
    if (all.length > columns.length) await saveComparison(tx, sessId, { models: all })
    return all.filter(({ model }) => requestedModels.includes(model))
  },

  async onFork(tx, from, to) {
    await saveComparison(tx, to, await findComparison(tx, from))
  },

  async prepareTurn(context, input) {
    const sessId = getComparedSession(input.chatbot)
    const session = sessId ? { session: { chatbot: COMPARE, sess_id: sessId } } : {}
    return { ...(await general.prepareTurn(context, input)), ...session }
  },
})
