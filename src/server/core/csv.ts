type Cell = string | number | null

/** Spreadsheets read what begins so as a formula (OWASP, CSV Injection); an amount below zero is a number. */
const FORMULA = /^[=+\-@\t\r]/

const toCell = (value: Cell): string => {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** A table as spreadsheets open it, with a mark by which they know that it is UTF-8. */
export const toCsv = (headings: string[], rows: Cell[][]): string =>
  `\uFEFF${[headings, ...rows].map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`

/** A moment in China's time, as spreadsheets read it: `2026-11-21 08:00:00`. */
export const toCsvTime = (at: string): string =>
  new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** A table as a download. */
export const toCsvResponse = (csv: string, fileName: string): Response =>
  new Response(csv, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    },
  })
