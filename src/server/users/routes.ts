import type { userCalls } from '#contract/users.ts'
import type { Handlers } from '../core/http.ts'
import type { Users } from './users.ts'

export const userRoutes = (users: Users): Handlers<typeof userCalls> => ({
  'GET /api/user/info': async (_, { visitor }) => {
    return users.info(visitor.user_id)
  },
})
