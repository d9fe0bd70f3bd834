import type { shareCalls } from '#contract/shares.ts'
import { AppError } from '../core/app-error.ts'
import type { Handlers } from '../core/http.ts'
import { openLimit } from '../core/limits.ts'
import type { Shares } from './shares.ts'

/** Links and copies of one user; far above what a person makes. */
const MAKING = { points: 60, seconds: 60 }

export function shareRoutes(shares: Shares): Handlers<typeof shareCalls> {
  const limitMaking = openLimit(MAKING)
  return {
    'GET /api/chat/session/link': async ({ query }, { visitor, request }) => {
      // It makes something, so that like every call that does it must come from a page of ours.
      if (!request.headers.get('X-Requested-With')) throw new AppError('untrusted_origin')
      await limitMaking(visitor.user_id)
      return { share: await shares.link(visitor.user_id, query) }
    },

    'DELETE /api/chat/session/link': async ({ query }, { visitor }) => {
      await shares.revoke(visitor.user_id, query.id)
      return undefined
    },

    'GET /api/chat/session/links': ({ query }, { visitor }) => shares.list(visitor.user_id, query),

    'GET /api/session/{id}/messages': async ({ params }) => {
      const shared = await shares.read(params.id)
      if (!shared) throw new AppError('not_found')
      return shared
    },

    'POST /api/session/{id}/continue': async ({ params }, { visitor }) => {
      await limitMaking(visitor.user_id)
      return { session: await shares.continueAs(visitor.user_id, params.id) }
    },
  }
}
