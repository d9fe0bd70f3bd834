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
export const LETTER = 0.4
/** Longest header of a table, numbered caption and headings that stand with what follows them, and longest line above a table. */
export const MAX_HEADER = 200
const MAX_CAPTION = 80
/** Longest plain line that is a heading because of its number. */
const MAX_TITLE = 40

/** A heading, a paragraph or a line of its own, a table, or a block of code. */
export type Unit = { type: 'heading' | 'paragraph' | 'table' | 'code'; text: string; size: number }

export function getSize(text: string): number {
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
export const isRule = (line: string | undefined): boolean =>
  line !== undefined && /^\s*\|[\s:|-]+\|\s*$/.test(line)

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
      const below = above && LABEL.test(above) ? null : findCaptionBelow(lines, end, fences)
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
function findCaptionBelow(
  lines: readonly string[],
  from: number,
  fences: ReadonlyMap<number, Fence>,
): { lines: string[]; end: number } | null {
  let first = from
  while (first < lines.length && !lines[first]!.trim()) first++
  if (!LABEL.test(lines[first] ?? '')) return null
  let end = first + 1
  while (lines[end]?.trim() && !isRow(lines[end]) && !isHeading(lines[end]!) && !fences.has(end)) end++
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

export function readCode(lines: readonly string[], fence: Fence): { code: string[]; closing: string } {
  const { from, end, isClosed, prefix, mark } = fence
  const inside = prefix.replace(/[-*+]|\d{1,9}[.)]/g, (one) => ' '.repeat(one.length))
  const closing = isClosed ? lines[end - 1]! : ''
  return {
    code: lines.slice(from + 1, isClosed ? end - 1 : end),
    // A long one would fill each part of code that is cut.
    closing: closing && getSize(closing) <= SHORT ? closing : inside + mark,
  }
}
