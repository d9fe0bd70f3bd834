import type { Box, Direction } from './boxes.ts'
import { multiply, turn } from './boxes.ts'
import { findSpan } from './characters.ts'
import { markText } from './marks.ts'
import type { Mark } from './marks.ts'

/** A rectangle of a page whose text has a mark: x, y, right, top in the page's units. `link` is an index. */
export type Region = { rect: [number, number, number, number]; mark: Mark; link?: number }

/** Marks the text of boxes within regions. `toDevice` is the page's transform. */
export function markRegions(
  boxes: Box[],
  regions: Region[],
  toDevice: number[],
  direction: Direction,
): Box[] {
  if (!regions.length) return boxes
  const frames = regions.map((region) => ({ ...region, ...toFrame(region.rect, toDevice, direction) }))
  return boxes.map((box) => {
    // The middle of the letters, above their base line.
    const middle = direction === 'vertical' ? box.y : box.y - 0.3 * box.size
    const own = frames.filter(
      ({ x, right, top, bottom }) => middle > top && middle < bottom && x < box.right && right > box.x,
    )
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
