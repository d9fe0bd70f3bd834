import type { promptCalls } from '#contract/prompts.ts'
import type { Handlers } from '#server/core/http.ts'
import type { Prompts } from './prompts.ts'

export const promptRoutes = (prompts: Prompts): Handlers<typeof promptCalls> => ({
  'GET /api/chat/prompts': ({ query }, { visitor }) => {
    // Guests have none, so nothing needs to be read for them.
    return prompts.list(visitor && !visitor.guest ? visitor.user_id : null, query)
  },
  'POST /api/chat/prompts': ({ body }, { visitor }) => prompts.create(visitor.user_id, body),
  'PUT /api/chat/prompts/{id}': ({ params, body }, { visitor }) =>
    prompts.update(visitor.user_id, params.id, body),
  'DELETE /api/chat/prompts/{id}': async ({ params }, { visitor }) => {
    await prompts.remove(visitor.user_id, params.id)
    return undefined
  },
})
