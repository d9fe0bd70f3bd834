type Cell = string | number | null

/** Spreadsheets take text that begins so for a formula (OWASP, CSV Injection). Numbers are left alone: one may be below zero. */
const FORMULA = /^[=+\-@\t\r]/

const toCell = (value: Cell): string => {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** Formats a table as spreadsheets open it, with a byte order mark by which they recognize UTF-8. */
export const toCsv = (headings: string[], rows: Cell[][]): string =>
  `\uFEFF${[headings, ...rows].map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`

/** Formats a moment in China's time as spreadsheets read it: `2026-11-21 08:00:00`. */
export const toCsvTime = (at: string): string =>
  new Date(Date.parse(at) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

export const toCsvResponse = (csv: string, fileName: string): Response =>
  new Response(csv, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    },
  })
