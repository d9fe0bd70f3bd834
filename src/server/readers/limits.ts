/** What the reading of one document may cost. Beyond `text`, `units` and `entries` a reading ends with what it has. */
export type ReadingLimits = {
  /** Milliseconds in all, and without any progress. */
  total_ms: number
  silent_ms: number
  /** Of one picture that is read by OCR. */
  recognition_ms: number
  /** Of the process, with all that it has loaded. */
  memory_mb: number
  /** The same where pages are drawn: a scan of 600 points an inch is 140 MB unpacked, more than once. */
  drawing_mb: number
  /** Bytes of a file that is read as a whole: plain text, mail, old Office formats, pictures. */
  whole_bytes: number
  /** Bytes that one file within an archive, and all of them together, may become. */
  entry_bytes: number
  inflated_bytes: number
  /** How many times its packed size a file within an archive may become, above `RATIO_FROM_BYTES`. */
  ratio: number
  entries: number
  /** Archives within archives, mails within mails. */
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

/** Small files of one repeated character are packed well and harmless. */
export const RATIO_FROM_BYTES = 4 * MB
