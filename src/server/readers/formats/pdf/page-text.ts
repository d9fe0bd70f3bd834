import { escapeText, formatHeading, formatTable } from '../../text/markdown.ts'
import { toBoxes } from './boxes.ts'
import type { TextItem } from './boxes.ts'
import { joinLines, textOfRow, toRows } from './rows.ts'
import type { Row } from './rows.ts'
import { findTables } from './tables.ts'

/** Sizes of type → how many characters are set in them, over the pages so far. */
export type TypeSizes = Map<number, number>

/** A heading is larger than the text by this, and short. */
const HEADINGS: [ratio: number, level: number][] = [
  [1.6, 1],
  [1.3, 2],
  [1.12, 3],
]
const MAX_HEADING_CHARS = 100
/** A file whose lines jump up more often than this is not in the order of reading. */
const MAX_JUMPS = 0.25

/** The text of a page as Markdown, in the order of reading. */
export function formatPage(
  items: TextItem[],
  toDevice: number[],
  isVertical: (font: string) => boolean,
  sizes: TypeSizes,
): string {
  const groups = toBoxes(items, toDevice, isVertical)
  for (const { size, text } of groups[0] ?? []) {
    const key = Math.round(size * 2) / 2
    sizes.set(key, (sizes.get(key) ?? 0) + text.length)
  }
  const body_size = [...sizes].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0]
  return groups.map((boxes) => formatRows(toRows(boxes), body_size)).join('\n\n')
}

function formatRows(rows: Row[], body_size: number): string {
  const tables = findTables(rows)
  const inTables = new Set(tables.flatMap(({ segments }) => [...segments]))
  const rest = sortRows(
    rows
      .map((row) => ({ ...row, segments: row.segments.filter((segment) => !inTables.has(segment)) }))
      .filter(({ segments }) => segments.length),
  )
  const pending = [...tables].sort((one, other) => one.order - other.order)
  const blocks: string[] = []
  let paragraph: Row[] = []
  const end = (): void => {
    if (paragraph.length) blocks.push(formatParagraph(paragraph, body_size))
    paragraph = []
  }
  const flushTables = (before: number): void => {
    while (pending[0] && pending[0].order <= before) {
      end()
      blocks.push(formatTable(pending.shift()?.cells.map((row) => row.map(escapeText)) ?? []))
    }
  }
  for (const row of rest) {
    flushTables(row.order)
    const above = paragraph.at(-1)
    if (above && !continues(paragraph, above, row)) end()
    paragraph.push(row)
  }
  flushTables(Infinity)
  end()
  return blocks.filter(Boolean).join('\n\n')
}

/** Most files are written in the order of reading, columns included; what jumps about is read from the top. */
function sortRows(rows: Row[]): Row[] {
  const jumps = rows.filter((row, index) => row.y < (rows[index - 1]?.y ?? -Infinity) - row.size).length
  if (rows.length < 6 || jumps / rows.length < MAX_JUMPS) return rows
  return [...rows]
    .sort((one, other) => one.y - other.y || one.x - other.x)
    .map((row, order) => ({ ...row, order }))
}

const BULLET = /^[•●○▪■□◦‣\uF000-\uF0FF]\s*/
const LIST_ITEM =
  /^(?:[•●○▪■□◦‣\uF000-\uF0FF]|[-–—*]\s|\(?\d{1,3}[.)、．]\s?\D|[（(]\d{1,2}[)）]|第[一二三四五六七八九十百\d]+[章节条])/

/** A line goes on with the paragraph that reaches its right edge, in the same type, without an indent. */
function continues(paragraph: Row[], above: Row, row: Row): boolean {
  const gap = (row.y - above.y) / above.size
  if (gap < 0.5 || gap > 2.1 || Math.abs(row.size - above.size) > 0.1 * above.size) return false
  if (row.segments.length > 1 || LIST_ITEM.test(textOfRow(row))) return false
  // Within a paragraph lines are equally far apart.
  const first = paragraph[0]
  const second = paragraph[1]
  if (first && second && row.y - above.y > (second.y - first.y) * 1.25) return false
  const right = Math.max(...paragraph.map((each) => each.right), row.right)
  const isFull = above.right > right - 3.5 * above.size
  const indent = (row.x - (second ?? above).x) / row.size
  return isFull && indent < 1.2 && indent > (second ? -1.2 : -3)
}

function formatParagraph(rows: Row[], body_size: number): string {
  const text = rows.map(textOfRow).reduce(joinLines).replace(/\s+/g, ' ').trim()
  const ratio = (rows[0]?.size ?? 0) / (body_size || 1)
  const level = HEADINGS.find(([least]) => ratio >= least)?.[1]
  if (
    level &&
    rows.length <= 3 &&
    !BULLET.test(text) &&
    text.length <= MAX_HEADING_CHARS &&
    /\p{L}/u.test(text)
  ) {
    return formatHeading(level, escapeText(text))
  }
  return escapeText(text.replace(BULLET, '- '))
}
