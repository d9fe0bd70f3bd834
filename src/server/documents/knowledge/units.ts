import { LINE_NUMBER } from '#contract/documents/sentences.ts'
import { findFences } from './fences.ts'
import type { Fence } from './fences.ts'

/**
 * Sizes in Chinese characters; a character of other scripts, whose words take more letters, counts `LETTER`. A text longer than
 * `MAX_SIZE` is cut where sentences end. Paragraphs up to `SHORT` are joined with their neighbours up to `JOINED`; longer ones
 * stand alone, since each is about something of its own.
 */
export const MAX_SIZE = 700
export const JOINED = 400
export const SHORT = 200
const LETTER = 0.4
/** Longest header of a table, numbered caption and headings that stand with what follows them, and longest line above a table. */
export const MAX_HEADER = 200
const MAX_CAPTION = 80
/** Longest plain line that is a heading because of its number. */
const MAX_TITLE = 40

/** A heading, a paragraph or a line of its own, a table, or a block of code. */
export type Unit = { type: 'heading' | 'paragraph' | 'table' | 'code'; text: string; size: number }

function getSize(text: string): number {
  let wide = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x2e80) wide++
  return wide + (text.length - wide) * LETTER
}

const toUnit = (type: Unit['type'], lines: readonly string[]): Unit => {
  const text = lines.join('\n').trimEnd()
  return { type, text, size: getSize(text) }
}

const isRow = (line: string | undefined): boolean => line?.trimStart().startsWith('|') ?? false
/** Tells whether a line divides the header of a table from its rows. */
const isRule = (line: string | undefined): boolean => line !== undefined && /^\s*\|[\s:|-]+\|\s*$/.test(line)

/** Numbers by which chapters and sections are called where no mark says that a line is a heading. */
const NUMBERED =
  /^\s*(?:第\s?[〇零一二三四五六七八九十百\d]{1,5}\s?[章节節编編篇卷]|[一二三四五六七八九十]{1,3}、|[（(][一二三四五六七八九十]{1,3}[）)]|\d{1,2}(?:\.\d{1,2}){1,4}\s+(?=\p{L}{2})|(?:Chapter|Section|Appendix)\s+[\dA-Z]{1,3}\b)/u
/** A line with these is a sentence, or stands in a table of contents. */
const NO_TITLE = /[。；;！!？?，,：:、.…]\s*$|[，。；]|\.{3}|…/

const isHeading = (line: string): boolean =>
  /^ {0,3}#{1,6}(?:\s|$)/.test(line) ||
  (line.length <= MAX_TITLE && NUMBERED.test(line) && !NO_TITLE.test(line))

/** Splits Markdown by its structure; each long line is a paragraph of its own, as plain text is often written. */
export function splitIntoUnits(markdown: string): Unit[] {
  const units: Unit[] = []
  const lines = markdown.split('\n')
  const fences = new Map(findFences(lines).map((fence) => [fence.from, fence]))
  let paragraph: string[] = []
  let wasLong = false
  const endParagraph = (): void => {
    if (paragraph.length) units.push(toUnit('paragraph', paragraph))
    paragraph = []
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const fence = fences.get(at)
    if (fence) {
      endParagraph()
      units.push(toCode(units, lines, fence))
      at = fence.end - 1
    } else if (isRow(line) && isRule(lines[at + 1])) {
      endParagraph()
      let end = at + 2
      while (isRow(lines[end])) end++
      const rows = lines.slice(at, end)
      const above = takeCaption(units)
      const below = above && LABEL.test(above) ? null : findCaptionBelow(lines, end)
      units.push(toUnit('table', [...(above ? [above, ''] : []), ...rows, ...(below?.lines ?? [])]))
      at = (below?.end ?? end) - 1
    } else if (!line.trim()) endParagraph()
    else if (isHeading(line)) {
      endParagraph()
      units.push(toUnit('heading', [line]))
    } else {
      const isLong = getSize(line) > SHORT
      if (isLong || wasLong) endParagraph()
      wasLong = isLong
      paragraph.push(line)
    }
  }
  endParagraph()
  return units
}

/** The number of a table or a figure, with which its caption begins. */
const LABEL =
  /^[\s*_]*(?:(?:表|附表|图|圖)\s*[\dA-Z一二三四五六七八九十]|(?:Table|Tab\.|Figure|Fig\.)\s*[\dA-Z])/i

/** Takes the line above a table or a block of code, which says what it is, from the units before it. */
function takeCaption(units: Unit[]): string | null {
  const above = units.at(-1)
  if (above?.type !== 'paragraph') return null
  const isCaption = above.size <= (LABEL.test(above.text) ? MAX_HEADER : MAX_CAPTION)
  return isCaption ? units.pop()!.text : null
}

/** Finds the caption below a table, with the lines between; null where that is the caption of a next table. */
function findCaptionBelow(lines: readonly string[], from: number): { lines: string[]; end: number } | null {
  let first = from
  while (first < lines.length && !lines[first]!.trim()) first++
  if (!LABEL.test(lines[first] ?? '')) return null
  let end = first + 1
  while (lines[end]?.trim() && !isRow(lines[end]) && !isHeading(lines[end]!)) end++
  const caption = lines.slice(first, end)
  let next = end
  while (next < lines.length && !lines[next]!.trim()) next++
  if (isRow(lines[next]) || getSize(caption.join('\n')) > MAX_HEADER) return null
  return { lines: ['', ...caption], end }
}

/**
 * Makes a block of code with the line above it: closed, so that nothing that is joined to it becomes code, and not indented as
 * deeply as in the list that it may stand in, where it would be no fence without that list.
 */
function toCode(units: Unit[], lines: readonly string[], fence: Fence): Unit {
  const above = takeCaption(units)
  const { code, closing } = readCode(lines, fence)
  const indent = new RegExp(`^[ \\t]{0,${/^[ \t]*/.exec(fence.prefix)![0].length}}`)
  const block = [lines[fence.from]!, ...code, closing].map((line) => line.replace(indent, ''))
  return toUnit('code', [...(above ? [above, ''] : []), ...block])
}

function readCode(lines: readonly string[], fence: Fence): { code: string[]; closing: string } {
  const { from, end, is_closed, prefix, mark } = fence
  const inside = prefix.replace(/[-*+]|\d{1,9}[.)]/g, (one) => ' '.repeat(one.length))
  return {
    code: lines.slice(from + 1, is_closed ? end - 1 : end),
    closing: is_closed ? lines[end - 1]! : inside + mark,
  }
}

/** Cuts a unit that is longer than `MAX_SIZE`. */
export function splitUnit({ type, text, size }: Unit): string[] {
  if (type === 'table') return splitTable(text)
  return type === 'code' ? splitCode(text) : splitParagraph(text, size)
}

/** Splits a table between its rows, each part with caption and header. A row that is too long is cut like a paragraph. */
function splitTable(text: string): string[] {
  const lines = text.split('\n')
  const rule = lines.findIndex(isRule)
  const blank = lines.indexOf('', rule)
  const end = blank < 0 ? lines.length : blank
  const below = lines.slice(end + 1)
  const above = lines.slice(0, rule - 1)
  const caption = below.length ? [...above, ...below, ''] : above
  const header = [...caption, ...lines.slice(rule - 1, rule + 1)].join('\n')
  const headerSize = getSize(header)
  const isRepeated = headerSize <= JOINED
  const parts: string[] = isRepeated ? [] : splitParagraph(header, headerSize)
  const maxSize = Math.max(JOINED, headerSize + SHORT)
  let rows: string[] = []
  let size = 0
  const addPart = (content: string): void => void parts.push(isRepeated ? `${header}\n${content}` : content)
  const endPart = (): void => {
    if (rows.length) addPart(rows.join('\n'))
    rows = []
    size = isRepeated ? headerSize : 0
  }
  endPart()
  for (const row of lines.slice(rule + 1, end)) {
    const rowSize = getSize(row)
    if (size + rowSize > maxSize) endPart()
    if (rowSize > MAX_SIZE) for (const part of splitParagraph(row, rowSize)) addPart(part)
    else rows.push(row)
    size += rowSize
  }
  endPart()
  return parts
}

/** Splits code between its lines, each part fenced as the whole is. A line that is too long is cut like a paragraph. */
function splitCode(text: string): string[] {
  const lines = text.split('\n')
  const [fence] = findFences(lines)
  const opening = lines[fence?.from ?? 0]!
  if (!fence || getSize(opening) > SHORT) return splitParagraph(text, getSize(text))
  const { code, closing } = readCode(lines, fence)
  const above = lines.slice(0, fence.from)
  const room = MAX_SIZE - getSize([...above, opening, closing].join('\n'))
  const codeSize = getSize(code.join('\n'))
  const targetSize = codeSize / Math.ceil(codeSize / room)
  const parts: string[][] = []
  let size = Infinity
  for (const line of code) {
    const lineSize = getSize(line)
    const pieces = lineSize > MAX_SIZE ? splitParagraph(line, lineSize) : [line]
    for (const piece of pieces) {
      const pieceSize = getSize(piece) + LETTER
      if (size >= targetSize || size + pieceSize > room) {
        parts.push([])
        size = 0
      }
      parts.at(-1)!.push(piece)
      size += pieceSize
    }
  }
  return parts.map((part, at) => [...(at ? [] : above), opening, ...part, closing].join('\n'))
}

/** Splits a paragraph into similar sizes that end with a line or a sentence; a sentence that is too long is cut anywhere. */
function splitParagraph(text: string, size: number): string[] {
  if (size <= MAX_SIZE) return [text]
  const targetSize = size / Math.ceil(size / (MAX_SIZE * 0.9))
  const parts: string[] = []
  let current = ''
  let currentSize = 0
  for (const [sentence] of text.matchAll(SENTENCE)) {
    const sentenceSize = getSize(sentence)
    const isFull = currentSize >= targetSize || currentSize + sentenceSize > MAX_SIZE
    if (current && isFull) {
      parts.push(current.trim())
      current = ''
      currentSize = 0
    }
    current += sentence
    currentSize += sentenceSize
  }
  parts.push(current.trim())
  return parts.filter(Boolean)
}

const SENTENCE = new RegExp(
  String.raw`[^]{1,680}?(?:\n{1,20}|[。！？；!?;]{1,10}["”’」』）)]{0,3}\s{0,10}|(?<!${LINE_NUMBER})\.\s{1,10}|$)|[^]{1,700}`,
  'gu',
)

/**
 * Lists what may stand in a document as it is, the most likely first: the text of a chunk, and the text without what is repeated
 * in each part of a table or of a block of code.
 */
export function listOriginals(text: string): string[] {
  const lines = text.split('\n')
  const fences = findFences(lines)
  const last = fences.at(-1)
  const originals = [lines]
  if (last?.end === lines.length) originals.push(lines.slice(0, -1))
  if (fences[0]?.from === 0) originals.push(...originals.map((some) => some.slice(1)))
  const rule = lines.findIndex(
    (line, at) => isRule(line) && !fences.some(({ from, end }) => from <= at && at < end),
  )
  if (rule >= 0) originals.push(lines.slice(rule + 1))
  return originals.map((some) => some.join('\n')).filter((some) => some.trim())
}
