/**
 * The sound of a file: how long it plays, how many bytes it is made of, and the most bits a second that its format can
 * have. What a header says of its length is not believed: lengths are those of the frames that are there, since platforms
 * decode and bill them.
 */
export type Sound = { seconds: number; bytes: number; max_bits_per_second: number }

/**
 * Parts that a file may be made of: chunks, boxes, elements, what looks like a frame. A recording of the largest size has
 * some hundred thousand of them; what has more is made to be hard to read.
 */
export const MAX_PARTS = 600_000
