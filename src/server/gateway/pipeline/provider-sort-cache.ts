import type { ProviderSort } from '#contract/users.ts'
import type { Users } from '#server/users/users.ts'

/** A person's new choice counts at the gateway after this long at the latest, ms. */
const TTL_MS = 10_000
/** People that are remembered at a time. */
const MAX_ENTRIES = 10_000

export type ProviderSortCache = ReturnType<typeof createProviderSortCache>

/** How people want platforms to be put in order, remembered for a moment: it is asked for with every call. */
export function createProviderSortCache(users: Users) {
  const cache = new Map<string, { sort: Promise<ProviderSort>; until: number }>()
  return async (user_id: string): Promise<ProviderSort> => {
    const now = performance.now()
    const found = cache.get(user_id)
    if (found && found.until > now) return found.sort
    if (cache.size >= MAX_ENTRIES) cache.clear()
    const sort = users.getPreferences(user_id).then(({ provider_sort }) => provider_sort)
    cache.set(user_id, { sort, until: now + TTL_MS })
    sort.catch(() => cache.delete(user_id))
    return sort
  }
}
