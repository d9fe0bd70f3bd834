import { findAll, findPath, getChildren, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatHeading, formatTable } from '../text/markdown.ts'
import { formatChart } from '../office/chart.ts'
import { formatMath } from '../office/math.ts'
import { openPackage } from '../office/package.ts'
import type { OfficePackage, Relation } from '../office/package.ts'

const MAX_SPAN = 100

type Slide = { file: OfficePackage; relations: Map<string, Relation>; output: Output; number: number }

/** Reads slides in their order: titles, text, tables, charts, diagrams, notes and comments. */
export async function readPptx(zip: Zip, output: Output): Promise<void> {
  const file = openPackage(zip, 'ppt/presentation.xml')
  const relations = file.relations(file.main)
  const list = getChildren(findPath(file.parse(file.main), 'p:presentation', 'p:sldIdLst'), 'p:sldId')
  const paths = list.flatMap(({ attributes }) => relations.get(attributes['r:id'] ?? '')?.target ?? [])
  output.title =
    textOfNode(findAll(file.parse(file.related('', 'core-properties')), 'dc:title')[0]) || undefined
  output.begin('slide', paths.length)
  for (const [index, path] of paths.entries()) {
    const slide = { file, relations: file.relations(path), output, number: index + 1 }
    const place = { slide: slide.number }
    const tree = findPath(file.parse(path), 'p:sld', 'p:cSld', 'p:spTree')
    if (!tree) output.skip('damaged', `第 ${slide.number} 页`, place)
    const blocks = formatShapes(tree, slide)
    output.add([...blocks, ...readNotes(slide), ...readComments(slide)].join('\n\n'), place)
    output.endUnit()
  }
}

/** Formats shapes, the title first, wherever it stands in the file. */
function formatShapes(tree: XmlNode | undefined, slide: Slide): string[] {
  const shapes = getChildren(tree).flatMap((node) =>
    node.name === 'mc:AlternateContent' ? getAlternative(node) : [node],
  )
  const titles = shapes.filter(isTitle)
  return [...titles, ...shapes.filter((shape) => !isTitle(shape))]
    .flatMap((shape) => formatShape(shape, slide))
    .filter(Boolean)
}

const getAlternative = (node: XmlNode): XmlNode[] => {
  const choice = getChildren(findPath(node, 'mc:Choice'))
  return choice.length ? choice : getChildren(findPath(node, 'mc:Fallback'))
}

const placeholder = (shape: XmlNode): XmlNode | undefined => findAll(getChildren(shape)[0], 'p:ph')[0]
const isTitle = (shape: XmlNode): boolean =>
  /^(title|ctrTitle)$/.test(placeholder(shape)?.attributes.type ?? '')

function formatShape(shape: XmlNode, slide: Slide): string[] {
  if (shape.name === 'p:grpSp') return formatShapes(shape, slide)
  if (shape.name === 'p:pic') return formatPicture(shape, slide)
  if (shape.name === 'p:graphicFrame') return formatFrame(shape, slide)
  const body = findPath(shape, 'p:txBody')
  if (!body) return []
  const kind = placeholder(shape)?.attributes.type
  // Date, footer and page number stand on each slide.
  if (kind && /^(dt|ftr|sldNum)$/.test(kind)) return []
  if (isTitle(shape)) {
    const title = formatParagraphs(body, false).join(' ').replace(/\s+/g, ' ').trim()
    return title ? [formatHeading(1, title)] : []
  }
  return formatParagraphs(
    body,
    placeholder(shape) !== undefined && (kind === undefined || kind === 'body' || kind === 'obj'),
  )
}

/** Formats paragraphs and lists; with `isList` the body is a place for content, whose layout makes each paragraph an item. */
function formatParagraphs(body: XmlNode, isList: boolean): string[] {
  const blocks: string[] = []
  let items: string[] = []
  let number = 0
  const flush = (): void => {
    if (items.length) blocks.push(items.join('\n'))
    items = []
    number = 0
  }
  for (const paragraph of getChildren(body, 'a:p')) {
    const text = formatRuns(paragraph)
    if (!text) continue
    const properties = findPath(paragraph, 'a:pPr')
    const level = Math.min(8, Number(properties?.attributes.lvl ?? 0) || 0)
    const isNumbered = findPath(properties, 'a:buAutoNum') !== undefined
    const isPlain = findPath(properties, 'a:buNone') !== undefined
    const isItem =
      isNumbered || findPath(properties, 'a:buChar') !== undefined || (!isPlain && (isList || level > 0))
    if (!isItem) {
      flush()
      blocks.push(text)
    } else
      items.push(`${'  '.repeat(level)}${isNumbered ? `${++number}.` : '-'} ${text.replaceAll('\n', ' ')}`)
  }
  flush()
  return blocks
}

const formatRuns = (paragraph: XmlNode): string =>
  getChildren(paragraph)
    .map((node): string => {
      if (node.name === 'a:br') return '\n'
      if (node.name === 'a:r' || node.name === 'a:fld') return escapeText(textOfNode(findPath(node, 'a:t')))
      if (node.name === 'mc:AlternateContent')
        return getAlternative(node)
          .map((each) => formatRuns({ ...node, children: [each] }))
          .join('')
      return findAll(node, 'm:oMath')
        .map((math) => `$${formatMath(math)}$`)
        .join(' ')
    })
    .join('')
    .replaceAll('\u000B', '\n')
    .trim()

function formatPicture(picture: XmlNode, { output, number }: Slide): string[] {
  const { descr = '', name = '' } = findAll(picture, 'p:cNvPr')[0]?.attributes ?? {}
  output.skip('picture', descr || name || '图片', { slide: number })
  return descr.trim() ? [`![${escapeText(descr.replace(/[[\]\s]+/g, ' ').trim())}]()`] : []
}

function formatFrame(frame: XmlNode, { file, relations, output, number }: Slide): string[] {
  const target = (id: string | undefined): XmlNode | undefined => file.parse(relations.get(id ?? '')?.target)
  const tables = findAll(frame, 'a:tbl').map(formatSlideTable)
  const charts = findAll(frame, 'c:chart').map((chart) => formatChart(target(chart.attributes['r:id'])))
  const diagrams = findAll(frame, 'dgm:relIds').map((ids) =>
    findAll(target(ids.attributes['r:dm']), 'a:p')
      .map(formatRuns)
      .filter(Boolean)
      .map((text) => `- ${text.replaceAll('\n', ' ')}`)
      .join('\n'),
  )
  if (findAll(frame, 'p:oleObj').length) output.skip('unsupported', '嵌入的文件', { slide: number })
  return [...tables, ...charts, ...diagrams]
}

function formatSlideTable(table: XmlNode): string {
  const rows: string[][] = []
  for (const row of getChildren(table, 'a:tr')) {
    const above = rows.at(-1) ?? []
    const cells: string[] = []
    for (const cell of getChildren(row, 'a:tc').slice(0, MAX_SPAN)) {
      const text = getChildren(findPath(cell, 'a:txBody'), 'a:p').map(formatRuns).filter(Boolean).join('\n')
      const { vMerge, hMerge } = cell.attributes
      if (vMerge === '1' || vMerge === 'true') cells.push(above[cells.length] ?? '')
      else cells.push(hMerge === '1' || hMerge === 'true' ? (cells.at(-1) ?? '') : text)
    }
    rows.push(cells)
  }
  return formatTable(rows)
}

function readNotes({ file, relations }: Slide): string[] {
  const path = [...relations.values()].find(({ type }) => type === 'notesSlide')?.target
  const shapes = findAll(file.parse(path), 'p:sp').filter(
    (shape) => placeholder(shape)?.attributes.type === 'body',
  )
  const text = shapes
    .flatMap((shape) => formatParagraphs(findPath(shape, 'p:txBody') ?? shape, false))
    .join('\n\n')
  return text ? [`> 备注：${text.replaceAll('\n', '\n> ')}`] : []
}

/** Reads comments of both kinds: those of old programs have a text, those of new ones paragraphs. */
function readComments({ file, relations }: Slide): string[] {
  return [...relations.values()]
    .filter(({ type }) => type === 'comments')
    .flatMap(({ target }) => {
      const root = file.parse(target)
      const old = findAll(root, 'p:text').map(textOfNode)
      const paragraphs = findAll(root, 'a:p').map(formatRuns)
      return [...old, ...paragraphs]
        .filter((text) => text.trim())
        .map((text) => `> 批注：${escapeText(text.trim())}`)
    })
}
