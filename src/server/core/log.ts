import { pino } from 'pino'
import type { Logger } from 'pino'

export type Log = Logger
/** Where a part only writes events. */
export type LogWriter = Pick<Logger, 'info' | 'warn' | 'error'>

/** The process's structured log, one JSON line an event on standard output. Secrets are never passed to it. */
export const createLog = (level: string): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
