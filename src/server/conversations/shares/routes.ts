import type { shareCalls } from '#contract/shares.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Handlers } from '#server/core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import type { Shares } from './shares.ts'

/** Limit of links and copies by one user; far more than a person makes. */
const CREATE_LIMIT = { points: 60, seconds: 60 }

export function shareRoutes(shares: Shares): Handlers<typeof shareCalls> {
  const limitCreates = createRateLimit(CREATE_LIMIT)
  return {
    'GET /api/chat/session/link': async ({ query }, { visitor, request }) => {
      // This GET creates something, so like other calls that do, it must come from our own page.
      if (!request.headers.get('X-Requested-With')) throw new AppError('untrusted_origin')
      await limitCreates(visitor.user_id)
      return { share: await shares.create(visitor.user_id, query) }
    },

    'DELETE /api/chat/session/link': async ({ query }, { visitor }) => {
      await shares.revoke(visitor.user_id, query.id)
      return undefined
    },

    'GET /api/chat/session/links': ({ query }, { visitor }) => shares.list(visitor.user_id, query),

    'GET /api/session/{id}/messages': async ({ params }) => {
      const shared = await shares.getShared(params.id)
      if (!shared) throw new AppError('not_found')
      return shared
    },

    'POST /api/session/{id}/continue': async ({ params }, { visitor }) => {
      await limitCreates(visitor.user_id)
      return { session: await shares.continueConversation(visitor.user_id, params.id) }
    },
  }
}
