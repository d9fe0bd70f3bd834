/** The page of plans, which says what is needed (coins) and leads back to where the person is now. */
export const getCreditUrl = (from: URL, needed: number): string =>
  `/credit?${new URLSearchParams({ need: String(needed), back: from.pathname + from.search })}`
