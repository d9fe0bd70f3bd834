import type { Box } from './boxes.ts'
import { dropMarks, markText } from './marks.ts'

type Script = 'sup' | 'sub'

/** Distances and sizes as shares of the size of the type beside a script. */
const MAX_SIZE = 0.87
const MIN_SIZE = 0.35
const MIN_RAISE = 0.18
const MAX_RAISE = 0.85
/** LibreOffice lowers by 8 % and reduces to 58 %, TeX by 15 % and to 70 %, browsers by 20 % and to 83 %. */
const MIN_DROP = 0.1
const MIN_DROP_OF_SMALL = 0.06
const SMALL = 0.72
const MAX_DROP = 0.55
/** Digits of full size are scripts where they are moved further. */
const MIN_FULL_SHIFT = 0.28
const MAX_FULL_SHIFT = 0.5
const MAX_GAP = 0.25
/** The same where the file has a space between. */
const MAX_SPACED_GAP = 0.12
const MAX_FRACTION_GAP = 0.8
/** Longer ones are lines beside an initial that reaches over several. */
const MAX_CHARS = 20

const HAS_VALUE = /[\p{L}\p{N}+\-−–]/u
const FULL_SIZE_SCRIPT = /^[+\-−–]?\d{1,3}$/
const HAN = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]/
const SIMPLE = /^[\p{L}\p{N}.,]{1,6}$/u

/**
 * Marks superscripts and subscripts among the boxes of a line, from left to right: boxes of smaller type that stand close to larger
 * type and above or below its base line. Small type on the base line, initials and text at some distance are none.
 */
export function markScripts(boxes: Box[]): Box[] {
  if (!boxes.some((box) => isShifted(box, boxes[0]!))) return boxes
  const out: Box[] = []
  let base: Box | undefined
  let edge = -Infinity
  for (let at = 0; at < boxes.length;) {
    const box = boxes[at]!
    const maxGap = /^\s/.test(box.text) ? MAX_SPACED_GAP : MAX_GAP
    const isNear = base && box.x - edge < maxGap * base.size && box.x - edge > -1.5 * base.size
    const kind = isNear && base ? findScript(box, base) : undefined
    const end = endOfGroup(boxes, at)
    const group = boxes.slice(at, end)
    const next = boxes[end]
    const fraction = base && readFraction(boxes, at, base, edge)
    if (fraction) {
      out.push(fraction.box)
      edge = fraction.box.right
      at = fraction.end
      continue
    }
    if (base && kind && isText(group, kind, base)) {
      if (kind === 'sup' && isNumerator(group, boxes.slice(end, end + 2))) {
        // The fraction of a mixed number: 3 1/2.
        out.push(
          { ...box, text: /\d$/.test(textOfBoxes([base])) ? ` ${box.text.trim()}` : box.text },
          ...group.slice(1),
        )
        base = undefined
      } else out.push(...group.map((part) => ({ ...part, text: markText(part.text, kind).trimStart() })))
      edge = Math.max(edge, ...group.map(({ right }) => right))
      at = end
      continue
    }
    if (next && isPrefix(group, next) && !isNumerator(group, boxes.slice(end, end + 2))) {
      out.push(...group.map((part) => ({ ...part, text: markText(part.text, 'sup') })))
      at = end
      continue
    }
    out.push(box)
    base = box
    edge = box.right
    at++
  }
  return out
}

/** Tells whether a box stands on another line than the first, or in another size: only then can there be a script. */
const isShifted = (box: Box, first: Box): boolean =>
  Math.abs(box.y - first.y) > 0.05 * Math.max(first.size, box.size)

const textOfBoxes = (boxes: Box[]): string => dropMarks(boxes.map(({ text }) => text).join('')).trim()

/** Finds the end of the boxes that follow each other at the same height in the same size, as far as a script may reach. */
function endOfGroup(boxes: Box[], start: number): number {
  const first = boxes[start]!
  const last = Math.min(boxes.length, start + MAX_CHARS + 1)
  let end = start + 1
  for (; end < last; end++) {
    const [previous, box] = [boxes[end - 1]!, boxes[end]!]
    const isSame =
      Math.abs(box.y - first.y) < 0.06 * first.size && Math.abs(box.size - first.size) < 0.06 * first.size
    if (!isSame || box.x - previous.right > 0.6 * first.size) break
  }
  return end
}

function findScript(box: Box, base: Box): Script | undefined {
  const size = box.size / base.size
  const raise = (base.y - box.y) / base.size
  if (size < MIN_SIZE || size > 1.03) return undefined
  if (size > MAX_SIZE) {
    const isMoved = Math.abs(raise) >= MIN_FULL_SHIFT && Math.abs(raise) <= MAX_FULL_SHIFT
    return isMoved && FULL_SIZE_SCRIPT.test(textOfBoxes([box])) ? (raise > 0 ? 'sup' : 'sub') : undefined
  }
  if (raise >= MIN_RAISE && raise <= MAX_RAISE) return 'sup'
  const least = size <= SMALL ? MIN_DROP_OF_SMALL : MIN_DROP
  return -raise >= least && -raise <= MAX_DROP ? 'sub' : undefined
}

/** Tells whether a box has the size and the height of a script of this base, wherever it stands along the line. */
export const isScript = (box: Box, base: Box): boolean => findScript(box, base) !== undefined

/** Tells whether the text of boxes may be a script of this base. */
function isText(group: Box[], kind: Script, base: Box): boolean {
  const text = textOfBoxes(group)
  if (text.length > MAX_CHARS || !HAS_VALUE.test(text) || (HAN.test(text) && text.length > 4)) return false
  const before = textOfBoxes([base]).at(-1) ?? ''
  return kind === 'sub' ? /[\p{L}\p{N})\]}]/u.test(before) : /[^\s(（“‘]/u.test(before)
}

/** Tells whether boxes are a superscript before its base: the number of a footnote, or of an isotope. */
function isPrefix(group: Box[], next: Box): boolean {
  const text = textOfBoxes(group)
  const [first, last] = [group[0]!, group.at(-1)!]
  const gap = (next.x - last.right) / next.size
  const isSmall = first.size / next.size <= 0.8 && findScript(first, next) === 'sup'
  return isSmall && /^(?:\d{1,3}|\[\d{1,3}\]|[a-z])$/.test(text) && gap < 0.4 && gap > -0.5
}

/** Tells whether a raised number is the numerator of a fraction with a slanted line: ³⁄₄. */
function isNumerator(group: Box[], [line, below]: Box[]): boolean {
  const last = group.at(-1)!
  if (!line || !/^\d+$/.test(last.text.trim()) || !/^\s*[/⁄]/.test(line.text)) return false
  const denominator = line.text.trim().slice(1) || below?.text.trim() || ''
  const isSmall = (line.text.trim().length > 1 ? line : below)?.size ?? Infinity
  return /^\d/.test(denominator) && isSmall < last.size * 1.15
}

/**
 * Reads a fraction whose parts stand above each other: simple, of the same middle, and apart from the letter or digit before, at which
 * scripts stand. A number before it gets a space, so that 3 1/2 is not read as 31/2.
 */
function readFraction(
  boxes: Box[],
  at: number,
  base: Box,
  edge: number,
): { box: Box; end: number } | undefined {
  const [one, other] = [boxes[at]!, boxes[at + 1]]
  if (!other || one.size > other.size * 1.1 || other.size > one.size * 1.1) return undefined
  const [above, below] = one.y < other.y ? [one, other] : [other, one]
  if (findScript(above, base) !== 'sup' || findScript(below, base) !== 'sub') return undefined
  const middles = [one, other].map(({ x, right }) => (x + right) / 2)
  const isOneStack = Math.abs(middles[0]! - middles[1]!) < 0.12 * base.size
  const left = Math.min(one.x, other.x)
  const gap = (left - edge) / base.size
  if (gap < -0.1 || gap > MAX_FRACTION_GAP) return undefined
  const isApart = gap > 0.08 || !/[\p{L})\]]$/u.test(textOfBoxes([base]))
  const [numerator, denominator] = [above.text.trim(), below.text.trim()]
  if (!isOneStack || !isApart || ![numerator, denominator].every((text) => SIMPLE.test(text)))
    return undefined
  const space = /\d$/.test(textOfBoxes([base])) || /^\s/.test(one.text) ? ' ' : ''
  const right = Math.max(one.right, other.right)
  return {
    box: { ...base, text: `${space}${numerator}/${denominator}`, x: left, right },
    end: at + 2,
  }
}

/** On a page with more candidates, such as a plan with small labels, it would take too long to look for their bases. */
const MAX_STRAYS = 200
const MAX_STRAY_CHARS = 8

/**
 * Joins superscripts and subscripts that the file has elsewhere than their line, as editors of formulas write them, with the line
 * where they stand.
 */
export function joinStrays(rows: Box[][]): Box[][] {
  const largest = rows.flat().reduce((max, { size }) => Math.max(max, size), 0)
  const strays = rows.filter(
    (row) => row.every(({ size }) => size < MAX_SIZE * largest) && textOfBoxes(row).length <= MAX_STRAY_CHARS,
  )
  if (!strays.length || strays.length > MAX_STRAYS) return rows
  const joined = new Set<Box[]>()
  for (const stray of strays) {
    const first = stray[0]!
    const line = rows.find(
      (row) =>
        row !== stray &&
        !joined.has(row) &&
        row.some((base) => {
          const gap = (first.x - base.right) / base.size
          const kind = gap > -0.1 && gap < 0.15 ? findScript(first, base) : undefined
          return (
            kind &&
            first.size < SMALL * base.size &&
            /[\p{L}\p{N})\]]$/u.test(base.text) &&
            isText(stray, kind, base)
          )
        }),
    )
    if (!line) continue
    line.push(...stray)
    joined.add(stray)
  }
  return rows.filter((row) => !joined.has(row))
}
