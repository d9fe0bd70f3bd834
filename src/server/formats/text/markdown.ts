/** Formats rows of cells as a Markdown table. The first row is its header; shorter rows are filled up. */
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

/** Escapes what looks like a tag, which would vanish from the page. */
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

/** Reduces a table within another table's cell to its words. */
export function flattenTables(markdown: string): string {
  const rule = /^\|(?: --- \|)+$\n?/gm
  return rule.test(markdown) ? markdown.replace(rule, '').replace(/(?<!\\)\|/g, ' ') : markdown
}

/** Formats a block of code with a fence that is longer than any in it. */
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

/** Names a column as spreadsheets do: 0 → A, 26 → AA. */
function formatColumn(index: number): string {
  let name = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCodePoint(65 + ((rest - 1) % 26)) + name
  }
  return name
}

/** Formats a range; rows and columns count from 0, the last ones included. */
export const formatRange = (top: number, left: number, bottom: number, right: number): string =>
  `${formatColumn(left)}${top + 1}:${formatColumn(right)}${bottom + 1}`
