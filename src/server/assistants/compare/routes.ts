import type { compareCalls } from '#contract/compare/compare.ts'
import { COMPARE } from '#contract/chatbot.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Handlers } from '#server/core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import { EMPTY } from './compare.ts'
import type { Compare } from './compare.ts'

/** Limit of estimates by one visitor: the page requests them while somebody types. */
const ESTIMATE_LIMIT = { points: 120, seconds: 60 }

export function compareRoutes(compare: Compare): Handlers<typeof compareCalls> {
  const limitEstimates = createRateLimit(ESTIMATE_LIMIT)
  return {
    'GET /api/compare/messages': async ({ query }, { visitor }) => {
      if (visitor) return compare.messages(visitor.user_id, query)
      if (query.chatbot !== COMPARE) throw new AppError('not_found')
      return EMPTY
    },

    'DELETE /api/compare/messages': async ({ query }, { visitor }) => ({
      deleted: await compare.clear(visitor.user_id, query.chatbot),
    }),

    'POST /api/compare/models': async ({ body: { chatbot, ...column } }, { visitor }) =>
      compare.saveModel(visitor, chatbot, column),

    'DELETE /api/compare/models': async ({ query }, { visitor }) =>
      compare.removeModel(visitor.user_id, query.chatbot, query.model),

    'POST /api/compare/models/clear': async ({ body }, { visitor }) =>
      compare.clearModels(visitor.user_id, body.chatbot),

    'PUT /api/compare': async ({ body }, { visitor }) =>
      compare.setBlind(visitor.user_id, body.chatbot, body.blind),

    'POST /api/compare/estimate': async ({ body }, { visitor, client }) => {
      await limitEstimates(visitor.user_id)
      return compare.estimate({ visitor, client }, body)
    },

    'POST /api/compare/votes': async ({ body }, { visitor }) => ({
      vote: await compare.vote(visitor.user_id, body),
    }),

    'GET /api/compare/scoreboard': async ({ query }, { visitor }) =>
      visitor ? compare.scoreboard(visitor.user_id, query) : { scores: [], kinds: [] },
  }
}
