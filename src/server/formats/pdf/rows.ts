import type { Box } from './boxes.ts'
import { dropMarks, startsWithScript } from './marks.ts'
import { isScript, joinStrays, markScripts } from './scripts.ts'

/** A run of words without a gap that could separate columns. */
export type Segment = { text: string; x: number; right: number; y: number; size: number; order: number }

/** Segments of one line that follow each other in the file. */
export type Row = {
  segments: Segment[]
  y: number
  size: number
  x: number
  right: number
  order: number
  /** The file has a space before its first word: Korean breaks lines within words too. */
  isSpaced: boolean
}

/** Distances as shares of the size of the type. */
const SAME_LINE = 0.5
const WORD_GAP = 0.18
/** The same before a superscript or a subscript, which stands a little apart. */
const SCRIPT_GAP = 0.26
const COLUMN_GAP = 0.8

export const CJK = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/
const HANGUL = /[\uAC00-\uD7AF]/
const BULLET = /^(?:[•●○▪■□◦‣–—*·\uF000-\uF0FF]|-|\(?\d{1,3}[.)、．]|[（(]\d{1,2}[)）]|\(?[a-z][.)])$/i

/**
 * Groups boxes into lines in the order of the file, each from its first word to its last. Superscripts and subscripts are marked,
 * but not in vertical writing, where they could not be told apart from text beside its line.
 */
export function toRows(boxes: Box[], isVertical = false): Row[] {
  const rows: Box[][] = []
  let current: Box[] = []
  for (const box of boxes) {
    const last = current.at(-1)
    const isSame = last && (isLevel(box, last) || (!isVertical && goesOn(box, current)))
    if (!isSame && current.length) {
      rows.push(current)
      current = []
    }
    current.push(box)
  }
  if (current.length) rows.push(current)
  const lines = isVertical ? rows : joinStrays(rows)
  return lines.map((line, order) => toRow(line, order, !isVertical))
}

const isLevel = (box: Box, other: Box): boolean =>
  Math.abs(box.y - other.y) < SAME_LINE * Math.max(box.size, other.size)

/**
 * Tells whether a box goes on close behind a script: as a second one at the same base, or on the base line. What is above and what is
 * below a fraction's line, in several boxes, would be mixed up.
 */
function goesOn(box: Box, line: Box[]): boolean {
  const [base, last] = [line.findLast(({ size }) => size > 1.1 * (line.at(-1)?.size ?? 0)), line.at(-1)]
  if (!base || !last || !isScript(last, base)) return false
  const gap = (box.x - last.right) / base.size
  if (gap < -1.5 || gap > COLUMN_GAP) return false
  return isLevel(box, base) || (line.at(-2) === base && isScript(box, base))
}

function toRow(boxes: Box[], order: number, hasScripts: boolean): Row {
  const rtl = boxes.reduce((sum, box) => sum + (box.isRtl ? box.text.length : -box.text.length), 0) > 0
  const inOrder = [...boxes].sort((one, other) => (rtl ? other.right - one.right : one.x - other.x))
  const sorted = hasScripts && !rtl ? markScripts(inOrder) : inOrder
  const segments: Segment[] = []
  for (const box of sorted) {
    const last = segments.at(-1)
    const gap = last ? (rtl ? last.x - box.right : box.x - last.right) / Math.max(box.size, last.size) : 0
    if (last && (gap < COLUMN_GAP || BULLET.test(last.text))) {
      last.text = join(last.text, box.text, gap)
      last.x = Math.min(last.x, box.x)
      last.right = Math.max(last.right, box.right)
      // The largest type counts for the line: small figures hang on it.
      if (box.size > last.size) Object.assign(last, { size: box.size, y: box.y })
    } else {
      const { x, right, y, size } = box
      segments.push({ text: box.text.trim(), x, right, y, size, order })
    }
  }
  // A large bullet does not give its line its size.
  const { size } = boxes.reduce((longest, box) => (box.text.length > longest.text.length ? box : longest))
  return {
    segments,
    size,
    order,
    y: segments[0]?.y ?? 0,
    isSpaced: boxes[0]?.text.startsWith(' ') ?? false,
    x: Math.min(...segments.map(({ x }) => x)),
    right: Math.max(...segments.map(({ right }) => right)),
  }
}

function join(before: string, after: string, gap: number): string {
  const isTight =
    gap < (startsWithScript(after) ? SCRIPT_GAP : WORD_GAP) && !/\s$/.test(before) && !/^\s/.test(after)
  const [head, tail] = [before.trimEnd(), after.trimStart()]
  const isCjk = CJK.test(lastOf(head)) && CJK.test(firstOf(tail))
  return isTight || isCjk ? head + tail : `${head} ${tail}`
}

/** A mark takes a character at most before a text, and three with the index of a link. */
const lastOf = (text: string): string => dropMarks(text.slice(-4)).at(-1) ?? ''
const firstOf = (text: string): string => dropMarks(text.slice(0, 6))[0] ?? ''

export const textOfRow = (row: Row): string => row.segments.map(({ text }) => text).join(' ')

/** Joins words parted by the end of a line: Chinese has no space there, and a hyphen may be the line's own. */
export function joinLines(before: string, after: string): string {
  const tail = after.trimStart()
  const [last, first] = [lastOf(before), firstOf(tail)]
  if (HANGUL.test(last) || HANGUL.test(first)) return before + after
  if (CJK.test(last) || CJK.test(first)) return before + tail
  if (/[a-z]-[\uFDD0-\uFDEF]*$/.test(before) && /[a-z]/.test(first))
    return before.replace(/-(?=[\uFDD0-\uFDEF]*$)/, '') + tail
  return `${before} ${tail}`
}
