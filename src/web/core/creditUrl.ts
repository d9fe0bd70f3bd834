/** URL of the page of plans, with the needed coins and the way back to the present page. */
export const getCreditUrl = (from: URL, needed: number): string =>
  `/credit?${new URLSearchParams({ need: String(needed), back: from.pathname + from.search })}`
