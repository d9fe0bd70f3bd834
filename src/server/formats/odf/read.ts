import { AppError } from '#server/core/app-error.ts'
import { findAll, findPath, getChildren, parseXml, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatHeading, formatRanges } from '../text/markdown.ts'
import { Sections } from '../text/sections.ts'
import type { BlockWriter } from '../text/sections.ts'
import { writeSheet } from '../text/tables.ts'
import { formatCell, writeBlocks, writeSurroundings } from './blocks.ts'
import type { Odf } from './blocks.ts'
import { formatComments, formatInline } from './inline.ts'
import { readRows } from './rows.ts'
import { readOdfStyles } from './styles.ts'

/** Reads texts, sheets and slides of OpenDocument. */
export async function readOdf(zip: Zip, output: Output): Promise<void> {
  const parse = (name: string): XmlNode | undefined => {
    const entry = zip.find(name)
    return entry ? parseXml(zip.read(entry)) : undefined
  }
  if (findAll(parse('META-INF/manifest.xml'), 'manifest:encryption-data').length)
    throw new AppError('document_encrypted')
  const content = parse('content.xml')
  if (!content) throw new AppError('document_damaged')
  const pages = parse('styles.xml')
  output.title = textOfNode(findAll(parse('meta.xml'), 'dc:title')[0]) || undefined
  const odf: Odf = {
    output,
    styles: readOdfStyles([pages, content]),
    parse,
    counters: new Map(),
    openPaths: new Set(['content.xml']),
  }
  const body = getChildren(findAll(content, 'office:body')[0])[0]
  if (body?.name === 'office:spreadsheet') return readSheets(body, pages, odf)
  if (body?.name === 'office:presentation' || body?.name === 'office:drawing')
    return readSlides(body, pages, odf)
  output.begin('section', 1)
  const sections = new Sections(output)
  writeEdges(pages, /^style:header/, odf, sections)
  writeBlocks(body, odf, sections)
  writeEdges(pages, /^style:footer/, odf, sections)
  sections.end()
  output.endUnit()
}

/** Writes the text at the top or the foot of the pages, once. */
function writeEdges(pages: XmlNode | undefined, edge: RegExp, odf: Odf, writer: BlockWriter): void {
  const blocks: string[] = []
  for (const master of findAll(pages, 'style:master-page'))
    for (const node of getChildren(master)) if (edge.test(node.name)) writeBlocks(node, odf, collect(blocks))
  for (const block of new Set(blocks)) if (/\p{L}/u.test(block)) writer.block(block)
}

function readSheets(body: XmlNode, pages: XmlNode | undefined, odf: Odf): void {
  const { output, styles } = odf
  const sheets = getChildren(body, 'table:table')
  output.begin('sheet', sheets.length)
  for (const [index, table] of sheets.entries()) {
    const sheet = table.attributes['table:name'] ?? ''
    const isHidden = styles.resolve(table.attributes['table:style-name']).isHidden === true
    if (isHidden) output.skip('hidden', `工作表 ${sheet}`, { sheet })
    const hiddenRows = listHiddenRows(table)
    if (hiddenRows.length) output.skip('hidden', `第 ${formatRanges(hiddenRows)} 行`, { sheet })
    const heading = formatHeading(2, escapeText(isHidden ? `${sheet}（隐藏的工作表）` : sheet))
    writeSheet(
      readRows(table, (cell) => formatCell(cell, odf)),
      output,
      { sheet },
      { heading },
    )
    const blocks: string[] = []
    writeSurroundings(table, odf, collect(blocks))
    const cells = ['table:table-cell', 'table:covered-table-cell'].flatMap((name) => findAll(table, name))
    const annotations = cells.flatMap((cell) => getChildren(cell, 'office:annotation'))
    blocks.push(...formatComments(annotations, styles))
    // Rules for the values of cells stand before the sheets.
    const others = getChildren(body).filter(({ name }) => name !== 'table:table')
    if (index === 0) writeBlocks({ ...body, children: others }, odf, collect(blocks))
    if (index === 0) writeEdges(pages, /^style:(header|footer)/, odf, collect(blocks))
    for (const block of blocks) output.add(block, { sheet })
    output.endUnit()
  }
}

/** Lists the numbers of the rows that a sheet hides. */
function listHiddenRows(table: XmlNode): number[] {
  const hiddenRows: number[] = []
  let number = 1
  for (const { attributes } of findAll(table, 'table:table-row')) {
    const times = Math.max(1, Number(attributes['table:number-rows-repeated'] ?? 1) || 1)
    const isHidden = /^(collapse|filter)$/.test(attributes['table:visibility'] ?? '')
    for (let at = 0; isHidden && at < times && hiddenRows.length < MAX_HIDDEN; at++)
      hiddenRows.push(number + at)
    number += times
  }
  return hiddenRows
}

/** Hidden rows of a sheet that are reported one by one. */
const MAX_HIDDEN = 10_000

function readSlides(body: XmlNode, masters: XmlNode | undefined, odf: Odf): void {
  const { output, styles } = odf
  const pages = getChildren(body, 'draw:page')
  const background = new Set<string>()
  const readMasters = new Set<string>()
  const others = getChildren(body).filter(({ name }) => name !== 'draw:page')
  output.begin('slide', pages.length)
  for (const [index, page] of pages.entries()) {
    const place = { slide: index + 1 }
    if (styles.resolve(page.attributes['draw:style-name']).isHidden)
      output.skip('hidden', `第 ${index + 1} 页`, place)
    const blocks: string[] = []
    const writer = collect(blocks)
    const isTitle = (node: XmlNode): boolean => node.attributes['presentation:class'] === 'title'
    const shapes = getChildren(page)
    for (const title of shapes.filter(isTitle)) {
      const lines = findAll(title, 'text:p').map((paragraph) => formatInline(paragraph, styles).trim())
      writer.heading(1, lines.join(' '))
    }
    writeBlocks(
      { ...page, children: shapes.filter((node) => !isTitle(node) && node.name !== 'presentation:notes') },
      odf,
      writer,
    )
    if (index === 0) writeBlocks({ ...body, children: others }, odf, writer)
    // A picture of a master is left out once, not with each of its pages.
    const masterName = page.attributes['draw:master-page-name'] ?? ''
    if (!readMasters.has(masterName))
      blocks.push(...readBackground(masterName, masters, odf).filter((text) => !background.has(text)))
    readMasters.add(masterName)
    for (const block of blocks) background.add(block)
    const notes: string[] = []
    writeBlocks(findPath(page, 'presentation:notes'), odf, collect(notes))
    if (notes.length) blocks.push(`> 备注：${notes.join('\n').replaceAll('\n', '\n> ')}`)
    blocks.push(...formatComments(getChildren(page, 'office:annotation'), styles))
    output.add(blocks.join('\n\n'), place)
    output.endUnit()
  }
}

/** Reads what a master shows behind its pages, without the places that it has for their own text. */
function readBackground(name: string, masters: XmlNode | undefined, odf: Odf): string[] {
  const blocks: string[] = []
  const master = findAll(masters, 'style:master-page').find(
    ({ attributes }) => attributes['style:name'] === name,
  )
  const shapes = getChildren(master).filter(
    ({ name, attributes }) => name.startsWith('draw:') && attributes['presentation:class'] === undefined,
  )
  if (master) writeBlocks({ ...master, children: shapes }, odf, collect(blocks))
  return blocks
}

const collect = (blocks: string[]): BlockWriter => ({
  heading: (level, text) => void (text.trim() && blocks.push(formatHeading(level, text))),
  block: (text) => void (text.trim() && blocks.push(text)),
})
