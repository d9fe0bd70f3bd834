import { escapeText, flattenTables, formatCode, formatTable } from '../text/markdown.ts'
import { formatNumber } from '../text/numbers.ts'
import type { BlockWriter } from '../text/sections.ts'
import { findChild, findElements, getAttribute, getText, isElement, isText, toInteger } from './document.ts'
import type { Element, Node } from './document.ts'
import { isLayout, listCells, listRows, readTable } from './tables.ts'
import { collapse, formatInline, formatLabels, formatPlain, isSkipped, MAX_DEPTH } from './inline.ts'

const BLOCKS = new Set(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup p plaintext pre search section select summary table tbody td tfoot th thead tr ul caption xmp'.split(
    ' ',
  ),
)

const isBlock = (node: Node): boolean => isElement(node) && BLOCKS.has(node.tagName)
const isList = (node: Node): boolean => isElement(node) && /^(ul|ol|menu|dir)$/.test(node.tagName)

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
      if (isSkipped(child)) continue
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
    if (depth > MAX_DEPTH) return writer.block(formatPlain(element))
    const { tagName: tag, childNodes } = element
    if (/^h[1-6]$/.test(tag)) return writer.heading(Number(tag[1]), formatInline(childNodes, depth))
    if (isList(element)) return writer.block(formatList(element, depth, ''))
    if (/^(pre|listing|xmp|plaintext)$/.test(tag))
      return writer.block(formatCode(getLines(element).trim(), getCodeLanguage(element)))
    if (tag === 'table') return writeTable(element, depth)
    if (tag === 'blockquote') return writer.block(quote(formatBlocks(childNodes, depth)))
    if (tag === 'hr') return undefined
    if (tag === 'dt') return writer.block(`**${formatInline(childNodes, depth).trim()}**`)
    if (tag === 'select') return writer.block(formatOptions(element))
    if (tag === 'svg') return writeDrawing(element, depth)
    return walkBlocks(childNodes, depth)
  }

  /** A table that lays out a page is no table: its cells are read one after the other. */
  const writeTable = (table: Element, depth: number): void => {
    const caption = findChild(table, 'caption')
    if (caption) writer.block(formatInline(caption.childNodes, depth).trim())
    if (isLayout(table)) {
      for (const row of listRows(table))
        for (const cell of listCells(row)) walkBlocks(cell.childNodes, depth + 1)
    } else writer.block(formatTable(readTable(table, (cell) => formatCell(cell, depth))))
  }

  /** A drawing has its labels, and pages within it. */
  const writeDrawing = (svg: Element, depth: number): void => {
    writer.block(formatLabels(svg, '\n'))
    for (const page of findElements(svg, 'foreignObject')) walkBlocks(page.childNodes, depth + 1)
  }

  walkBlocks(nodes, depth)
}

/** Formats blocks as one text, for quotes, list items and cells, where a heading begins no section. */
function formatBlocks(nodes: Iterable<Node>, depth: number): string {
  const blocks: string[] = []
  const block = (text: string): void => void (text.trim() && blocks.push(text))
  writeHtml(nodes, { block, heading: (_, text) => block(`**${text.trim()}**`) }, depth + 1)
  return blocks.join('\n\n')
}

/** Numbers of lists: values of the attribute `type`, and of the style `list-style-type`. */
const NUMBERS = new Map(
  Object.entries({
    a: 'lowerLetter',
    A: 'upperLetter',
    i: 'lowerRoman',
    I: 'upperRoman',
    'lower-alpha': 'lowerLetter',
    'lower-latin': 'lowerLetter',
    'upper-alpha': 'upperLetter',
    'upper-latin': 'upperLetter',
    'lower-roman': 'lowerRoman',
    'upper-roman': 'upperRoman',
    'lower-greek': 'lowerGreek',
    'decimal-leading-zero': 'decimalZero',
    'cjk-decimal': 'ideographDigital',
    'cjk-ideographic': 'chineseCounting',
    'trad-chinese-informal': 'chineseCounting',
    'simp-chinese-informal': 'chineseCounting',
    'simp-chinese-formal': 'chineseLegalSimplified',
    'trad-chinese-formal': 'ideographLegalTraditional',
    'cjk-heavenly-stem': 'ideographTraditional',
    'cjk-earthly-branch': 'ideographZodiac',
  }),
)

function formatList(list: Element, depth: number, indent: string): string {
  if (depth > MAX_DEPTH) return formatPlain(list)
  const items = listItems(list)
  const isNumbered = list.tagName === 'ol'
  const step = getAttribute(list, 'reversed') === undefined ? 1 : -1
  const style = /list-style(?:-type)?\s*:\s*([\w-]+)/i.exec(getAttribute(list, 'style') ?? '')?.[1]
  const format = NUMBERS.get(style ?? getAttribute(list, 'type') ?? '')
  let number = toInteger(getAttribute(list, 'start')) ?? (step > 0 ? 1 : items.filter(isItem).length)
  const lines: string[] = []
  for (const item of items) {
    let marker = '- '
    if (isItem(item) && isNumbered) {
      number = toInteger(getAttribute(item, 'value')) ?? number
      // Markdown has no numbers but digits.
      marker = format ? `- ${formatNumber(number, format)}. ` : `${number}. `
      number += step
    }
    const width = ' '.repeat(format ? 2 : marker.length)
    const nested: string[] = []
    const ownNodes: Node[] = []
    for (const child of Array.isArray(item) ? item : item.childNodes) {
      if (isElement(child) && isList(child)) nested.push(formatList(child, depth + 1, indent + width))
      else ownNodes.push(child)
    }
    const hasBlocks = ownNodes.some((node) => isBlock(node) || (isElement(node) && hasBlock(node, depth)))
    const text = hasBlocks ? formatBlocks(ownNodes, depth + 1) : formatInline(ownNodes, depth + 1).trim()
    if (text) lines.push(indent + marker + text.replaceAll('\n', `\n${indent}${width}`))
    lines.push(...nested)
  }
  return lines.filter((line) => line.trim()).join('\n')
}

/** Lists the items of a list; nodes between them that are none, one after the other, are an item too. */
function listItems(list: Element): (Element | Node[])[] {
  const items: (Element | Node[])[] = []
  for (const node of list.childNodes) {
    const last = items.at(-1)
    if (isElement(node) && isSkipped(node)) continue
    if (isElement(node) && isItem(node)) items.push(node)
    else if (Array.isArray(last)) last.push(node)
    else items.push([node])
  }
  return items
}

const isItem = (item: Element | Node[]): item is Element => !Array.isArray(item) && item.tagName === 'li'

const formatCell = (cell: Element, depth: number): string =>
  hasBlock(cell, depth)
    ? flattenTables(formatBlocks(cell.childNodes, depth + 1)).replace(/\n{2,}/g, '\n')
    : formatInline(cell.childNodes, depth + 1).trim()

/** Formats the choices of a list to choose from, one in a line. */
const formatOptions = (select: Element): string =>
  Array.from(findElements(select, 'option'), (option) =>
    escapeText(collapse(getText(option) || (getAttribute(option, 'label') ?? ''))),
  )
    .map((option) => `- ${option.trim()}`)
    .filter((option) => option !== '- ')
    .join('\n')

/** Returns the text of preformatted lines. */
function getLines(node: Node): string {
  if (isText(node)) return node.value
  if (!isElement(node) || isSkipped(node)) return ''
  if (node.tagName === 'br') return '\n'
  const text = node.childNodes.map(getLines).join('')
  return isBlock(node) && text && !text.endsWith('\n') ? `${text}\n` : text
}

const quote = (text: string): string => text.replace(/^/gm, '> ').replace(/^> $/gm, '>')

function getCodeLanguage(pre: Element): string {
  const [code] = findElements(pre, 'code')
  const classes = [pre, code].map((element) => (element && getAttribute(element, 'class')) ?? '').join(' ')
  return /\blang(?:uage)?-([\w+#-]+)/.exec(classes)?.[1] ?? ''
}

function hasBlock(element: Element, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  return element.childNodes.some(
    (child) => isBlock(child) || (isElement(child) && hasBlock(child, depth + 1)),
  )
}
