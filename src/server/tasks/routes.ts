import type { HandlerOutput } from '#contract/call.ts'
import type { Task, taskCalls } from '#contract/tasks/tasks.ts'
import type { Handlers } from '#server/core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import type { TaskOwner } from './store.ts'

/** Limit of retries per user, far above ordinary use. */
const RETRY_LIMIT = { points: 60, seconds: 60 }

/** Actions of a person on their own tasks. */
type OwnTasks = {
  listOwn(
    userId: string,
    page: { page: number; size: number },
  ): Promise<HandlerOutput<(typeof taskCalls)['GET /api/tasks']>>
  getOwn(userId: string, id: string): Promise<Task>
  readResult(
    userId: string,
    id: string,
    after: number,
  ): Promise<HandlerOutput<(typeof taskCalls)['GET /api/task/{id}/result']>>
  cancel(userId: string, id: string): Promise<void>
  retryOwn(owner: TaskOwner, id: string): Promise<Task>
  deleteOwn(userId: string, id: string): Promise<void>
}

export function taskRoutes(tasks: OwnTasks): Handlers<typeof taskCalls> {
  const limitRetries = createRateLimit(RETRY_LIMIT)
  return {
    'GET /api/tasks': ({ query: { page, page_size: size } }, { visitor }) =>
      tasks.listOwn(visitor.user_id, { page, size }),

    'GET /api/task/{id}/result': ({ params, query }, { visitor }) =>
      tasks.readResult(visitor.user_id, params.id, query.after),

    'POST /api/task/{id}/cancel': async ({ params }, { visitor }) => {
      await tasks.cancel(visitor.user_id, params.id)
      return { data: await tasks.getOwn(visitor.user_id, params.id) }
    },

    'POST /api/task/{id}/retry': async ({ params }, { visitor }) => {
      await limitRetries(visitor.user_id)
      return { data: await tasks.retryOwn(visitor, params.id) }
    },

    'DELETE /api/task/{id}': async ({ params }, { visitor }) => {
      await tasks.deleteOwn(visitor.user_id, params.id)
      return undefined
    },
  }
}
