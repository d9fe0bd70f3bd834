import type { ErrorCode } from '#contract/errors.ts'
import type { Ended } from '../runs/finish.ts'
import type { Increment } from './increments.ts'

/** Writes one answer as a stream, each time as the text of whole events. */
export type Writer = {
  /** Empty where the door has no word for a part. */
  part(part: Increment): string
  /** The end of an answer that came whole: why it ended, and its usage. */
  end(ended: Ended): string
  /** In place of an end. */
  error(code: ErrorCode): string
}

/** How a door puts the answer to one call. */
export type Shape = {
  whole(ended: Ended): object
  stream(): Writer
  /** What is sent in a stream that has been silent for a while. */
  keep_alive: string
}

/** A comment, which every reader of an event stream passes over. */
export const COMMENT = ': \n\n'
