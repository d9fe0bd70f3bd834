import type { Row, Segment } from './rows.ts'

/** A table of a page: its cells, and the segments that are in it. */
export type PageTable = { cells: string[][]; segments: Set<Segment>; order: number }

/** Rows of a table are at most this many times their type apart. */
const ROW_GAP = 3.2
/** A row this near to the one above goes on with its cells. */
const LINE_GAP = 1.45
/** Cells are short; what is longer are columns of text. */
const MAX_CELL_CHARS = 60
const LEADERS = /^[.…·⋯‥\s]{3,}$|[.…·⋯]{4,}/

/**
 * Tables by their geometry: lines that follow each other closely, in segments that stand below each other. Columns of text
 * look alike, but are written one after the other and in long lines.
 */
export function findTables(rows: Row[]): PageTable[] {
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

/** The segments at the same height, whatever their order in the file, from left to right. */
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
  const [above, own] = [lines[at - 1]?.[0], line[0]]
  if (!above || !own || own.y - above.y > ROW_GAP * Math.max(above.size, own.size)) return false
  if (line.length > 1) return true
  // A line alone is part of a cell where it is under one and no wider than it.
  const before = lines.slice(start, at).flat()
  return before.some(
    (cell) => own.x > cell.x - own.size && own.right < cell.right + 2 * own.size && cell.right - cell.x < 250,
  )
}

function toTable(zone: Segment[][]): PageTable | undefined {
  while (zone.length && (zone.at(-1)?.length ?? 0) < 2) zone = zone.slice(0, -1)
  const full = zone.filter((line) => line.length > 1)
  const columns = findColumns(zone)
  if (columns.length < 2 || full.length < 2 || (columns.length === 2 && full.length < 3)) return undefined
  const segments = zone.flat()
  const chars = segments.reduce((sum, { text }) => sum + text.length, 0) / segments.length
  if (chars > MAX_CELL_CHARS || (chars > 14 && !isWrittenByRows(full))) return undefined
  const cells: string[][] = []
  let above: Segment | undefined
  for (const line of zone) {
    const row: string[] = columns.map(() => '')
    for (const segment of line) {
      const column = findColumn(columns, segment)
      row[column] = row[column] ? `${row[column]} ${segment.text}` : segment.text
    }
    const gap = above && line[0] ? (line[0].y - above.y) / Math.max(above.size, line[0].size) : Infinity
    const last = cells.at(-1)
    if (last && !row[0] && gap < LINE_GAP && row.filter(Boolean).length < columns.length) {
      for (const [column, text] of row.entries()) {
        if (text) last[column] = last[column] ? `${last[column]} ${text}` : text
      }
    } else cells.push(row)
    above = line[0]
  }
  return { cells, segments: new Set(segments), order: Math.min(...segments.map(({ order }) => order)) }
}

/** Cells of a row follow each other in the file; so do the lines of a column of text. */
function isWrittenByRows(lines: Segment[][]): boolean {
  const together = lines.filter((line) => {
    const orders = line.map(({ order }) => order)
    return Math.max(...orders) - Math.min(...orders) < line.length
  })
  return together.length / lines.length > 0.6
}

/** What the cells of the fullest lines cover, from left to right. */
function findColumns(zone: Segment[][]): { x: number; right: number }[] {
  const most = Math.max(...zone.map((line) => line.length))
  const cells = zone
    .filter((line) => line.length >= most * 0.7)
    .flat()
    .sort((one, other) => one.x - other.x)
  const columns: { x: number; right: number }[] = []
  for (const { x, right } of cells) {
    const last = columns.at(-1)
    if (last && x < last.right) last.right = Math.max(last.right, right)
    else columns.push({ x, right })
  }
  return columns
}

function findColumn(columns: { x: number; right: number }[], { x, right }: Segment): number {
  const overlaps = columns.map((column) => Math.min(column.right, right) - Math.max(column.x, x))
  return overlaps.indexOf(Math.max(...overlaps))
}
