import type { ErrorCode } from '#contract/errors.ts'
import type { SettledRun } from '#server/runs/settle.ts'
import type { OutputIncrement } from './increments.ts'

/** Writes one answer as a stream, each time as the text of whole events. */
export type ResponseWriter = {
  /** Empty where the door has no word for a part. */
  writePart(part: OutputIncrement): string
  /** The end of an answer that came whole: why it ended, and its usage. */
  writeEnd(ended: SettledRun): string
  /** In place of an end. */
  writeError(code: ErrorCode): string
}

/** How a door puts the answer to one call. */
export type ResponseFormatter = {
  formatWhole(ended: SettledRun): object
  createWriter(): ResponseWriter
  /** What is sent in a stream that has been silent for a while. */
  keep_alive: string
}

/** A comment, which every reader of an event stream passes over. */
export const KEEP_ALIVE_COMMENT = ': \n\n'
