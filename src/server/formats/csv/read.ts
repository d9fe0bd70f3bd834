import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { decodeText } from '../text/encoding.ts'
import { toSheetRow, writeSheet } from '../text/tables.ts'

const DELIMITERS = [',', '\t', ';', '|']
/** Lines that are looked at to find the delimiter. */
const SAMPLE_LINES = 20

/** Reads values separated by commas, tabs, semicolons or bars, with quotes as in RFC 4180. */
export async function readCsv({ input, name }: Document, output: Output): Promise<void> {
  const { text, encoding } = decodeText(readAll(input, output.limits.whole_bytes))
  output.encoding = encoding
  output.begin('section', 1)
  const rows = parseCsv(text, /\.(tsv|tab)$/i.test(name) ? '\t' : findDelimiter(text))
  writeSheet(rows.map(toSheetRow), output, {}, { part: false })
  output.endUnit()
}

/** Finds the delimiter that gives most of the first lines the same number of cells. */
export function findDelimiter(text: string): string {
  const lines = text
    .slice(0, 100_000)
    .split(/\r\n?|\n/)
    .filter(Boolean)
    .slice(0, SAMPLE_LINES)
  const scores = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => parseCsv(line, delimiter)[0]?.length ?? 1)
    const [first = 1] = counts
    return first > 1 ? counts.filter((count) => count === first).length + first / 100 : 0
  })
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ','
}

/** Returns the cells of each line; a quoted cell may have line breaks. */
export function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const quoted = text[at] === '"' ? findQuoted(text, at) : undefined
    if (quoted) at = quoted.end
    const start = at
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
    row.push((quoted?.text ?? '') + text.slice(start, at))
    const next = text[at++]
    if (next === delimiter) {
      if (at >= text.length) row.push('')
      continue
    }
    if (next === '\r' && text[at] === '\n') at++
    rows.push(row)
    row = []
  }
  if (row.length) rows.push(row)
  return rows
}

/** Finds a cell in quotes. A quote that nothing closes is text. */
function findQuoted(text: string, start: number): { text: string; end: number } | undefined {
  const parts: string[] = []
  for (let at = start + 1; ;) {
    const close = text.indexOf('"', at)
    if (close < 0) return undefined
    parts.push(text.slice(at, close))
    if (text[close + 1] !== '"') return { text: parts.join('"'), end: close + 1 }
    at = close + 2
  }
}
