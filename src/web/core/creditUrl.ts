/** URL of the page of plans, with the needed coins and the way back to the present page. */
export const getCreditUrl = (from: URL, neededCoins: number): string =>
  `/credit?${new URLSearchParams({ need: String(neededCoins), back: from.pathname + from.search })}`
