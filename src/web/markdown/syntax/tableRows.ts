import { maskOpaqueSpans } from './opaqueSpans.ts'

const delimiters = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*$/

/** Returns the number of cells that GFM sees in a row. */
const countCells = (row: string): number =>
  row
    .replace(/\\\|/g, '')
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|').length

/** Escapes the bars inside a row's code and formulas if only that gives the row the right number of cells. */
function escapeRow(row: string, columns: number): string {
  if (countCells(row) === columns) return row
  const escapedRow = maskOpaqueSpans(row, (raw) => raw.replace(/(?<!\\)\|/g, '\\|'))
  return countCells(escapedRow) === columns ? escapedRow : row
}

/**
 * Escapes the bars inside code and formulas of a table, so that they do not end a cell: GFM requires `\|` there, which models
 * forget. Each row is read in the way that gives it as many cells as the table has columns.
 */
export function escapeCellBars(table: string): string {
  const [head = '', rule = '', ...rows] = table.split('\n')
  if (!delimiters.test(rule)) return table
  const columns = countCells(rule)
  return [
    escapeRow(head, columns),
    rule,
    ...rows.map((row) => (row.includes('|') ? escapeRow(row, columns) : row)),
  ].join('\n')
}
