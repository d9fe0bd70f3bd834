/** An address of a document or an agent, such as a passage that an answer cites; never one of another site. */
export const isOwnUrl = (url: string): boolean => /^\/(block|chat\/agent)\/[0-9a-f-]+(\?|$)/.test(url)

/** A path of this site, never an address elsewhere (`//host`, `/\host` and control characters lead away). */
export const isOwnPath = (path: string): boolean => /^\/(?![/\\])[^\s\\]*$/.test(path)
