/** Classes and codes of PostgreSQL's errors about its own state, not the statement: connection, resources, operator's stop. */
const SERVER_STATE = /^(08|53|57P0)/
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Messages of the driver and of our worker that come without a code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered a connection error)|the (embedded )?database (is closed|broke down|thread ended))/

/** Tells whether something failed because the database cannot be reached, so that a retry may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    if (SERVER_STATE.test(code) || NETWORK_CODES.has(code) || MESSAGES.test(cause.message)) return true
    // An AggregateError has the errors of all addresses of a host.
    if (cause instanceof AggregateError && cause.errors.some(isDatabaseAway)) return true
  }
  return false
}
