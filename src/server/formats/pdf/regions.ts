import type { Box, Direction } from './boxes.ts'
import { multiply, turn } from './boxes.ts'
import { findSpan } from './characters.ts'
import { markText } from './marks.ts'
import type { Mark } from './marks.ts'

/** A rectangle of a page whose text has a mark: x, y, right, top in the page's units. `link` is an index. */
export type Region = {
  rect: [number, number, number, number]
  mark: Mark
  link?: number
  /** A line that is drawn; it is a mark only where it runs through the middle of letters. */
  isLine?: boolean
}

/** Marks the text of boxes within regions. `toDevice` is the page's transform. */
export function markRegions(
  boxes: Box[],
  regions: Region[],
  toDevice: number[],
  direction: Direction,
): Box[] {
  if (!regions.length) return boxes
  const frames = regions
    .map((region) => ({ ...region, ...toFrame(region.rect, toDevice, direction) }))
    .filter((frame) => !frame.isLine || isThroughText(frame, boxes, direction))
  return boxes.map((box) => {
    const own = frames.filter((frame) => isOn(frame, box, direction))
    const spans = own.flatMap(({ x, right, mark, link }) => {
      const span = findSpan(box, x, right)
      // A bullet or a leader is no link of its own.
      const isText = span && (mark !== 'link' || /[\p{L}\p{N}]/u.test(box.text.slice(span.start, span.end)))
      return isText ? [{ ...span, mark, link }] : []
    })
    // A text that is struck out counts more than where a link leads; spans that cross each other could not be written.
    spans.sort((one, other) => Number(other.mark === 'strike') - Number(one.mark === 'strike'))
    const parted: typeof spans = []
    for (const span of spans)
      if (!parted.some((other) => span.start < other.end && other.start < span.end)) parted.push(span)
    let { text } = box
    for (const { start, end, mark, link } of parted.sort((one, other) => other.start - one.start))
      text = text.slice(0, start) + markText(text.slice(start, end), mark, link) + text.slice(end)
    return text === box.text ? box : { ...box, text }
  })
}

type Frame = { x: number; right: number; top: number; bottom: number; isLine?: boolean }

/** How far a line that strikes text out may lie from the middle of its letters, in sizes of type. */
const MAX_OFFSET = 0.16
/** Share of a line through text that has letters on it. */
const MIN_COVERED = 0.6

/** Returns the middle of the letters, above their base line. */
const middleOf = (box: Box, direction: Direction): number =>
  direction === 'vertical' ? box.y : box.y - 0.3 * box.size

function isOn({ x, right, top, bottom, isLine }: Frame, box: Box, direction: Direction): boolean {
  const middle = middleOf(box, direction)
  const isLevel = isLine
    ? Math.abs(middle - (top + bottom) / 2) < MAX_OFFSET * box.size
    : middle > top && middle < bottom
  return isLevel && x < box.right && right > box.x
}

/** Tells whether a line runs through letters; one of a table or a chart runs beside them, or far beyond them. */
function isThroughText(line: Frame, boxes: Box[], direction: Direction): boolean {
  if (line.bottom - line.top > line.right - line.x) return false
  const overlaps = boxes
    .filter((box) => isOn(line, box, direction))
    .map((box) => Math.min(line.right, box.right) - Math.max(line.x, box.x))
  return overlaps.reduce((sum, overlap) => sum + overlap, 0) >= MIN_COVERED * (line.right - line.x)
}

function toFrame([x0, y0, x1, y1]: Region['rect'], toDevice: number[], direction: Direction) {
  const corners = [
    [x0, y0],
    [x1, y1],
  ].map(([x, y]) => {
    const moved = multiply(toDevice, [1, 0, 0, 1, x!, y!])
    return turn(moved[4], moved[5], direction)
  })
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return { x: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}
