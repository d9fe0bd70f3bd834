import { DrizzleQueryError } from 'drizzle-orm'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

export type Log = Logger
/** Where a part only writes events. */
export type LogWriter = Pick<Logger, 'info' | 'warn' | 'error'>

/**
 * The process's structured log, one JSON line an event, on standard output unless told otherwise. Neither secrets nor addresses
 * of requests are passed to it.
 */
export const createLog = (level: string, destination: DestinationStream = pino.destination(1)): Log =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } },
    destination,
  )

type SerializedError = {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: SerializedError
}

/** PostgreSQL's errors about a value repeat the value (class 22, "Data Exception"). */
const VALUE_ERROR = /^22/

/** Others write messages of any length. */
const MAX_MESSAGE_CHARS = 2_000
/** What an address names behind its host, and who signs in there. `file:` leads to code. */
const URL_PATTERN = /\b(?!file:)([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#@"'`]*@)?([^\s/?#"'`]*)[/?#][^\s"'`)]*/gi
const EMAIL = /[^\s<>"'`@]+@[^\s<>"'`@]+/g
/** 120 random bits or more, in hexadecimal or base64url: ids of shares, tokens, names of pictures. UUIDs of ours are none. */
const TOKEN = /\b(?:[0-9a-f]{30,}|(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{20,})/g

/** What an error says, without what would open something or tell of a person. */
const redact = (message: string): string =>
  message.slice(0, MAX_MESSAGE_CHARS).replace(URL_PATTERN, '$1$2/…').replace(EMAIL, '…@…').replace(TOKEN, '…')

/**
 * An error for the log: with its stack and causes, but of a failed query neither the parameters nor what the database says of
 * them, since those are what people wrote.
 */
export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(String(error)) }
  const { name: type, code, cause } = error as NodeJS.ErrnoException
  const message =
    error instanceof DrizzleQueryError
      ? `failed query: ${error.query}`
      : code && VALUE_ERROR.test(code)
        ? 'a value that the database refused'
        : redact(error.message)
  const frames = error.stack?.indexOf('\n    at ') ?? -1
  return {
    type,
    message,
    ...(code ? { code } : {}),
    // Its first lines are the message.
    stack: frames < 0 ? '' : error.stack!.slice(frames + 1),
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  }
}
