import { maskOpaqueSpans } from './opaqueSpans.ts'

const delimiters = /^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*$/

/** How many cells GFM sees in a row. */
const countCells = (row: string): number =>
  row
    .replace(/\\\|/g, '')
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|').length

/** A row whose bars inside code and formulas are escaped, where it has the right number of cells only so. */
function escapeRow(row: string, columns: number): string {
  if (countCells(row) === columns) return row
  const escaped = maskOpaqueSpans(row, (raw) => raw.replace(/(?<!\\)\|/g, '\\|'))
  return countCells(escaped) === columns ? escaped : row
}

/**
 * A table in which a bar inside code or a formula does not end a cell: GFM asks for `\|` there, which models forget. Each
 * row is read in the way that gives it as many cells as the table has columns.
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
