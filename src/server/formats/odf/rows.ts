import { findAll, getChildren } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import { toSheetRow } from '../text/tables.ts'
import type { SheetRow } from '../text/tables.ts'

/** Limits for rows and cells that state how often they repeat: sheets end in a million empty ones. */
const MAX_REPEATED = 1000
const MAX_COLUMNS = 1000

/** Reads the cells of a table; a cell that spans others is repeated in each place that it covers. */
export function readRows(table: XmlNode, formatCell: (cell: XmlNode) => string): SheetRow[] {
  const rows: SheetRow[] = []
  const coveredCells = new Map<number, { text: string; rows: number }>()
  let index = 0
  for (const row of findAll(table, 'table:table-row')) {
    const cells: string[] = []
    for (const cell of getChildren(row)) {
      if (!/^table:(covered-)?table-cell$/.test(cell.name)) continue
      const getNumber = (name: string): number =>
        Math.max(1, Number(cell.attributes[`table:${name}`] ?? 1) || 1)
      const repeatCount = Math.min(getNumber('number-columns-repeated'), MAX_COLUMNS - cells.length)
      const [columnsSpanned, rowsSpanned] = [
        getNumber('number-columns-spanned'),
        getNumber('number-rows-spanned'),
      ]
      const text = formatCell(cell)
      for (let at = 0; at < repeatCount; at++) {
        const above = coveredCells.get(cells.length)
        const isCovered = cell.name === 'table:covered-table-cell' && above && above.rows > 0
        if (isCovered) above.rows--
        cells.push(isCovered ? above.text : text)
      }
      const first = cells.length - 1
      for (let column = first; text && column < Math.min(first + columnsSpanned, MAX_COLUMNS); column++) {
        if (columnsSpanned * rowsSpanned > 1)
          coveredCells.set(column, { text, rows: rowsSpanned - (column === first ? 1 : 0) })
      }
    }
    const times = Math.max(1, Number(row.attributes['table:number-rows-repeated'] ?? 1) || 1)
    const sheetRow = toSheetRow(cells, index)
    for (let at = 0; sheetRow.cells.size && at < Math.min(times, MAX_REPEATED); at++)
      rows.push({ ...sheetRow, index: index + at })
    index += times
  }
  return rows
}
