/** URL of the sign-in page, with the way back to the present page. */
export const getLoginUrl = (from: URL): string =>
  `/login?${new URLSearchParams({ redirect_to: from.pathname + from.search })}`
