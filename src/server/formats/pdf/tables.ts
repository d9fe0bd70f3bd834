import { CJK, joinLines } from './rows.ts'
import type { Row, Segment } from './rows.ts'

/** A table of a page: its cells, and the segments that are in it. */
export type PageTable = { cells: string[][]; segments: Set<Segment>; order: number }

/** Largest distance between rows of a table, in sizes of their type. */
const ROW_GAP = 3.2
/** A line nearer than this to the one above may continue its cells. */
const LINE_GAP = 1.4
/** Longest average text of cells; longer ones are columns of text. */
const MAX_CELL_CHARS = 60
/** The same where cells are not written row by row, which columns of text are not either. */
const SHORT_CELL_CHARS = 30
/** Fewest full lines of a column of text. */
const MIN_COLUMN_ROWS = 8
const LEADERS = /^[.…·⋯‥\s]{3,}$|[.…·⋯]{4,}/

/**
 * Finds tables by their geometry: lines close to each other, in segments that stand below each other. Columns of text look alike,
 * but are written one after the other and in long lines.
 */
export function findTables(rows: Row[]): PageTable[] {
  const gutter = findGutter(rows)
  if (gutter === undefined) return findTablesIn(rows)
  const [left, right] = [rows.filter((row) => row.right < gutter), rows.filter((row) => row.x > gutter)]
  return [...findTablesIn(left), ...findTablesIn(right)]
}

/** Finds the gap between two columns of text: hardly a line crosses it, and many lines of either side are full. */
function findGutter(rows: Row[]): number | undefined {
  const [left, right] = [Math.min(...rows.map(({ x }) => x)), Math.max(...rows.map((row) => row.right))]
  const isFull = (row: Row, from: number, to: number): boolean => row.right - row.x > (to - from) * 0.75
  for (let share = 0.4; share <= 0.6; share += 0.02) {
    const x = left + (right - left) * share
    const sides = [rows.filter((row) => row.right < x), rows.filter((row) => row.x > x)]
    const crossing = rows.filter((row) => row.x < x && row.right > x).length
    const areText = sides.every((side, index) => {
      const full = side.filter((row) => (index ? isFull(row, x, right) : isFull(row, left, x))).length
      return full >= MIN_COLUMN_ROWS && full > side.length * 0.4
    })
    if (areText && crossing < rows.length * 0.1) return x
  }
  return undefined
}

function findTablesIn(rows: Row[]): PageTable[] {
  const lines = mergeLines(rows)
  const tables: PageTable[] = []
  for (let at = 0; at < lines.length;) {
    let end = at
    while (end < lines.length && isTableLine(lines, at, end)) end++
    const table = end - at >= 2 ? toTable(lines.slice(at, end)) : undefined
    if (table) tables.push(table)
    at = Math.max(end, at + 1)
  }
  return tables
}

/** Merges the segments at the same height, whatever their order in the file, from left to right. */
function mergeLines(rows: Row[]): Segment[][] {
  const segments = rows.flatMap((row) => row.segments).sort((one, other) => one.y - other.y)
  const lines: Segment[][] = []
  for (const segment of segments) {
    const line = lines.at(-1)
    const first = line?.[0]
    if (line && first && segment.y - first.y < 0.5 * Math.min(segment.size, first.size)) line.push(segment)
    else lines.push([segment])
  }
  for (const line of lines) line.sort((one, other) => one.x - other.x)
  return lines
}

function isTableLine(lines: Segment[][], start: number, at: number): boolean {
  const line = lines[at] ?? []
  if (line.some(({ text }) => LEADERS.test(text))) return false
  if (at === start) return line.length > 1
  const [above, first] = [lines[at - 1]?.[0], line[0]]
  if (!above || !first || first.y - above.y > ROW_GAP * Math.max(above.size, first.size)) return false
  if (line.length > 1) return true
  // A single segment continues a cell where it stands under one and is no wider.
  const before = lines.slice(start, at).flat()
  return before.some(
    (cell) =>
      first.x > cell.x - first.size && first.right < cell.right + 2 * first.size && cell.right - cell.x < 250,
  )
}

function toTable(zone: Segment[][]): PageTable | undefined {
  // A single segment at some distance below a table is not part of it.
  while (isAlone(zone)) zone = zone.slice(0, -1)
  const full = zone.filter((line) => line.length > 1)
  const columns = findColumns(zone)
  if (columns.length < 2 || full.length < 2 || (columns.length === 2 && full.length < 3)) return undefined
  const segments = zone.flat()
  const text = segments.map((segment) => segment.text).join('')
  const chars = text.length / segments.length
  const short = CJK.test(text) ? SHORT_CELL_CHARS / 2 : SHORT_CELL_CHARS
  if (chars > MAX_CELL_CHARS || (chars > short && !isWrittenByRows(full))) return undefined
  const lines = zone.map((line) => {
    const cells: string[] = columns.map(() => '')
    for (const segment of line) append(cells, findColumn(columns, segment), segment.text)
    return { cells, y: line[0]?.y ?? 0, size: Math.max(...line.map(({ size }) => size)) }
  })
  return {
    cells: joinRows(lines),
    segments: new Set(segments),
    order: Math.min(...segments.map(({ order }) => order)),
  }
}

function isAlone(zone: Segment[][]): boolean {
  const [last, above] = [zone.at(-1), zone.at(-2)?.[0]]
  const [first] = last ?? []
  return last?.length === 1 && (!first || !above || first.y - above.y >= LINE_GAP * first.size)
}

type Line = { cells: string[]; y: number; size: number }

function append(cells: string[], column: number, text: string): void {
  cells[column] = cells[column] ? joinLines(cells[column], text) : text
}

/** Joins lines closer than rows are; where all are equally close, a line that lacks its first cell continues the row above. */
function joinRows(lines: Line[]): string[][] {
  const gaps = lines.map(({ y, size }, index) => (y - (lines[index - 1]?.y ?? -Infinity)) / size)
  const isClose = (gap: number): boolean => gap < LINE_GAP
  const isFull = ({ cells }: Line): boolean => cells.every(Boolean)
  const partial = lines.filter((line) => !isFull(line)).length
  const areParted = gaps.slice(1).some((gap) => !isClose(gap)) && partial > lines.length * 0.4
  const rows: string[][] = []
  let above: Line | undefined
  for (const [index, line] of lines.entries()) {
    const last = rows.at(-1)
    const goesOn = areParted ? !(above && isFull(above) && isFull(line)) : !line.cells[0] && !isFull(line)
    if (last && isClose(gaps[index] ?? Infinity) && goesOn) {
      for (const [column, text] of line.cells.entries()) if (text) append(last, column, text)
    } else rows.push([...line.cells])
    above = line
  }
  return rows
}

/** Tells whether the cells of each row follow each other in the file, unlike the lines of two columns of text. */
function isWrittenByRows(lines: Segment[][]): boolean {
  const together = lines.filter((line) => {
    const orders = line.map(({ order }) => order)
    return Math.max(...orders) - Math.min(...orders) < line.length
  })
  return together.length / lines.length > 0.6
}

type Column = { x: number; right: number }

/** Finds columns, which are parted where no cell is, except perhaps one that spans others, as headers do. */
function findColumns(zone: Segment[][]): Column[] {
  const lines = zone.filter((line) => line.length > 1)
  const cells = lines.flat()
  const mostCrossing = lines.length >= 5 ? 1 : 0
  const edges = cells
    .flatMap(({ x, right }): [number, number][] => [
      [x, 1],
      [right, -1],
    ])
    .sort((one, other) => one[0] - other[0] || one[1] - other[1])
  const cuts: number[] = []
  let covering = 0
  let freeFrom: number | undefined
  for (const [x, change] of edges) {
    covering += change
    if (change < 0 && covering === mostCrossing) freeFrom = x
    if (change > 0 && covering === mostCrossing + 1 && freeFrom !== undefined) {
      cuts.push((freeFrom + x) / 2)
      freeFrom = undefined
    }
  }
  return [-Infinity, ...cuts].map((x, index) => ({ x, right: cuts[index] ?? Infinity }))
}

function findColumn(columns: Column[], { x, right }: Segment): number {
  const overlaps = columns.map((column) => Math.min(column.right, right) - Math.max(column.x, x))
  return overlaps.indexOf(Math.max(...overlaps))
}
