/**
 * Result of reading a document: its text in pieces, each with its place, and an honest report of unread parts. Field names are
 * those that are stored and sent.
 */

/** Place of a piece of text in its document. Numbers count from 1. */
export type Place = {
  page?: number
  slide?: number
  sheet?: string
  /** Cells of the sheet or of the table, as a spreadsheet names them: `A2:F101`. */
  range?: string
  /** In recordings and subtitles. */
  start_ms?: number
  end_ms?: number
  /** The headings above the piece, the outermost first. */
  heading?: string[]
  /** The piece's first line in a file of plain text. */
  line?: number
  /** Path of the file within an archive, or of the attachment within a mail; archives within archives are joined by `/`. */
  entry?: string
}

/** A passage of a document as Markdown. */
export type Piece = { text: string; place: Place }

/** Units that documents are counted in. */
export type ReadingUnit = 'page' | 'slide' | 'sheet' | 'section' | 'file' | 'image'

/** Why a part of a document was left out, or is none that the document shows, and the message for people. */
export const skipReasons = {
  picture: '图片里的文字没有识别',
  encrypted: '有密码，没有读取',
  unsupported: '暂不支持的格式，没有读取',
  damaged: '内容已损坏，没有读取',
  empty: '没有文字',
  too_large: '内容太大，没有读取',
  limit: '超出读取上限，后面的内容没有读取',
  external: '链接到外部的内容没有读取',
  recording: '录音没有转写',
  hidden: '在文件里是隐藏的，也已读取',
} as const

export type SkipReason = keyof typeof skipReasons

export type Skipped = { what: string; reason: SkipReason; message: string; place?: Place }

export type ReadingReport = {
  unit: ReadingUnit
  /** Units of the document, and how many of them were read. */
  total: number
  read: number
  /** Numbers of the units that have no text: scanned pages, slides with pictures only. */
  blank: number[]
  /** Numbers of the units whose text is garbled by at least `GARBLED`. */
  garbled: number[]
  /** Numbers of the units that were read from a picture, by OCR or a vision model. */
  recognised: number[]
  /** The share of characters that no text has, 0 to 1. */
  garble: number
  /** Encoding of plain text, by its WHATWG name (`gb18030`). */
  encoding?: string
  skipped: Skipped[]
}

export type Reading = {
  /** The detected format, whatever the name says: `pdf`, `docx`, `csv` … */
  format: string
  title?: string
  pieces: Piece[]
  report: ReadingReport
}

/** From this share of characters that no text has, a unit counts as garbled. */
export const GARBLED = 0.2
