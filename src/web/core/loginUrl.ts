/** The sign-in page that leads back to where the person is now. */
export const getLoginUrl = (from: URL): string =>
  `/login?${new URLSearchParams({ redirect_to: from.pathname + from.search })}`
