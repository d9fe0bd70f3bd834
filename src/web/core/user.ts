import { usePage } from '@inertiajs/react'
import type { SharedProps } from '#contract/pages.ts'
import type { UserInfo } from '#contract/users.ts'
import { ApiError, request } from './api.ts'
import { invalidateQuery, useDeferredQuery } from './deferredQuery.ts'

/** To be invalidated after a change of the user's balance or profile. */
export const userQueryKey = ['user'] as const

const channel = new BroadcastChannel('wenqu.user')
channel.addEventListener('message', () => invalidateQuery(userQueryKey))

/** Refetches the user in every open tab, for example after a payment, which may change balance and level. */
export function refreshUser(): void {
  invalidateQuery(userQueryKey)
  channel.postMessage(null)
}

/** A 401 on user info means signed out (specification section 4, Auth). */
async function fetchUser(signal: AbortSignal): Promise<UserInfo | null> {
  try {
    return await request('GET /api/user/info', {}, { signal })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/** The signed-in user, or null for a guest: first as the page brought it, then kept fresh. */
export function useUser(): UserInfo | null {
  const { user } = usePage<SharedProps>().props
  const { data = user } = useDeferredQuery<UserInfo | null>({
    queryKey: [...userQueryKey, user?.uuid ?? null],
    queryFn: ({ signal }) => fetchUser(signal),
    initialData: user,
    enabled: user !== null,
    staleTime: 60_000,
  })
  return data
}
