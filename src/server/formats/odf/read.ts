import { AppError } from '#server/core/app-error.ts'
import { findAll, findPath, getChildren, isNode, parseXml, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, flattenTables, formatHeading, formatTable } from '../text/markdown.ts'
import { Sections } from '../text/sections.ts'
import type { BlockWriter } from '../text/sections.ts'
import { toSheetRow, writeSheet } from '../text/tables.ts'
import type { SheetRow } from '../text/tables.ts'

/** Limits for rows and cells that state how often they repeat: sheets end in a million empty ones. */
const MAX_REPEATED = 1000
const MAX_COLUMNS = 1000

type Odf = { output: Output; numbered: Set<string> }

/** Reads texts, sheets and slides of OpenDocument. */
export async function readOdf(zip: Zip, output: Output): Promise<void> {
  const read = (name: string): XmlNode | undefined => {
    const entry = zip.find(name)
    return entry ? parseXml(zip.read(entry)) : undefined
  }
  if (findAll(read('META-INF/manifest.xml'), 'manifest:encryption-data').length)
    throw new AppError('document_encrypted')
  const content = read('content.xml')
  if (!content) throw new AppError('document_damaged')
  output.title = textOfNode(findAll(read('meta.xml'), 'dc:title')[0]) || undefined
  const lists = [content, read('styles.xml')].flatMap((part) => findAll(part, 'text:list-style'))
  const numbered = lists.filter((style) => getChildren(style)[0]?.name === 'text:list-level-style-number')
  const odf: Odf = {
    output,
    numbered: new Set(numbered.map(({ attributes }) => attributes['style:name'] ?? '')),
  }
  const body = getChildren(findAll(content, 'office:body')[0])[0]
  if (body?.name === 'office:spreadsheet') return readSheets(body, odf)
  if (body?.name === 'office:presentation' || body?.name === 'office:drawing') return readSlides(body, odf)
  output.begin('section', 1)
  const sections = new Sections(output)
  writeBlocks(body, odf, sections)
  sections.end()
  output.endUnit()
}

function readSheets(body: XmlNode, odf: Odf): void {
  const sheets = getChildren(body, 'table:table')
  odf.output.begin('sheet', sheets.length)
  for (const table of sheets) {
    const sheet = table.attributes['table:name'] ?? ''
    writeSheet(readRows(table, odf), odf.output, { sheet }, { heading: formatHeading(2, escapeText(sheet)) })
    odf.output.endUnit()
  }
}

function readSlides(body: XmlNode, odf: Odf): void {
  const pages = getChildren(body, 'draw:page')
  odf.output.begin('slide', pages.length)
  for (const [index, page] of pages.entries()) {
    const blocks: string[] = []
    const writer = collect(blocks)
    const isTitle = (node: XmlNode): boolean => node.attributes['presentation:class'] === 'title'
    const shapes = getChildren(page)
    for (const title of shapes.filter(isTitle)) writer.heading(1, formatInline(title))
    writeBlocks(
      { ...page, children: shapes.filter((node) => !isTitle(node) && node.name !== 'presentation:notes') },
      odf,
      writer,
    )
    const notes: string[] = []
    writeBlocks(findPath(page, 'presentation:notes'), odf, collect(notes))
    if (notes.length) blocks.push(`> 备注：${notes.join('\n').replaceAll('\n', '\n> ')}`)
    odf.output.add(blocks.join('\n\n'), { slide: index + 1 })
    odf.output.endUnit()
  }
}

const collect = (blocks: string[]): BlockWriter => ({
  heading: (level, text) => void (text.trim() && blocks.push(formatHeading(level, text))),
  block: (text) => void (text.trim() && blocks.push(text)),
})

function writeBlocks(parent: XmlNode | undefined, odf: Odf, writer: BlockWriter): void {
  for (const node of getChildren(parent)) {
    if (node.name === 'text:h')
      writer.heading(Number(node.attributes['text:outline-level'] ?? 1) + 1, formatInline(node))
    else if (node.name === 'text:p') {
      writer.block(formatInline(node).trim())
      for (const box of findAll(node, 'draw:text-box')) writeBlocks(box, odf, writer)
    } else if (node.name === 'text:list') writer.block(formatList(node, odf, 0))
    else if (node.name === 'table:table') writer.block(formatTable(readRows(node, odf).map(toCells)))
    else if (node.name === 'draw:frame' && getChildren(node)[0]?.name === 'draw:image')
      writePicture(node, odf, writer)
    else if (
      /^(text:(tracked-changes|sequence-decls|variable-decls)|office:forms|office:annotation)$/.test(
        node.name,
      )
    )
      continue
    else writeBlocks(node, odf, writer)
  }
}

function writePicture(frame: XmlNode, { output }: Odf, writer: BlockWriter): void {
  const title = textOfNode(findPath(frame, 'svg:desc') ?? findPath(frame, 'svg:title')).trim()
  output.skip('picture', title || '图片')
  if (title) writer.block(`![${escapeText(title.replace(/[[\]]/g, ''))}]()`)
}

function formatList(
  list: XmlNode,
  odf: Odf,
  depth: number,
  style = list.attributes['text:style-name'] ?? '',
): string {
  const lines: string[] = []
  let number = 1
  for (const item of getChildren(list)) {
    if (item.name !== 'text:list-item' && item.name !== 'text:list-header') continue
    const ownNodes = getChildren(item).filter((node) => node.name !== 'text:list')
    const text = ownNodes
      .map((node) => formatInline(node).trim())
      .filter(Boolean)
      .join(' ')
    const marker = odf.numbered.has(style) ? `${number++}.` : '-'
    if (text) lines.push(`${'  '.repeat(depth)}${marker} ${text.replaceAll('\n', ' ')}`)
    for (const nested of getChildren(item, 'text:list')) {
      lines.push(formatList(nested, odf, depth + 1, nested.attributes['text:style-name'] ?? style))
    }
  }
  return lines.filter(Boolean).join('\n')
}

function formatInline(node: XmlNode): string {
  return node.children
    .map((child): string => {
      if (!isNode(child)) return escapeText(child.replace(/\s+/g, ' '))
      if (child.name === 'text:s')
        return ' '.repeat(Math.min(100, Number(child.attributes['text:c'] ?? 1) || 1))
      if (child.name === 'text:tab') return '\t'
      if (child.name === 'text:line-break') return '\n'
      if (child.name === 'text:note')
        return `（${formatInline(findPath(child, 'text:note-body') ?? child).trim()}）`
      if (/^(office:annotation|draw:frame|svg:|text:(tracked|bookmark))/.test(child.name)) return ''
      const inner = formatInline(child)
      return child.name === 'text:p' ? `${inner}\n` : inner
    })
    .join('')
}

const toCells = ({ cells }: SheetRow): string[] =>
  Array.from({ length: Math.max(-1, ...cells.keys()) + 1 }, (_, column) => cells.get(column) ?? '')

/** Reads the cells of a table; a cell that spans others is repeated in each place that it covers. */
function readRows(table: XmlNode, odf: Odf): SheetRow[] {
  const rows: SheetRow[] = []
  const coveredCells = new Map<number, { text: string; rows: number }>()
  let index = 0
  for (const row of findAll(table, 'table:table-row')) {
    const cells: string[] = []
    for (const cell of getChildren(row)) {
      if (!/^table:(covered-)?table-cell$/.test(cell.name)) continue
      const getNumber = (name: string): number =>
        Math.max(1, Number(cell.attributes[`table:${name}`] ?? 1) || 1)
      const repeatCount = Math.min(getNumber('number-columns-repeated'), MAX_COLUMNS - cells.length)
      const [columnsSpanned, rowsSpanned] = [
        getNumber('number-columns-spanned'),
        getNumber('number-rows-spanned'),
      ]
      const text = formatTableCell(cell, odf)
      for (let at = 0; at < repeatCount; at++) {
        const above = coveredCells.get(cells.length)
        const isCovered = cell.name === 'table:covered-table-cell' && above && above.rows > 0
        if (isCovered) above.rows--
        cells.push(isCovered ? above.text : text)
      }
      const first = cells.length - 1
      for (let column = first; text && column < Math.min(first + columnsSpanned, MAX_COLUMNS); column++) {
        if (columnsSpanned * rowsSpanned > 1)
          coveredCells.set(column, { text, rows: rowsSpanned - (column === first ? 1 : 0) })
      }
    }
    const times = Math.max(1, Number(row.attributes['table:number-rows-repeated'] ?? 1) || 1)
    const sheetRow = toSheetRow(cells, index)
    for (let at = 0; sheetRow.cells.size && at < Math.min(times, MAX_REPEATED); at++)
      rows.push({ ...sheetRow, index: index + at })
    index += times
  }
  return rows
}

function formatTableCell(cell: XmlNode, odf: Odf): string {
  const blocks: string[] = []
  writeBlocks(cell, odf, {
    heading: (_, text) => void blocks.push(text),
    block: (text) => void blocks.push(flattenTables(text)),
  })
  return blocks.filter((text) => text.trim()).join('\n')
}
