/** Rows of cells as a Markdown table. The first row is its header; shorter rows are filled up. */
export function formatTable(rows: string[][]): string {
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (!width) return ''
  const lines = rows.map((row) => {
    const cells = Array.from({ length: width }, (_, column) => escapeCell(row[column] ?? ''))
    return `| ${cells.join(' | ')} |`
  })
  lines.splice(1, 0, `|${' --- |'.repeat(width)}`)
  return lines.join('\n')
}

/** Text as itself: what looks like a tag would vanish from the page. */
export const escapeText = (text: string): string => text.replace(/<(?=[a-z!/?])/gi, '\\<')

/** A cell is one line. */
const escapeCell = (text: string): string =>
  text
    .trim()
    .replace(/\\(?=\||$)/g, '\\\\')
    .replaceAll('|', '\\|')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('<br>')

/** A table within a cell of another one is its words. */
export function flattenTables(markdown: string): string {
  const rule = /^\|(?: --- \|)+$\n?/gm
  return rule.test(markdown) ? markdown.replace(rule, '').replace(/(?<!\\)\|/g, ' ') : markdown
}

/** A block of code whose fence is longer than any in it. */
export function formatCode(text: string, language = ''): string {
  const longest = Math.max(
    2,
    ...Array.from(text.matchAll(/^[ \t]*(`{3,})/gm), ([, fence = '']) => fence.length),
  )
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}

export const formatHeading = (level: number, text: string): string =>
  `${'#'.repeat(Math.min(6, Math.max(1, level)))} ${text.replace(/\s+/g, ' ').trim()}`

/** 0 → A, 26 → AA: a column as spreadsheets name it. */
function formatColumn(index: number): string {
  let name = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCodePoint(65 + ((rest - 1) % 26)) + name
  }
  return name
}

/** Rows and columns from 0, the last ones included. */
export const formatRange = (top: number, left: number, bottom: number, right: number): string =>
  `${formatColumn(left)}${top + 1}:${formatColumn(right)}${bottom + 1}`
