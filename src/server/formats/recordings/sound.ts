/**
 * The sound of a file: its length, its bytes, and the most bits a second that its format can have. A length that a header states
 * is not believed: the frames that are there count, since platforms decode and bill them.
 */
export type Sound = { seconds: number; bytes: number; max_bits_per_second: number }

/**
 * Most parts that a file may be made of: chunks, boxes, elements, bytes that look like a frame. A recording of the largest size
 * has some hundred thousand of them; a file with more is made to be hard to read.
 */
export const MAX_PARTS = 600_000
