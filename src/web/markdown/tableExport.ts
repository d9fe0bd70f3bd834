/** A table's cells as text, row by row. */
export type TableRows = readonly (readonly string[])[]

/** Marks as text a cell that spreadsheets would take for a formula and run; numbers stay numbers. */
const escapeFormula = (cell: string): string =>
  /^[=+\-@\t\r]/.test(cell) && !/^[+-]?[\d.,]+%?$/.test(cell) ? `'${cell}` : cell

const collapseSpaces = (cell: string): string => cell.replace(/\s+/g, ' ').trim()

/** Begins with the byte order mark by which Excel recognises UTF-8. */
export const toCsv = (rows: TableRows): string =>
  `\uFEFF${rows.map((row) => row.map((cell) => quoteCsvCell(escapeFormula(cell.trim()))).join(',')).join('\r\n')}\r\n`

const quoteCsvCell = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

export const toTsv = (rows: TableRows): string =>
  rows.map((row) => row.map((cell) => escapeFormula(collapseSpaces(cell))).join('\t')).join('\n')

/** Returns the rows of a table in the page. A formula becomes its TeX as it was written. */
export const getTableCells = (table: HTMLTableElement): string[][] =>
  [...table.rows].map((row) => [...row.cells].map((cell) => plainText(cell)))

function plainText(cell: HTMLElement): string {
  const copy = cell.cloneNode(true) as HTMLElement
  for (const formula of copy.querySelectorAll('.katex'))
    formula.replaceWith(`$${formula.querySelector('annotation')?.textContent ?? ''}$`)
  return copy.textContent
}

/** Returns the rows as a plain HTML table, which spreadsheets and word processors import with its columns. */
export function toHtml(rows: TableRows): string {
  const table = document.createElement('table')
  for (const cells of rows) {
    const row = table.insertRow()
    for (const cell of cells) row.insertCell().textContent = escapeFormula(cell.trim())
  }
  return table.outerHTML
}
