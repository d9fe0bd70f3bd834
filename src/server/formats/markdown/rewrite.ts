import type { Node, Part, Range, Syntax } from '../rewriting/blocks.ts'
import type { Draft, Opened } from '../rewriting/draft.ts'
import { addHtml } from '../html/rewrite.ts'
import { readInline } from './inline-markdown.ts'
import type { InlineContext } from './inline-markdown.ts'
import { openPlain } from '../plain/rewrite.ts'
import { readLines } from '../text/lines.ts'
import type { Line } from '../text/lines.ts'

const FENCE = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/
const HEADING = /^( {0,3}#{1,6}[ \t]+)(.*?)(?:[ \t]+#+)?[ \t]*$/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const COLUMNS = /^[\s>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const PREFIX =
  /^[ \t]*(?:(?:>|[-*+](?=[ \t])(?:[ \t]+\[[ xX]\](?=[ \t]))?|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]+\]:)[ \t]*)*/
/** A grid table of Pandoc: cells between lines of `-` and `|`. */
const DRAWN_TABLE = /^[\s>]*\+[-=:+]{3,}\+\s*$/
/** The beginning of a box, with its title, or its end. */
const CONTAINER = /^\s*:{3,}(?:\s*[\w-]+)?(?:\s*\{[^}]*\})?\s*(.*)$/
const DEFINITION = /^ {0,3}\[([^\]^][^\]]*)\]:[ \t]*\S/
const HTML_BLOCK =
  /^ {0,3}<(?:!--|\/?(?:address|article|aside|blockquote|body|center|details|dialog|div|dl|dt|dd|fieldset|figure|figcaption|footer|form|h[1-6]|head|header|hr|html|iframe|li|link|main|menu|meta|nav|ol|p|pre|script|section|source|style|summary|table|tbody|td|textarea|tfoot|th|thead|title|tr|ul|video)\b)/i
/** Fields of the front matter that a reader is shown. */
const FRONT = /^(title|description|summary|subtitle|excerpt|abstract)\s*:\s*(["']?)(.+?)\2\s*$/i

/** Text at the start of a line that would begin a block of its own. */
const BEGINNING = /^(#{1,6}\s|[-+*]\s|\d+[.)]\s|>|`{3}|~{3}|\|)/
const textSyntax: Syntax = {
  write(text, raw) {
    const line = text.replace(/\s*[\r\n]+\s*/g, ' ')
    return BEGINNING.test(line) && !BEGINNING.test(raw) ? `\\${line}` : line
  },
}
/** Syntax of pictures' texts and links' titles, without marks that would end them. */
const shownSyntax: Syntax = { write: (text) => text.replace(/[\r\n]+/g, ' ').replace(/["'()[\]]/g, '') }
const cellSyntax: Syntax = {
  write: (text) => text.replace(/\s*[\r\n]+\s*/g, ' ').replace(/\\?\|/g, '\\|'),
}

/** Opens Markdown block by block. Code, formulas, addresses, definitions of links and the marks of blocks stay as they are. */
export const openMarkdown = (bytes: Buffer): Opened =>
  openPlain(bytes, 'md', textSyntax, (part, draft) => {
    const lines = readLines(part.source)
    const definitions = new Set(
      lines.flatMap(({ text }) => DEFINITION.exec(text)?.[1]?.trim().toLowerCase() ?? []),
    )
    const reader = createReader(part, draft, definitions)
    let at = addFrontMatter(part, draft, lines)
    let isInList = false
    while (at < lines.length) {
      const line = lines[at]!
      const { text } = line
      const isAfterBlank = at === 0 || !lines[at - 1]?.text.trim()
      if (/^\S/.test(text) && isAfterBlank) isInList = false
      if (/^\s*([-*+]|\d+[.)])\s/.test(text)) isInList = true
      const length = skipCode(lines, at, isInList, isAfterBlank)
      if (length > 0) {
        draft.keep('code', '')
        at += length
      } else if (DRAWN_TABLE.test(text)) {
        draft.keep('drawn_table', '', { line: line.line })
        while (lines[at]?.text.trim()) at++
      } else if (CONTAINER.test(text)) {
        const title = CONTAINER.exec(text)?.[1] ?? ''
        const nodes: Node[] = [{ kind: 'text', start: line.end - title.length, end: line.end, text: title }]
        draft.add(part, nodes, { line: line.line })
        at++
      } else if (/^[\s>]*$/.test(text) || RULE.test(text) || DEFINITION.test(text)) at++
      else if (HTML_BLOCK.test(text)) at = addHtmlBlock(part, draft, lines, at)
      else if (
        text.includes('|') &&
        COLUMNS.test(lines[at + 1]?.text ?? '') &&
        lines[at + 1]?.text.includes('-')
      ) {
        at = reader.addTable(lines, at)
      } else at = reader.addParagraph(lines, at)
    }
  })

function addFrontMatter(part: Part, draft: Draft, lines: Line[]): number {
  if (lines[0]?.text.trim() !== '---') return 0
  const end = lines.findIndex(({ text }, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(text))
  if (end < 0) return 0
  for (const { text, start, line } of lines.slice(1, end)) {
    const match = FRONT.exec(text)
    const value = match?.[3]
    if (!match || value === undefined) continue
    const from = start + match[0].lastIndexOf(value)
    const quote = match[2] ?? ''
    const write = (translation: string): string =>
      quote
        ? translation.replaceAll(quote, quote === '"' ? '\\"' : "''")
        : translation.replace(/:(?=\s|$)/g, '：')
    draft.add(
      part,
      [{ kind: 'text', start: from, end: from + value.length, text: value }],
      { line },
      { syntax: { write } },
    )
  }
  return end + 1
}

/** Returns the number of lines of code that begin here. */
function skipCode(lines: Line[], at: number, isInList: boolean, isAfterBlank: boolean): number {
  const fence = FENCE.exec(lines[at]?.text ?? '')?.[1]
  if (fence) {
    const close = lines.findIndex(
      ({ text }, index) => index > at && new RegExp(`^[\\s>]*${fence[0]}{${fence.length},}\\s*$`).test(text),
    )
    return (close < 0 ? lines.length : close + 1) - at
  }
  let length = 0
  if (/^[\s>]*>\s*$/.test(lines[at - 1]?.text ?? ''))
    while (/^ {0,3}(?:> ?)*>(?: {5}|\t)\s*\S/.test(lines[at + length]?.text ?? '')) length++
  if (!isAfterBlank || isInList || length) return length
  while (/^( {4}|\t)\s*\S/.test(lines[at + length]?.text ?? '')) length++
  return length
}

function addHtmlBlock(part: Part, draft: Draft, lines: Line[], at: number): number {
  const raw = /^ {0,3}<(script|style|pre|textarea|!--)/i.exec(lines[at]?.text ?? '')?.[1]?.toLowerCase()
  let end = at
  const isLast = (text: string): boolean =>
    raw ? text.toLowerCase().includes(raw === '!--' ? '-->' : `</${raw}`) : !text.trim()
  while (end < lines.length && !isLast(lines[end]?.text ?? '')) end++
  const last = lines[Math.min(end, lines.length - 1)]
  const first = lines[at]
  if (first && last) addHtml(part, draft, { line: first.line }, { start: first.start, end: last.end })
  return end + 1
}

type Reader = {
  /** Both return the index of the line behind those that they read. */
  addParagraph: (lines: Line[], at: number) => number
  addTable: (lines: Line[], at: number) => number
}

function createReader(part: Part, draft: Draft, definitions: Set<string>): Reader {
  const { source } = part
  const heading: string[] = []
  const read = (range: Range, line: number): Node[] => {
    const onShown = ({ start, end }: Range): void => {
      const options = { syntax: shownSyntax }
      draft.add(part, [{ kind: 'text', start, end, text: source.slice(start, end) }], { line }, options)
    }
    const context: InlineContext = { definitions, onShown }
    return readInline(source, range, context)
  }
  const place = (line: number): { line: number; heading?: string[] } =>
    heading.length ? { line, heading: [...heading] } : { line }
  const addHeading = (level: number, range: Range, line: number): void => {
    draft.add(part, read(range, line), place(line))
    heading.length = Math.min(heading.length, level - 1)
    heading.push(source.slice(range.start, range.end).trim().slice(0, 200))
  }
  return {
    addParagraph(lines, at) {
      const first = lines[at]!
      const [prefix = ''] = PREFIX.exec(first.text) ?? []
      const [, marks = '', title = ''] = HEADING.exec(first.text.slice(prefix.length)) ?? []
      const start = first.start + prefix.length
      if (marks) {
        const from = start + marks.length
        addHeading(marks.trim().length, { start: from, end: from + title.length }, first.line)
        return at + 1
      }
      let last = at
      while (goesOn(lines, last, prefix)) last++
      const end = lines[last]?.end ?? start
      const underline = prefix ? undefined : UNDERLINE.exec(lines[last + 1]?.text ?? '')?.[1]
      if (underline) {
        addHeading(underline.startsWith('=') ? 1 : 2, { start, end }, first.line)
        return last + 2
      }
      const open = prefix.trim() ? '<br>' : first.eol + first.eol + prefix
      const beside = { at: end - (/\s*$/.exec(source.slice(start, end))?.[0].length ?? 0), open, close: '' }
      draft.add(part, read({ start, end }, first.line), place(first.line), { beside })
      return last + 1
    },
    addTable(lines, at) {
      let row = at
      for (; row < lines.length && lines[row]?.text.includes('|'); row++) {
        const line = lines[row]!
        if (row === at + 1) continue
        for (const range of splitRow(line)) {
          const beside = { at: range.end, open: '<br>', close: '' }
          draft.add(part, read(range, line.line), place(line.line), { syntax: cellSyntax, beside })
        }
      }
      return row
    },
  }
}

/** Tells whether the next line is of the same paragraph. */
function goesOn(lines: Line[], at: number, prefix: string): boolean {
  const next = lines[at + 1]?.text
  if (next === undefined || !next.trim()) return false
  if (
    RULE.test(next) ||
    UNDERLINE.test(next) ||
    FENCE.test(next) ||
    HTML_BLOCK.test(next) ||
    DRAWN_TABLE.test(next) ||
    CONTAINER.test(next) ||
    DEFINITION.test(next)
  )
    return false
  const [ownPrefix = ''] = PREFIX.exec(next) ?? []
  const rest = next.slice(ownPrefix.length)
  if (HEADING.test(rest) || !rest.trim() || FENCE.test(rest)) return false
  const marks = ownPrefix.replace(/[\s>]/g, '')
  const isQuote = ownPrefix.includes('>')
  return (
    !marks &&
    (!isQuote || prefix.includes('>')) &&
    !COLUMNS.test(lines[at + 2]?.text.includes('|') ? lines[at + 2]!.text : 'x')
  )
}

/** Splits a row into its cells, without the white space around them. A bar in code or behind a backslash is text. */
function splitRow({ text, start }: Line): Range[] {
  const cells: Range[] = []
  let from = 0
  const end = (to: number): void => {
    const cell = text.slice(from, to)
    const lead = /^[\s>]*/.exec(cell)?.[0].length ?? 0
    if (cell.trim()) cells.push({ start: start + from + lead, end: start + from + cell.trimEnd().length })
    from = to + 1
  }
  for (const { 0: token, index } of text.matchAll(/\\.|`+[^`]*`+|\|/g)) if (token === '|') end(index)
  end(text.length)
  return cells
}
