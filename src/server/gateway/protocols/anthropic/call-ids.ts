// Anthropic's clients and platforms accept ids of letters, digits, `_` and `-`; other platforms make others, such as
// `functions.Bash:0`. Such an id is encoded for the client, and decoded when it comes back.

const TAKEN = /^[a-zA-Z0-9_-]+$/
const PREFIX = 'toolu_b64_'

/** Returns the id of a call for the client. */
export const encodeCallId = (id: string): string =>
  TAKEN.test(id) ? id : PREFIX + Buffer.from(id).toString('base64url')

/** Returns the id of a call as its platform made it. */
export const decodeCallId = (id: string): string =>
  id.startsWith(PREFIX) ? Buffer.from(id.slice(PREFIX.length), 'base64url').toString() : id
