import type { PageBlock } from './page-text.ts'

/** A page with its texts translated; width and height are points. */
export type TranslatedPage = { number: number; width: number; height: number; blocks: PageBlock[] }

/** Text at the left end of its base line, or at the right end where it runs from right to left. */
export type Line = {
  text: string
  x: number
  y: number
  size: number
  isBold: boolean
  isRtl: boolean
  color: string
}
type Rule = { x: number; y: number; width: number; height: number }
/** The drawing of one page, in points. */
export type Sheet = { width: number; height: number; lines: Line[]; rules: Rule[] }

/** The width of a word as a share of the size of its type. */
export type Measure = (word: string, isBold: boolean) => number

/** Size of type on A4, points. */
const BODY_SIZE = 10.5
const A4_WIDTH = 595
const LEADING = 1.55
const HEADINGS: Record<number, number> = { 1: 1.6, 2: 1.35, 3: 1.15 }
const TEXT = '#111827'
const QUIET = '#9ca3af'
/** Sizes of pages that viewers show, points. */
const [MIN_SIDE, MAX_SIDE] = [200, 14_400]

/** Lays out the text of a page from top to bottom, on as many sheets of its size as it needs; none without text. */
export function layOut(page: TranslatedPage, scale: number, measure: Measure): Sheet[] {
  const { number, blocks } = page
  const [width, height] = [clamp(page.width, MIN_SIDE, MAX_SIDE), clamp(page.height, MIN_SIDE, MAX_SIDE)]
  const body = clamp((BODY_SIZE * width) / A4_WIDTH, 7, 16) * scale
  const margin = Math.max(24, width * 0.08)
  const [top, bottom] = [margin, height - margin]
  const sheets: Sheet[] = []
  let sheet: Sheet | undefined
  let y = top
  /** Returns a sheet with so much room, a new one where the current has less. */
  const open = (neededHeight: number): Sheet => {
    if (sheet && (y + neededHeight <= bottom || y === top)) return sheet
    sheet = { width, height, lines: [], rules: [] }
    sheets.push(sheet)
    y = top
    return sheet
  }
  const addText = (text: string, { x, size, isBold, room }: TextBox): void => {
    const isRtl = isRightToLeft(text)
    for (const line of wrap(text, room / size, (word) => measure(word, isBold))) {
      const { lines } = open(size * LEADING)
      y += size * LEADING
      lines.push({
        text: line,
        x: isRtl ? x + room : x,
        y: y - size * 0.45,
        size,
        isBold,
        isRtl,
        color: TEXT,
      })
    }
  }
  const addBlock = (block: PageBlock): void => {
    if ('cells' in block) {
      const room = width - 2 * margin
      const rows = layOutTable(block.cells, { x: margin, width: room, size: body * 0.88 }, measure)
      for (const [index, row] of rows.entries()) {
        if (row.height > bottom - top) {
          for (const cell of block.cells[index] ?? [])
            addText(cell, { x: margin, size: body, isBold: false, room })
          continue
        }
        const { lines, rules } = open(row.height)
        for (const line of row.lines) lines.push({ ...line, y: line.y + y })
        for (const rule of row.rules) rules.push({ ...rule, y: rule.y + y })
        y += row.height
      }
      y += body * 0.6
      return
    }
    const size = body * (HEADINGS[block.level ?? 0] ?? 1)
    const isBold = block.level !== undefined
    const indent = block.hasBullet ? body * 1.2 : 0
    if (isBold && y > top) y += size * 0.4
    addText(block.hasBullet && !isRightToLeft(block.text) ? `• ${block.text}` : block.text, {
      x: margin + indent,
      size,
      isBold,
      room: width - 2 * margin - indent,
    })
    y += body * 0.5
  }
  for (const block of blocks) addBlock(block)
  const label = `— ${number} —`
  const x = (width - measure(label, false) * 8) / 2
  const foot = { text: label, x, y: height - margin / 2, size: 8, isBold: false, isRtl: false, color: QUIET }
  for (const { lines } of sheets) lines.push(foot)
  return sheets
}

type TextBox = { x: number; size: number; isBold: boolean; room: number }
type Row = { height: number; lines: Line[]; rules: Rule[] }

/** Lays out a table: columns are as wide as their longest text needs, within a share of the page. */
function layOutTable(
  cells: string[][],
  { x, width, size }: { x: number; width: number; size: number },
  measure: Measure,
): Row[] {
  const columns = Math.max(...cells.map((row) => row.length))
  const widthOf = (word: string): number => measure(word, false)
  const wishes = Array.from({ length: columns }, (_, column) =>
    Math.min(30, Math.max(2, ...cells.map((row) => widthOf(row[column] ?? '')))),
  )
  const sum = wishes.reduce((total, wish) => total + wish, 0)
  const padding = size * 0.4
  const whole = Math.min(width, sum * size * 1.05 + columns * 2 * padding)
  const widths = wishes.map((wish) => (whole * wish) / sum)
  return cells.map((row) => {
    const wrapped = widths.map((room, column) =>
      wrap(row[column] ?? '', Math.max(1, (room - 2 * padding) / size), widthOf),
    )
    const height = Math.max(1, ...wrapped.map((lines) => lines.length)) * size * 1.4 + padding
    const lines: Line[] = []
    const rules: Rule[] = []
    let left = x
    for (const [column, texts] of wrapped.entries()) {
      const room = widths[column] ?? 0
      for (const [index, text] of texts.entries()) {
        const isRtl = isRightToLeft(text)
        const y = padding / 2 + (index + 1) * size * 1.4 - size * 0.4
        lines.push({
          text,
          x: isRtl ? left + room - padding : left + padding,
          y,
          size,
          isBold: false,
          isRtl,
          color: TEXT,
        })
      }
      rules.push({ x: left, y: 0, width: room, height })
      left += room
    }
    return { height, lines, rules }
  })
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/** Tells the direction of a text by its first letter, as `dir="auto"` does. */
const isRightToLeft = (text: string): boolean =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)

/** Each of these characters is a word of its own; a line may end behind it. */
const WIDE = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFF60\u{20000}-\u{3FFFF}]/u
const TOKEN =
  /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFF60\u{20000}-\u{3FFFF}]|\s+|[^\s\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFF60\u{20000}-\u{3FFFF}]+/gu
/** Characters with which no line begins. */
const CLOSING = /^[，。、；：！？）】》」』”’…％·,.;:!?)\]}%]/u
/** Characters with which no line ends. */
const OPENING = /[（【《「『“‘([{]$/u

/** Breaks a text into lines of at most `room` times the size of the type. */
function wrap(text: string, room: number, measure: (word: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  let usedWidth = 0
  const end = (): void => {
    if (line.trim()) lines.push(line.trim())
    line = ''
    usedWidth = 0
  }
  for (const word of splitWords(text, room, measure)) {
    const width = WIDE.test(word) && Array.from(word).length === 1 ? 1 : measure(word)
    if (usedWidth + width > room && line && word.trim() && !CLOSING.test(word)) {
      const [opening = ''] = OPENING.exec(line.trimEnd()) ?? []
      if (opening) line = line.trimEnd().slice(0, -opening.length)
      end()
      line = opening
      usedWidth = opening ? measure(opening) : 0
    }
    line += word
    usedWidth += width
  }
  end()
  return lines
}

/** Yields the words of a text; a word longer than a line is cut. */
function* splitWords(text: string, room: number, measure: (word: string) => number): Generator<string> {
  for (const [word] of text.matchAll(TOKEN)) {
    if (/^\s/.test(word)) yield ' '
    else if (WIDE.test(word) || measure(word) <= room) yield word
    else {
      let piece = ''
      for (const character of word) {
        if (piece && measure(piece + character) > room) {
          yield piece
          piece = ''
        }
        piece += character
      }
      yield piece
    }
  }
}
