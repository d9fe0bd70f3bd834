import { createHash } from 'node:crypto'
import { PIECE_BREAK } from '#contract/documents/passages.ts'
import type { PassageSpan } from '#contract/documents/passages.ts'
import type { Place } from '#contract/readings.ts'
import type { Chunk, NumberedPiece } from './chunks.ts'
import { listOriginals } from './cutting.ts'

/** A chunk that was found. */
export type Passage = Chunk & {
  document_id: string
  /** Number of the chunk in its document, from 1. */
  chunk: number
  /** Document and headings of the passage. */
  title: string
  /** Confidence that the passage is relevant to the question, from 0 to 1. */
  confidence: number
}

/** Reference to a passage: by its number, or with the hash of its text to that text, wherever it stands by then. */
export type PassageRef = { document_id: string; chunk: number; hash?: string | undefined }

/** Returns the key of a text in any reading of its document: 16 hexadecimal digits of its MD5, as the database makes it. */
export const hashPassage = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, 16)

/** Joins a document's title and the headings that a place stands under. */
export const formatTitle = (title: string, { heading = [] }: Place): string => [title, ...heading].join(' › ')

/**
 * Locates a chunk among the pieces of its document, of which those before its own may be missing; names the whole piece where
 * they do not have it. A part of a table is located without the header, and one of code without the fence, which stand elsewhere.
 * With `before`, the place of an earlier chunk, a text that stands there more than once is found behind it.
 */
export function locateChunk(
  { piece, text }: Pick<Chunk, 'piece' | 'text'>,
  pieces: readonly NumberedPiece[],
  before?: PassageSpan,
): PassageSpan {
  const first = pieces.findIndex(({ n }) => n === piece)
  const following = first < 0 ? [] : pieces.slice(first, first + countMaxPieces(text))
  const shownText = following.map((one) => one.text).join(PIECE_BREAK)
  for (const candidate of listOriginals(text)) {
    // A chunk does not keep the blank lines between pieces and paragraphs as they were.
    const words = candidate
      .trim()
      .split(/\s+/)
      .map((word) => RegExp.escape(word))
    const pattern = new RegExp(words.join('\\s+'), 'g')
    if (before?.n === piece) pattern.lastIndex = before.from + (before.chars ?? 0)
    const match = pattern.exec(shownText)
    if (match) return { n: piece, from: match.index, chars: match[0].length }
  }
  return { n: piece, from: 0, chars: null }
}

/** Returns the number of pieces that a chunk can span: its paragraphs of different pieces have a blank line between them. */
export const countMaxPieces = (text: string): number => text.split(PIECE_BREAK).length

/** A passage for a model to cite by its number. */
export type Card = { n: number; title: string; place: Place; text: string }

/** Formats a card for a prompt: its number, its place, and its text. */
export function formatCard({ n, title, place, text }: Card): string {
  const where = formatPlace(place)
  return `[${n}] ${where ? `${title}（${where}）` : title}\n${text}`
}

/** Formats the place of a passage for people. */
export function formatPlace({ page, slide, sheet, range, start_ms, heading, line, entry }: Place): string {
  return [
    entry,
    page === undefined ? '' : `第 ${page} 页`,
    slide === undefined ? '' : `第 ${slide} 张幻灯片`,
    sheet === undefined ? '' : `工作表 ${sheet}${range ? ` ${range}` : ''}`,
    start_ms === undefined ? '' : formatTime(start_ms),
    heading?.at(-1),
    line === undefined ? '' : `第 ${line} 行`,
  ]
    .filter(Boolean)
    .join(' · ')
}

function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
