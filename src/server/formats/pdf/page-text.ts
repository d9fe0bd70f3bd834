import { escapeText, formatHeading, formatTable } from '../text/markdown.ts'
import { toBoxes } from './boxes.ts'
import type { TextItem } from './boxes.ts'
import { dropMarks, formatMarks } from './marks.ts'
import { markRegions } from './regions.ts'
import type { Region } from './regions.ts'
import { joinLines, textOfRow, toRows } from './rows.ts'
import type { Row } from './rows.ts'
import { attachGuides } from './ruby.ts'
import { findTables } from './tables.ts'
import type { PageTable } from './tables.ts'

/** Sizes of type → how many characters are set in them, over the pages so far. */
export type TypeSizes = Map<number, number>

/** A heading is at least this much larger than the text, and short. */
const HEADINGS: [ratio: number, level: number][] = [
  [1.6, 1],
  [1.3, 2],
  [1.12, 3],
]
const MAX_HEADING_CHARS = 100
const MAX_PARTS = 200

/** A table of a page, or a paragraph of it: a heading with its level, an item without its bullet. */
export type PageBlock = { cells: string[][] } | { text: string; level?: number; hasBullet?: boolean }

/** Finds the blocks of a page in reading order. Their text has the marks of marks.ts. */
export function findBlocks(
  items: TextItem[],
  toDevice: number[],
  isVertical: (font: string) => boolean,
  sizes: TypeSizes,
  regions: Region[] = [],
): PageBlock[] {
  const groups = toBoxes(items, toDevice, isVertical).map(({ direction, boxes }) => ({
    direction,
    boxes: attachGuides(markRegions(boxes, regions, toDevice, direction)),
  }))
  for (const { size, text } of groups[0]?.boxes ?? []) {
    const key = Math.round(size * 2) / 2
    sizes.set(key, (sizes.get(key) ?? 0) + dropMarks(text).length)
  }
  const bodySize = [...sizes].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0]
  return groups.flatMap(({ direction, boxes }) =>
    groupRows(toRows(boxes, direction === 'vertical'), bodySize),
  )
}

/** Formats blocks as Markdown. `links` has the addresses of the page's links. */
export function formatBlocks(blocks: PageBlock[], links: string[] = []): string {
  const format = (text: string): string => formatMarks(escapeText(text), links)
  return blocks
    .map((block) => {
      if ('cells' in block) return formatTable(block.cells.map((cells) => cells.map(format)))
      const text = format(block.text)
      if (block.level) return formatHeading(block.level, text)
      return block.hasBullet ? `- ${text}` : text
    })
    .filter(Boolean)
    .join('\n\n')
}

type Item = { row: Row; table?: PageTable }

function groupRows(rows: Row[], bodySize: number): PageBlock[] {
  const tables = findTables(rows)
  const inTables = new Set(tables.flatMap(({ segments }) => [...segments]))
  const items: Item[] = rows
    .map((row) => ({ row: { ...row, segments: row.segments.filter((segment) => !inTables.has(segment)) } }))
    .filter(({ row }) => row.segments.length)
  for (const table of tables) items.push({ row: toRow(table), table })
  const blocks: PageBlock[] = []
  let paragraph: Row[] = []
  const end = (): void => {
    if (paragraph.length) blocks.push(toParagraph(paragraph, bodySize))
    paragraph = []
  }
  for (const { row, table } of sortItems(items)) {
    const above = paragraph.at(-1)
    if (table || (above && !continues(paragraph, above, row))) end()
    if (table) blocks.push({ cells: table.cells })
    else paragraph.push(row)
  }
  end()
  return blocks
}

/** Returns the place of a table as a row of the page. */
function toRow({ segments, order }: PageTable): Row {
  const all = [...segments]
  const [y, x] = [Math.min(...all.map((each) => each.y)), Math.min(...all.map((each) => each.x))]
  return {
    segments: [],
    y,
    size: all[0]?.size ?? 1,
    x,
    right: Math.max(...all.map(({ right }) => right)),
    order,
    isSpaced: false,
  }
}

/**
 * Sorts items into reading order, in which most files are written, columns included. A jump upwards begins a new part; a part
 * moves before another only where it stands above all of it, in the same columns.
 */
function sortItems(items: Item[]): Item[] {
  items.sort((one, other) => one.row.order - other.row.order)
  const parts: { items: Item[]; top: number; bottom: number; x: number; right: number }[] = []
  let lastY = Infinity
  for (const item of items) {
    const { y, x, right, size } = item.row
    const part = parts.at(-1)
    if (part && y > lastY - size) {
      part.items.push(item)
      Object.assign(part, {
        bottom: Math.max(part.bottom, y),
        x: Math.min(part.x, x),
        right: Math.max(part.right, right),
      })
    } else parts.push({ items: [item], top: y, bottom: y, x, right })
    lastY = y
  }
  // A page of scattered words is not worth a comparison of each with all.
  if (parts.length > MAX_PARTS)
    return items.sort((one, other) => one.row.y - other.row.y || one.row.x - other.row.x)
  const sorted: Item[] = []
  while (parts.length) {
    const next = parts.findIndex(
      (part) =>
        !parts.some(
          (other) =>
            other !== part && other.bottom < part.top && other.x < part.right && other.right > part.x,
        ),
    )
    sorted.push(...(parts.splice(Math.max(0, next), 1)[0]?.items ?? []))
  }
  return sorted
}

const BULLET = /^[•●○▪■□◦‣\uF000-\uF0FF]\s*/
const LIST_ITEM =
  /^(?:[•●○▪■□◦‣\uF000-\uF0FF]|[-–—*]\s|\(?\d{1,3}[.)、．]\s?\D|[（(]\d{1,2}[)）]|第[一二三四五六七八九十百\d]+[章节条])/

/** Tells whether a line continues a paragraph: the line above is full, the type is the same, and there is no indent. */
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

function toParagraph(rows: Row[], bodySize: number): PageBlock {
  const text = rows
    .map((row) => (row.isSpaced ? ` ${textOfRow(row)}` : textOfRow(row)))
    .reduce(joinLines)
    .replace(/\s+/g, ' ')
    .trim()
  const ratio = (rows[0]?.size ?? 0) / (bodySize || 1)
  const level = HEADINGS.find(([least]) => ratio >= least)?.[1]
  if (
    level &&
    rows.length <= 3 &&
    !BULLET.test(text) &&
    text.length <= MAX_HEADING_CHARS &&
    /\p{L}/u.test(text)
  ) {
    return { text, level }
  }
  return BULLET.test(text) ? { text: text.replace(BULLET, ''), hasBullet: true } : { text }
}
