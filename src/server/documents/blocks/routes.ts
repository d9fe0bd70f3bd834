import type { blockCalls } from '#contract/blocks.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Handlers } from '#server/core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import type { Blocks } from './blocks.ts'

/** Limit for files and links of one user, far above what a person adds. */
const CREATE_LIMIT = { points: 60, seconds: 60 }

export function blockRoutes(blocks: Blocks): Handlers<typeof blockCalls> {
  const limitCreates = createRateLimit(CREATE_LIMIT)
  return {
    'POST /api/block': async ({ body }, { visitor }) => {
      await limitCreates(visitor.user_id)
      return { data: await blocks.save(visitor, body) }
    },

    'GET /api/blocks': ({ query }, { visitor }) => blocks.list(visitor.user_id, query),

    'GET /api/block/md5/{md5}': async ({ params, query }, { visitor }) => ({
      data: await blocks.getByMd5(visitor.user_id, query.channel, params.md5),
    }),

    'GET /api/block/link/extract': async ({ query }, { visitor, request }) => {
      // The call makes something, so like all such calls it must come from a page of ours.
      if (!request.headers.get('X-Requested-With')) throw new AppError('untrusted_origin')
      await limitCreates(visitor.user_id)
      return { data: await blocks.extractLink(visitor, query.url, query.channel) }
    },

    'GET /api/block/{id}': async ({ params }, { visitor }) => ({
      data: await blocks.get(visitor.user_id, params.id),
    }),

    'GET /api/block/{id}/detail': async ({ params, query }, { visitor }) => ({
      data: await blocks.getDetail(visitor.user_id, params.id, query),
    }),

    'POST /api/block/{id}/cancel': async ({ params }, { visitor }) => ({
      data: await blocks.cancel(visitor.user_id, params.id),
    }),

    'POST /api/block/{id}/retry': async ({ params, body }, { visitor }) => {
      await limitCreates(visitor.user_id)
      return { data: await blocks.retry(visitor, params.id, body) }
    },

    'GET /api/block/{id}/summary': async ({ params, query }, { visitor }) => ({
      data: await blocks.findSummary(visitor, params.id, query.model),
    }),

    'POST /api/block/{id}/summary': async ({ params, body }, { visitor }) => {
      await limitCreates(visitor.user_id)
      return { data: await blocks.writeSummary(visitor, params.id, body.model) }
    },

    'DELETE /api/block/{id}': async ({ params }, { visitor }) => {
      await blocks.delete(visitor.user_id, params.id)
      return undefined
    },
  }
}
