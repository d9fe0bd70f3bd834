import type { Place } from '#contract/readings.ts'
import type { Output } from '../output.ts'
import { formatRange, formatTable } from './markdown.ts'

/** Rows of a table in one piece; each piece begins with the table's header. */
const PIECE_ROWS = 100
const PIECE_CHARS = 8000

/**
 * A grid of cells as pieces with their ranges, trimmed of empty rows and columns. Empty rows part tables. `top` and
 * `left` are the grid's first row and column in the sheet, from 0.
 */
export function writeGrid(
  grid: string[][],
  output: Output,
  place: Place = {},
  { top = 0, left = 0, part = true } = {},
): void {
  let rows: string[][] = []
  for (let index = 0; index <= grid.length; index++) {
    const row = grid[index]
    const isEmpty = !row?.some((cell) => cell.trim())
    if (row && !(isEmpty && (part || rows.length === 0))) {
      rows.push(row)
      continue
    }
    if (rows.length) writeTable(rows, output, place, top + index - rows.length, left)
    rows = []
  }
}

function writeTable(rows: string[][], output: Output, place: Place, top: number, left: number): void {
  const isUsed = (column: number): boolean => rows.some((row) => row[column]?.trim())
  let first = 0
  let last = Math.max(...rows.map((row) => row.length)) - 1
  while (first < last && !isUsed(first)) first++
  while (last > first && !isUsed(last)) last--
  const cells = rows.map((row) => Array.from({ length: last - first + 1 }, (_, at) => row[first + at] ?? ''))
  const [header = []] = cells
  const range = (from: number, to: number): Place => ({
    ...place,
    range: formatRange(top + from, left + first, top + to, left + last),
  })
  // A row alone is no table: a title, a note.
  if (cells.length === 1) {
    const filled = header.filter((cell) => cell.trim())
    return output.add(filled.length === 1 ? (filled[0] ?? '') : formatTable(cells), range(0, 0))
  }
  for (let from = 1; from < cells.length;) {
    let to = from
    for (let chars = 0; to < cells.length && to - from < PIECE_ROWS && chars < PIECE_CHARS; to++) {
      chars += cells[to]?.reduce((sum, cell) => sum + cell.length + 3, 0) ?? 0
    }
    output.add(formatTable([header, ...cells.slice(from, to)]), range(from === 1 ? 0 : from, to - 1))
    from = to
  }
}
