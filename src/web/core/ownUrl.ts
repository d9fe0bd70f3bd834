/** An address of a document shown here, such as a passage that an answer cites; never one of another site. */
export const isOwnUrl = (url: string): boolean => /^\/block\/[0-9a-f-]+(\?|$)/.test(url)
