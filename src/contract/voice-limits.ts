/** Longest text that is read aloud in one call, characters. */
export const MAX_SPOKEN_CHARS = 1_000
