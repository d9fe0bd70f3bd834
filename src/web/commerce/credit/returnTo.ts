import { isOwnPath } from '#web/core/ownUrl.ts'

/** The page that the person came from, a path of this site, from the address of the page of plans. Null where there is none. */
export const parseReturnPath = (query: URLSearchParams): string | null => {
  const path = query.get('back') ?? ''
  return isOwnPath(path) ? path : null
}

/** The coins that a question needs, from the address; null where it names none. */
export function parseNeeded(query: URLSearchParams): number | null {
  const neededCoins = Number(query.get('need') ?? '')
  return neededCoins > 0 && Number.isFinite(neededCoins) ? neededCoins : null
}
