import { DrizzleQueryError } from 'drizzle-orm'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

export type Log = Logger
/** For modules that only write events. */
export type LogWriter = Pick<Logger, 'info' | 'warn' | 'error'>

/**
 * Makes the process's structured log, one JSON line an event, on standard output by default. Pass neither secrets nor addresses
 * of requests to it.
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

/** Longest message kept, characters: errors of other programs may have any length. */
const MAX_MESSAGE_CHARS = 2_000
/** The part of an address after its host, and the user in front of it. Addresses of `file:` stay: they lead to code. */
const URL_PATTERN = /\b(?!file:)([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#@"'`]*@)?([^\s/?#"'`]*)[/?#][^\s"'`)]*/gi
const EMAIL = /[^\s<>"'`@]+@[^\s<>"'`@]+/g
/** 120 random bits or more, in hexadecimal or base64url: ids of shares, tokens, names of pictures. Our UUIDs do not match. */
const TOKEN = /\b(?:[0-9a-f]{30,}|(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{20,})/g

/** Removes from an error's message everything that would give access or identify a person. */
const redact = (message: string): string =>
  message.slice(0, MAX_MESSAGE_CHARS).replace(URL_PATTERN, '$1$2/…').replace(EMAIL, '…@…').replace(TOKEN, '…')

/**
 * Formats an error for the log, with its stack and causes; for a failed query, without its parameters and the database's message
 * about them, since people wrote those.
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
    // The first lines of a stack are the message.
    stack: frames < 0 ? '' : error.stack!.slice(frames + 1),
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  }
}
