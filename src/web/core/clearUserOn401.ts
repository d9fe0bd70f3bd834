import { ApiError } from './api.ts'
import { queryClient } from './queryClient.ts'
import { userQueryKey } from './user.ts'

/** A call for signed-in users alone. Answered 401, nobody is signed in any more (specification section 4, Auth). */
export async function clearUserOn401<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      queryClient.setQueriesData({ queryKey: userQueryKey }, null)
    }
    throw error
  }
}
