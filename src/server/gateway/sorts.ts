import type { ProviderSort } from '#contract/users.ts'
import type { Users } from '../users/users.ts'

/** A person's new choice counts at the gateway after this long at the latest, ms. */
const KNOWN_FOR_MS = 10_000
/** People that are remembered at a time. */
const MOST = 10_000

export type Sorts = ReturnType<typeof openSorts>

/** How people want platforms to be put in order, remembered for a moment: it is asked for with every call. */
export function openSorts(users: Users) {
  const known = new Map<string, { sort: Promise<ProviderSort>; until: number }>()
  return async (user_id: string): Promise<ProviderSort> => {
    const now = performance.now()
    const found = known.get(user_id)
    if (found && found.until > now) return found.sort
    if (known.size >= MOST) known.clear()
    const sort = users.choices(user_id).then(({ provider_sort }) => provider_sort)
    known.set(user_id, { sort, until: now + KNOWN_FOR_MS })
    sort.catch(() => known.delete(user_id))
    return sort
  }
}
