// Anthropic's clients and platforms know ids of letters, digits, `_` and `-`; other platforms make others, as
// `functions.Bash:0`. Such an id is written in letters for the client, and read again when it comes back.

const TAKEN = /^[a-zA-Z0-9_-]+$/
const PREFIX = 'toolu_b64_'

/** The id of a call as the client gets it. */
export const encodeCallId = (id: string): string =>
  TAKEN.test(id) ? id : PREFIX + Buffer.from(id).toString('base64url')

/** The id of a call as its platform made it. */
export const decodeCallId = (id: string): string =>
  id.startsWith(PREFIX) ? Buffer.from(id.slice(PREFIX.length), 'base64url').toString() : id
