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
  if (!rule.test(markdown)) return markdown
  return markdown
    .replace(rule, '')
    .replace(/^\| | \|$/gm, '')
    .replace(/ ?(?<!\\)\| ?/g, ' ')
    .trimEnd()
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

const SUPERSCRIPTS = toCharacterMap('0123456789+-−=()ni', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ')
const SUBSCRIPTS = toCharacterMap('0123456789+-−=()', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎')

function toCharacterMap(plain: string, marked: string): Map<string, string> {
  const characters = Array.from(marked)
  return new Map(Array.from(plain, (character, at) => [character, characters[at]!]))
}

/** Writes a superscript or a subscript: by Unicode's own characters, and by tags where it has none for this text. */
export function formatScript(text: string, script: 'sup' | 'sub'): string {
  const inner = text.trim()
  if (!inner) return text
  const characters = Array.from(inner, (character) =>
    (script === 'sup' ? SUPERSCRIPTS : SUBSCRIPTS).get(character),
  )
  const marked = characters.includes(undefined) ? `<${script}>${inner}</${script}>` : characters.join('')
  return text.replace(inner, () => marked)
}

/** Strikes out the words of a text, not the white space beside them. */
export function strikeOut(markdown: string): string {
  const inner = markdown.trim()
  return inner ? markdown.replace(inner, () => `~~${inner}~~`) : markdown
}

/** Marks of characters that change what they mean. */
type Marks = { script?: 'sup' | 'sub' | '' | undefined; isStruckOut?: boolean | undefined }

/** Adds marks to Markdown. */
export function addMarks(markdown: string, { script, isStruckOut }: Marks): string {
  const written = script ? formatScript(markdown, script) : markdown
  return isStruckOut ? strikeOut(written) : written
}

/** Writes a phonetic guide behind the characters that it belongs to: 北京（běi jīng）. */
export const formatPhonetic = (base: string, reading: string): string =>
  reading.trim() ? `${base}（${reading.trim()}）` : base

/** Formats numbers as ranges: `3–7、9`. */
export function formatRanges(numbers: number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range && number === range[1] + 1) range[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join('、')
}

/** Formats text as a link to a page or a mail address; other targets lead nowhere from here. */
export function formatLink(markdown: string, target: string): string {
  const text = markdown.trim()
  const isOpen = text && /^(https?|mailto):/i.test(target)
  return isOpen ? `[${text}](${target.replace(/[\s()]/g, encodeURIComponent)})` : markdown
}
