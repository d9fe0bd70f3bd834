import { ApiError } from './api.ts'
import { queryClient } from './queryClient.ts'
import { userQueryKey } from './user.ts'

/** Wraps a call that only signed-in users may make. A 401 means that nobody is signed in (specification section 4, Auth). */
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
