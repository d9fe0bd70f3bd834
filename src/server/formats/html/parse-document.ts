import { createRequire } from 'node:module'
import { escapeText, flattenTables, formatCode, formatTable } from '../text/markdown.ts'
import type { BlockWriter } from '../text/sections.ts'

// Loaded with the first document: it has two hundred files, none of which a start needs.
const require = createRequire(import.meta.url)
const loadLinkedom = () => require('linkedom') as typeof import('linkedom')

/** Deepest nesting of elements; deeper ones are read as their plain text. */
const MAX_DEPTH = 200
/** Limits of a cell's span and of a row's columns, so that a false claim does not fill the memory. */
const MAX_SPAN = 100
const MAX_COLUMNS = 500

const DROPPED = new Set(
  'script style noscript template head title meta link svg iframe object embed canvas datalist dialog'.split(
    ' ',
  ),
)
const BLOCKS = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul caption video audio'.split(
    ' ',
  ),
)

/** The part of the DOM that is used here: the server has no types of a browser. */
export type Node = { nodeType: number; textContent: string | null; childNodes: Iterable<Node> }
export type Element = Node & {
  localName: string
  className: string
  children: Iterable<Element>
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): Iterable<Element>
  closest(selector: string): Element | null
}
export type HtmlDocument = Element & { body: Element }

const isElement = (node: Node): node is Element => node.nodeType === 1
const getTag = (element: Element): string => element.localName.toLowerCase()
const isBlock = (node: Node): boolean => isElement(node) && BLOCKS.has(getTag(node))

export function parseDocument(html: string): HtmlDocument {
  // A fragment without <html> would have no body.
  const page = /<body[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`
  // The types of linkedom refer to those of a browser, which the server does not have.
  const { document }: { document: unknown } = loadLinkedom().parseHTML(page)
  return document as HtmlDocument
}

/** Writes the blocks of these nodes as Markdown. */
export function writeHtml(nodes: Iterable<Node>, writer: BlockWriter, depth = 0): void {
  const walkBlocks = (nodes: Iterable<Node>, depth: number): void => {
    let inline: Node[] = []
    const flush = (): void => {
      writer.block(formatInline(inline, depth).trim())
      inline = []
    }
    for (const child of nodes) {
      if (!isElement(child)) {
        inline.push(child)
        continue
      }
      if (DROPPED.has(getTag(child)) || isHidden(child)) continue
      if (!isBlock(child) && !hasBlock(child, depth)) {
        inline.push(child)
        continue
      }
      flush()
      writeBlock(child, depth + 1)
    }
    flush()
  }

  const writeBlock = (element: Element, depth: number): void => {
    if (depth > MAX_DEPTH) return writer.block(collapse(element.textContent ?? ''))
    const tag = getTag(element)
    if (/^h[1-6]$/.test(tag)) return writer.heading(Number(tag[1]), formatInline([element], depth))
    if (tag === 'ul' || tag === 'ol') return writer.block(formatList(element, depth, ''))
    if (tag === 'pre') return writer.block(formatCode(element.textContent ?? '', getCodeLanguage(element)))
    if (tag === 'table') return writeTable(element, depth)
    if (tag === 'blockquote') return writer.block(quote(formatBlocks(element.childNodes, depth)))
    if (tag === 'hr') return undefined
    if (tag === 'dt') return writer.block(`**${formatInline([element], depth).trim()}**`)
    return walkBlocks(element.childNodes, depth)
  }

  /** A table that lays out a page is no table: its cells are read one after the other. */
  const writeTable = (table: Element, depth: number): void => {
    const caption = table.querySelector('caption')?.textContent
    if (caption?.trim()) writer.block(collapse(caption))
    if (isLayout(table)) {
      for (const cell of table.querySelectorAll('td, th')) {
        if (cell.closest('table') === table) walkBlocks(cell.childNodes, depth + 1)
      }
    } else writer.block(formatTable(readTable(table, depth)))
  }

  walkBlocks(nodes, depth)
}

/** A cell of a table of data is short, whatever is in it. */
const MAX_CELL_CHARS = 1000

function isLayout(table: Element): boolean {
  const rows = [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table)
  const cells = rows.map((row) => [...row.children])
  if (!cells.some((row) => row.length > 1 || row[0]?.hasAttribute('colspan'))) return true
  const isLong = (cell: Element): boolean => (cell.textContent?.length ?? 0) > MAX_CELL_CHARS
  return table.querySelector('table') !== null && (rows.length < 2 || cells.some((row) => row.some(isLong)))
}

/** Formats blocks as one text, for quotes, list items and cells, where a heading begins no section. */
function formatBlocks(nodes: Iterable<Node>, depth: number): string {
  const blocks: string[] = []
  const block = (text: string): void => void (text.trim() && blocks.push(text))
  writeHtml(nodes, { block, heading: (_, text) => block(`**${text.trim()}**`) }, depth + 1)
  return blocks.join('\n\n')
}

function formatList(list: Element, depth: number, indent: string): string {
  if (depth > MAX_DEPTH) return collapse(list.textContent ?? '')
  let number = Number(list.getAttribute('start') ?? 1) || 1
  const lines: string[] = []
  for (const item of list.children) {
    const tag = getTag(item)
    if (tag === 'ul' || tag === 'ol') {
      lines.push(formatList(item, depth + 1, `${indent}  `))
      continue
    }
    const marker = getTag(list) === 'ol' ? `${number++}. ` : '- '
    const nested: string[] = []
    const ownNodes: Node[] = []
    for (const child of item.childNodes) {
      if (isElement(child) && /^[uo]l$/.test(getTag(child))) {
        nested.push(formatList(child, depth + 1, `${indent}${' '.repeat(marker.length)}`))
      } else ownNodes.push(child)
    }
    const hasBlocks = ownNodes.some((node) => isBlock(node) || (isElement(node) && hasBlock(node, depth)))
    const text = hasBlocks ? formatBlocks(ownNodes, depth + 1) : formatInline(ownNodes, depth + 1).trim()
    lines.push(indent + marker + text.replaceAll('\n', `\n${indent}${' '.repeat(marker.length)}`), ...nested)
  }
  return lines.filter((line) => line.trim()).join('\n')
}

/** Reads the cells of a table; a cell that spans others is repeated in each place that it covers. */
function readTable(table: Element, depth = 0): string[][] {
  const rows: string[][] = []
  /** Column → text of a cell from above, and how many more rows it covers. */
  const hanging = new Map<number, { text: string; rows: number }>()
  for (const row of table.querySelectorAll('tr')) {
    if (row.closest('table') !== table) continue
    const cells: string[] = []
    const fill = (): void => {
      for (let above = hanging.get(cells.length); above; above = hanging.get(cells.length)) {
        if (--above.rows <= 0) hanging.delete(cells.length)
        cells.push(above.text)
      }
    }
    for (const cell of row.children) {
      if (!/^t[dh]$/.test(getTag(cell))) continue
      fill()
      const text = formatCell(cell, depth)
      const getSpan = (name: string): number =>
        Math.min(MAX_SPAN, Math.max(1, Number.parseInt(cell.getAttribute(name) ?? '1', 10) || 1))
      const below = getSpan('rowspan') - 1
      for (let span = getSpan('colspan'); span > 0 && cells.length < MAX_COLUMNS; span--) {
        if (below > 0) hanging.set(cells.length, { text, rows: below })
        cells.push(text)
      }
    }
    fill()
    if (cells.length) rows.push(cells)
  }
  return rows
}

const formatCell = (cell: Element, depth: number): string =>
  hasBlock(cell, depth)
    ? flattenTables(formatBlocks(cell.childNodes, depth + 1)).replace(/\n{2,}/g, '\n')
    : formatInline([...cell.childNodes], depth + 1).trim()

function formatInline(nodes: Node[], depth: number): string {
  const text = nodes.map((node) => formatInlineNode(node, depth)).join('')
  return text.replace(/[ \t]*\n[ \t]*/g, '\n').replace(/ {2,}/g, ' ')
}

function formatInlineNode(node: Node, depth: number): string {
  if (node.nodeType === 3) return escapeText(collapse(node.textContent ?? ''))
  if (!isElement(node) || isHidden(node)) return ''
  const tag = getTag(node)
  if (DROPPED.has(tag)) return ''
  if (depth > MAX_DEPTH) return collapse(node.textContent ?? '')
  if (tag === 'br') return '\n'
  if (tag === 'img') return formatImage(node)
  if (tag === 'input') return formatInput(node)
  if (tag === 'textarea') return collapse(node.textContent ?? '')
  if (tag === 'annotation') return ''
  const inner = formatInline([...node.childNodes], depth + 1)
  if (!inner.trim()) return inner
  if (tag === 'strong' || tag === 'b') return wrap(inner, '**')
  if (tag === 'em' || tag === 'i') return wrap(inner, '*')
  if (tag === 'del' || tag === 's') return wrap(inner, '~~')
  if (tag === 'code' || tag === 'kbd' || tag === 'samp') return inner.includes('`') ? inner : wrap(inner, '`')
  if (tag === 'a') return formatLink(inner, (node.getAttribute('href') ?? '').trim())
  return BLOCKS.has(tag) ? `\n${inner}\n` : inner
}

/** Puts marks around the words, not around the white space beside them. */
function wrap(text: string, mark: string, end = mark): string {
  const inner = text.trim()
  const start = text.indexOf(inner)
  return text.slice(0, start) + mark + inner + end + text.slice(start + inner.length)
}

function formatLink(text: string, href: string): string {
  if (!/^(https?:|mailto:)/i.test(href) || text.includes('](')) return text
  const target = href.replace(/[\s()<>]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
  return wrap(text.replaceAll('\n', ' '), '[', `](${target})`)
}

const formatImage = (image: Element): string => {
  const alt = collapse(image.getAttribute('alt') ?? '').trim()
  return alt ? `![${alt.replace(/[[\]]/g, '')}]()` : ''
}

function formatInput(input: Element): string {
  const type = input.getAttribute('type') ?? 'text'
  if (type === 'checkbox' || type === 'radio') return input.hasAttribute('checked') ? '[x] ' : '[ ] '
  return type === 'text' ? (input.getAttribute('value') ?? '') : ''
}

const quote = (text: string): string => text.replace(/^/gm, '> ').replace(/^> $/gm, '>')
const collapse = (text: string): string => text.replace(/[\s\u200B]+/g, ' ')
const getCodeLanguage = (pre: Element): string =>
  /\blang(?:uage)?-([\w+#-]+)/.exec(`${pre.className} ${pre.querySelector('code')?.className ?? ''}`)?.[1] ??
  ''

function isHidden(element: Element): boolean {
  const style = element.getAttribute('style')
  return (
    element.hasAttribute('hidden') ||
    (style !== null && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style))
  )
}

function hasBlock(element: Element, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  for (const child of element.childNodes) {
    if (isBlock(child) || (isElement(child) && hasBlock(child, depth + 1))) return true
  }
  return false
}
