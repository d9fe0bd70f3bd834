import { DrizzleQueryError } from 'drizzle-orm'
import { pino } from 'pino'
import type { Logger } from 'pino'

export type Log = Logger
/** Where a part only writes events. */
export type LogWriter = Pick<Logger, 'info' | 'warn' | 'error'>

/** The process's structured log, one JSON line an event on standard output. Secrets are never passed to it. */
export const createLog = (level: string): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } })

type SerializedError = {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: SerializedError
}

/** PostgreSQL's errors about a value repeat the value (class 22, "Data Exception"). */
const VALUE_ERROR = /^22/

/**
 * An error for the log: with its stack and causes, but of a failed query neither the parameters nor what the database says of
 * them, since those are what people wrote.
 */
export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name: type, code, cause } = error as NodeJS.ErrnoException
  const message =
    error instanceof DrizzleQueryError
      ? `failed query: ${error.query}`
      : code && VALUE_ERROR.test(code)
        ? 'a value that the database refused'
        : error.message
  return {
    type,
    message,
    ...(code ? { code } : {}),
    // Its first lines are the message.
    stack: error.stack?.slice(error.stack.indexOf('\n    at ') + 1) ?? '',
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  }
}
