import { isOwnPath } from '#web/core/ownUrl.ts'

/**
 * Where the person came from, as the address of the page of plans says it: a path of this site. Null: from nowhere in
 * particular.
 */
export const parseReturnPath = (query: URLSearchParams): string | null => {
  const path = query.get('back') ?? ''
  return isOwnPath(path) ? path : null
}

/** Coins that a question needs, as the address says it; null where it says nothing. */
export function parseNeeded(query: URLSearchParams): number | null {
  const needed = Number(query.get('need') ?? '')
  return needed > 0 && Number.isFinite(needed) ? needed : null
}
