import { findElements, getAttribute, getElements, getText, toInteger } from './document.ts'
import type { Element } from './document.ts'

/** Limits of a cell's span and of a row's columns, so that a false claim does not fill the memory. */
const MAX_SPAN = 100
const MAX_COLUMNS = 500

/** A cell of a table of data is short, whatever is in it. */
const MAX_CELL_CHARS = 1000

/** Tells whether a table lays out a page, and has no data. */
export function isLayout(table: Element): boolean {
  const rows = listRows(table)
  const cells = rows.map(listCells)
  if (!cells.some((row) => row.length > 1 || (row[0] && getAttribute(row[0], 'colspan') !== undefined)))
    return true
  const isLong = (cell: Element): boolean => getText(cell).length > MAX_CELL_CHARS
  const hasTable = !findElements(table, 'table').next().done
  return hasTable && (rows.length < 2 || cells.some((row) => row.some(isLong)))
}

/** Lists the rows of a table, without those of tables within it. */
export const listRows = (table: Element): Element[] =>
  getElements(table).flatMap((element) =>
    element.tagName === 'tr'
      ? [element]
      : /^t(head|body|foot)$/.test(element.tagName)
        ? listRows(element)
        : [],
  )
export const listCells = (row: Element): Element[] =>
  getElements(row).filter(({ tagName }) => /^t[dh]$/.test(tagName))

/** Reads the cells of a table; a cell that spans others is repeated in each place that it covers. */
export function readTable(table: Element, formatCell: (cell: Element) => string): string[][] {
  const rows: string[][] = []
  /** Column → text of a cell from above, and how many more rows it covers. */
  const hanging = new Map<number, { text: string; rows: number }>()
  for (const row of listRows(table)) {
    const cells: string[] = []
    const fill = (): void => {
      for (let above = hanging.get(cells.length); above; above = hanging.get(cells.length)) {
        if (--above.rows <= 0) hanging.delete(cells.length)
        cells.push(above.text)
      }
    }
    for (const cell of listCells(row)) {
      fill()
      const text = formatCell(cell)
      const getSpan = (name: string): number =>
        Math.min(MAX_SPAN, Math.max(1, toInteger(getAttribute(cell, name)) ?? 1))
      const below = getSpan('rowspan') - 1
      for (let span = getSpan('colspan'); span > 0 && cells.length < MAX_COLUMNS; span--) {
        if (below > 0) hanging.set(cells.length, { text, rows: below })
        cells.push(text)
      }
    }
    fill()
    if (cells.length) rows.push(cells)
  }
  return rows
}
