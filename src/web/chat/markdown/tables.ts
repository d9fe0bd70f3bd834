/** A table's cells as text, row by row. */
export type Rows = readonly (readonly string[])[]

/** What spreadsheets would take for a formula, and run, is marked as text; numbers stay numbers. */
const asText = (cell: string): string =>
  /^[=+\-@\t\r]/.test(cell) && !/^[+-]?[\d.,]+%?$/.test(cell) ? `'${cell}` : cell

const flat = (cell: string): string => cell.replace(/\s+/g, ' ').trim()

/** With the mark by which Excel knows UTF-8. */
export const toCsv = (rows: Rows): string =>
  `\uFEFF${rows.map((row) => row.map((cell) => quoted(asText(cell.trim()))).join(',')).join('\r\n')}\r\n`

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

export const toTsv = (rows: Rows): string =>
  rows.map((row) => row.map((cell) => asText(flat(cell))).join('\t')).join('\n')

/** The rows of a table in the page. A formula is its TeX, as it was written. */
export const rowsOf = (table: HTMLTableElement): string[][] =>
  [...table.rows].map((row) => [...row.cells].map((cell) => plainText(cell)))

function plainText(cell: HTMLElement): string {
  const copy = cell.cloneNode(true) as HTMLElement
  for (const formula of copy.querySelectorAll('.katex'))
    formula.replaceWith(`$${formula.querySelector('annotation')?.textContent ?? ''}$`)
  return copy.textContent
}

/** The rows as a plain HTML table: what spreadsheets and word processors take over with its columns. */
export function toHtml(rows: Rows): string {
  const table = document.createElement('table')
  for (const cells of rows) {
    const row = table.insertRow()
    for (const cell of cells) row.insertCell().textContent = asText(cell.trim())
  }
  return table.outerHTML
}
