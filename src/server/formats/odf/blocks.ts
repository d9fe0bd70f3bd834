import { posix } from 'node:path'
import { findAll, findPath, getChildren, isNode, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import type { Output } from '../reading/output.ts'
import { formatHeadingNumber, formatItem } from '../office/numbering.ts'
import { escapeText, flattenTables, formatTable } from '../text/markdown.ts'
import type { BlockWriter } from '../text/sections.ts'
import { formatMathMl } from '../text/mathml.ts'
import type { SheetRow } from '../text/tables.ts'
import { formatComments, formatInline } from './inline.ts'
import { readRows } from './rows.ts'
import { OUTLINE } from './styles.ts'
import type { OdfStyles } from './styles.ts'

/** A document that is being read. `parse` returns a part of the file, or nothing where there is none. */
export type Odf = {
  output: Output
  styles: OdfStyles
  parse: (path: string) => XmlNode | undefined
  /** Numbers of the headings so far, by level, and of lists that go on. */
  counters: Map<string, number[]>
  /** Paths of the parts that are being read: an object may refer to one that it is within. */
  openPaths: Set<string>
}

/** Parts of a text that are no text, or of which the text is read elsewhere. */
const ASIDE =
  /^(table:tracked-changes|text:(tracked-changes|sequence-decls|variable-decls|user-field-decls)|office:annotation|office:annotation-end)$/

export function writeBlocks(parent: XmlNode | undefined, odf: Odf, writer: BlockWriter): void {
  for (const node of getChildren(parent)) {
    if (node.name === 'text:h') writeHeading(node, odf, writer)
    else if (node.name === 'text:p') {
      writer.block(formatInline(node, odf.styles).trim())
      writeAside(node, odf, writer)
    } else if (node.name === 'text:list') writeList(node, odf, writer)
    else if (node.name === 'table:table') {
      writer.block(formatTable(readRows(node, (cell) => formatCell(cell, odf)).map(toCells)))
      writeSurroundings(node, odf, writer)
    } else if (node.name === 'text:numbered-paragraph') writeNumbered(node, odf, writer)
    else if (/^presentation:(header|footer|date-time)-decl$/.test(node.name))
      writer.block(escapeText(textOfNode(node).trim()))
    else if (node.name === 'draw:frame') writeFrame(node, odf, writer)
    else if (node.name === 'office:forms') writeForms(node, writer)
    else if (!ASIDE.test(node.name)) writeBlocks(node, odf, writer)
  }
}

function writeHeading(node: XmlNode, odf: Odf, writer: BlockWriter): void {
  const level = Math.min(10, Math.max(1, Number(node.attributes['text:outline-level'] ?? 1) || 1))
  const text = formatInline(node, odf.styles)
  const isCounted =
    odf.styles.isNumbered(OUTLINE, level - 1) && node.attributes['text:is-list-header'] !== 'true'
  const counted =
    isCounted && text.trim() ? odf.styles.formatNumber(OUTLINE, count(odf, OUTLINE, level - 1)) : ''
  writer.heading(level + 1, formatHeadingNumber(readNumber(node) || counted) + text)
  writeAside(node, odf, writer)
}

/** Returns the number of an item or a heading where the file has it as it looks. */
const readNumber = (node: XmlNode): string => escapeText(textOfNode(findPath(node, 'text:number')).trim())

/** Writes a paragraph that is an item of a list without a list around it. */
function writeNumbered(node: XmlNode, odf: Odf, writer: BlockWriter): void {
  const blocks: string[] = []
  writeBlocks(node, odf, {
    heading: (_, text) => void blocks.push(text),
    block: (text) => void blocks.push(text),
  })
  writer.block([readNumber(node), ...blocks].filter((text) => text.trim()).join(' '))
}

/** Writes what a table has beside its rows: shapes and forms. */
export function writeSurroundings(table: XmlNode, odf: Odf, writer: BlockWriter): void {
  const children = getChildren(table).filter(({ name }) => !/^table:(table-|desc$|title$)/.test(name))
  writeBlocks({ ...table, children }, odf, writer)
}

/** Counts one more at a level, and returns the numbers of this level and those above. */
function count({ counters, styles }: Odf, list: string, level: number, start?: number): number[] {
  const numbers = counters.get(list) ?? []
  counters.set(list, numbers)
  for (let above = 0; above < level; above++) numbers[above] ??= styles.startOf(list, above)
  const last = numbers[level]
  numbers[level] = start ?? (last === undefined ? styles.startOf(list, level) : last + 1)
  numbers.length = level + 1
  return [...numbers]
}

/** Writes what a paragraph has beside its line: boxes, shapes, pictures, objects and comments. */
function writeAside(paragraph: XmlNode, odf: Odf, writer: BlockWriter): void {
  // Paragraphs within a shape write comments of their own.
  const annotations: XmlNode[] = []
  const walk = (node: XmlNode): void => {
    for (const child of getChildren(node)) {
      if (child.name === 'draw:frame') writeFrame(child, odf, writer)
      else if (/^(draw|dr3d):/.test(child.name)) writeBlocks(child, odf, writer)
      else if (child.name === 'office:annotation') annotations.push(child)
      else walk(child)
    }
  }
  walk(paragraph)
  for (const comment of formatComments(annotations, odf.styles)) writer.block(comment)
}

/** Writes a frame: the first of its substitutes that can be read. */
function writeFrame(frame: XmlNode, odf: Odf, writer: BlockWriter): void {
  const object = findPath(frame, 'draw:object')
  const name = textOfNode(findPath(frame, 'svg:desc') ?? findPath(frame, 'svg:title')).trim()
  if (object) return writeObject(object, name, odf, writer)
  if (findPath(frame, 'draw:object-ole')) odf.output.skip('unsupported', name || '嵌入的文件')
  else if (findPath(frame, 'draw:image')) {
    odf.output.skip('picture', name || '图片')
    if (name) writer.block(`![${escapeText(name.replace(/[[\]]/g, ''))}]()`)
  }
  writeBlocks(
    { ...frame, children: getChildren(frame).filter(({ name: child }) => !child.startsWith('svg:')) },
    odf,
    writer,
  )
}

/** Writes an embedded document: a formula, a chart, a table or a text. */
function writeObject(object: XmlNode, name: string, odf: Odf, writer: BlockWriter): void {
  const path = posix.join(object.attributes['xlink:href'] ?? '', 'content.xml')
  const isInline = getChildren(object).some(({ name: child }) => /^office:document$|(^|:)math$/.test(child))
  const content = isInline ? object : odf.openPaths.has(path) ? undefined : odf.parse(path)
  const math = getChildren(content).find((node) => /(^|:)math$/.test(node.name))
  if (math) writer.block(`$$${formatMathMl(toXml(math), textOfNode(math))}$$`)
  else if (isInline) writeBlocks(object, odf, writer)
  else if (content) writeBlocks(content, { ...odf, openPaths: new Set([...odf.openPaths, path]) }, writer)
  else odf.output.skip('unsupported', name || '嵌入的文件')
}

/** Writes a tree of MathML as XML without prefixes. */
function toXml(node: XmlNode): string {
  const name = node.name.replace(/^.*:/, '')
  const attributes = Object.entries(node.attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const children = node.children.map((child) => (isNode(child) ? toXml(child) : escapeXml(child)))
  return name === 'annotation' ? '' : `<${name}${attributes.join('')}>${children.join('')}</${name}>`
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Writes the labels and the values of a form's controls. */
function writeForms(forms: XmlNode, writer: BlockWriter): void {
  for (const node of getChildren(forms)) {
    const {
      'form:label': label = '',
      'form:current-value': current,
      'form:value': value = '',
    } = node.attributes
    const choice = /^form:(item|option)$/.test(node.name) ? textOfNode(node) : ''
    const paragraphs = getChildren(node, 'text:p').map(textOfNode)
    const texts = [label, current ?? value, choice, ...paragraphs].map((text) => text.trim()).filter(Boolean)
    if (!/^form:(form|hidden|connection-resource|properties)$/.test(node.name))
      writer.block(escapeText([...new Set(texts)].join('：')))
    writeForms(node, writer)
  }
}

/** Writes a list; one whose items are headings only gives them their numbers. */
function writeList(list: XmlNode, odf: Odf, writer: BlockWriter): void {
  if (findAll(list, 'text:h').length) return writeBlocks(list, odf, writer)
  writer.block(formatList(list, odf, 0))
  for (const item of getChildren(list)) writeItemAside(item, odf, writer)
}

function writeItemAside(item: XmlNode, odf: Odf, writer: BlockWriter): void {
  for (const node of getChildren(item)) {
    if (node.name === 'text:list') for (const nested of getChildren(node)) writeItemAside(nested, odf, writer)
    else if (node.name === 'text:p') writeAside(node, odf, writer)
  }
}

function formatList(
  list: XmlNode,
  odf: Odf,
  depth: number,
  style = list.attributes['text:style-name'] ?? '',
): string {
  const lines: string[] = []
  const { attributes } = list
  const goesOn =
    attributes['text:continue-numbering'] === 'true' || attributes['text:continue-list'] !== undefined
  const numbers = odf.counters.get(style)
  if (!goesOn && numbers) numbers.length = Math.min(numbers.length, depth)
  for (const item of getChildren(list)) {
    if (item.name !== 'text:list-item' && item.name !== 'text:list-header') continue
    const ownNodes = getChildren(item).filter(({ name }) => !/^text:(list|number)$/.test(name))
    const text = ownNodes
      .map((node) => formatInline(node, odf.styles).trim())
      .filter(Boolean)
      .join(' ')
    const start = Number(item.attributes['text:start-value'] ?? Number.NaN)
    const isCounted = item.name === 'text:list-item' && odf.styles.isNumbered(style, depth) && text !== ''
    const counted = isCounted
      ? odf.styles.formatNumber(style, count(odf, style, depth, Number.isFinite(start) ? start : undefined))
      : '-'
    const number = readNumber(item)
    if (text || number) lines.push(formatItem(depth, number || counted, text).trimEnd())
    for (const nested of getChildren(item, 'text:list')) {
      lines.push(formatList(nested, odf, depth + 1, nested.attributes['text:style-name'] ?? style))
    }
  }
  return lines.filter(Boolean).join('\n')
}

const toCells = ({ cells }: SheetRow): string[] =>
  Array.from({ length: Math.max(-1, ...cells.keys()) + 1 }, (_, column) => cells.get(column) ?? '')

/** Formats the blocks of a cell as one text. */
export function formatCell(cell: XmlNode, odf: Odf): string {
  const blocks: string[] = []
  writeBlocks(cell, odf, {
    heading: (_, text) => void blocks.push(text),
    block: (text) => void blocks.push(flattenTables(text)),
  })
  return blocks.filter((text) => text.trim()).join('\n')
}
