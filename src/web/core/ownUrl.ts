/** Tells whether a URL leads to a document or an agent of this site, such as a passage that an answer cites. */
export const isOwnUrl = (url: string): boolean => /^\/(block|chat\/agent)\/[0-9a-f-]+(\?|$)/.test(url)

/** Tells whether a path stays on this site: `//host`, `/\host` and control characters lead away. */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\s\\]*$/.test(path)
