import type { Place } from '#contract/readings.ts'
import type { Output } from '../reading/output.ts'
import { formatRange, formatTable } from './markdown.ts'

/** A row of a sheet: its number and its cells by column, both from 0. */
export type SheetRow = { index: number; cells: Map<number, string> }

/** Rows of a table in one piece; each piece begins with the table's header. */
const PIECE_ROWS = 100
const PIECE_CHARS = 8000
/** Most columns of a table: a cell far away from the others must not fill the memory with empty ones. */
const MAX_COLUMNS = 1000

export const toSheetRow = (cells: string[], index: number): SheetRow => ({
  index,
  cells: new Map(cells.entries().filter(([, cell]) => cell.trim())),
})

/**
 * Writes rows of a sheet as tables, in pieces with their ranges, without empty rows and columns at the edges. With `part`, empty
 * rows separate tables. `heading` goes above the first piece.
 */
export function writeSheet(
  rows: SheetRow[],
  output: Output,
  place: Place,
  { part = true, heading = '' } = {},
): void {
  let table: SheetRow[] = []
  let above = heading
  const end = (): void => {
    if (!table.length) return
    writeTable(table, output, place, above)
    above = ''
    table = []
  }
  for (const row of rows) {
    if (!row.cells.size) continue
    const last = table.at(-1)
    if (part && last && row.index > last.index + 1) end()
    table.push(row)
  }
  end()
  if (above) output.add(above, place)
}

function writeTable(rows: SheetRow[], output: Output, place: Place, heading: string): void {
  let first = Infinity
  let last = 0
  for (const { cells } of rows) {
    for (const column of cells.keys()) {
      first = Math.min(first, column)
      last = Math.max(last, column)
    }
  }
  if (last - first >= MAX_COLUMNS) {
    output.skip(
      'limit',
      formatRange(rows[0]?.index ?? 0, first + MAX_COLUMNS, rows.at(-1)?.index ?? 0, last),
      place,
    )
    last = first + MAX_COLUMNS - 1
  }
  const toCells = (row: SheetRow): string[] =>
    Array.from({ length: last - first + 1 }, (_, at) => row.cells.get(first + at) ?? '')
  const add = (text: string, from: SheetRow | undefined, to: SheetRow | undefined): void => {
    const range = formatRange(from?.index ?? 0, first, to?.index ?? 0, last)
    output.add(heading ? `${heading}\n\n${text}` : text, { ...place, range })
    heading = ''
  }
  const [header] = rows
  if (!header) return
  // A row alone is no table: a title, a note.
  if (rows.length === 1) {
    return add(
      header.cells.size === 1 ? [...header.cells.values()].join('') : formatTable([toCells(header)]),
      header,
      header,
    )
  }
  for (let from = 1; from < rows.length;) {
    const cells = [toCells(header)]
    let to = from
    for (let chars = 0; to < rows.length && to - from < PIECE_ROWS && chars < PIECE_CHARS; to++) {
      const row = toCells(rows[to] ?? header)
      cells.push(row)
      chars += row.reduce((sum, cell) => sum + cell.length + 3, 0)
    }
    add(formatTable(cells), from === 1 ? header : rows[from], rows[to - 1])
    from = to
  }
}
