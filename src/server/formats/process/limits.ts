/** Limits of reading one document. Beyond `text`, `units` and `entries` a reading ends with what it has. */
export type ReadingLimits = {
  /** Longest time in all, and without any progress, ms. */
  total_ms: number
  silent_ms: number
  /** Longest time for one picture that is read by OCR, ms. */
  recognition_ms: number
  /** Memory of the process with all that it has loaded, MB. */
  memory_mb: number
  /** The same where pages are drawn: a scan at 600 dpi takes 140 MB unpacked, and is held more than once. */
  drawing_mb: number
  /** Bytes of a file that is read as a whole: plain text, mail, old Office formats, pictures. */
  whole_bytes: number
  /** Most bytes to which one file of an archive, and all of them together, may unpack. */
  entry_bytes: number
  inflated_bytes: number
  /** Largest ratio of unpacked to packed size of a file in an archive, above `RATIO_FROM_BYTES`. */
  ratio: number
  entries: number
  /** Levels of archives within archives and mails within mails. */
  depth: number
  /** Pages, slides, sheets. */
  units: number
  /** Characters of Markdown. */
  text: number
}

const MB = 1024 * 1024

export const DEFAULT_LIMITS: ReadingLimits = {
  total_ms: 300_000,
  silent_ms: 30_000,
  recognition_ms: 120_000,
  memory_mb: 512,
  drawing_mb: 1024,
  whole_bytes: 64 * MB,
  entry_bytes: 64 * MB,
  inflated_bytes: 256 * MB,
  ratio: 200,
  entries: 2000,
  depth: 2,
  units: 5000,
  text: 20_000_000,
}

/** Unpacked bytes up to which `ratio` does not matter: a small file of one repeated character packs well and is harmless. */
export const RATIO_FROM_BYTES = 4 * MB
