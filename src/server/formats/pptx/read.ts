import { findAll, findPath, getChildren, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatHeading, formatTable } from '../text/markdown.ts'
import { findShown, readGraphics } from '../office/graphics.ts'
import { openPackage } from '../office/package.ts'
import type { OfficePackage, Relation } from '../office/package.ts'
import { formatParagraphs, formatShapeText, getAlternative } from '../office/shape-text.ts'

const MAX_SPAN = 100

type Slide = {
  file: OfficePackage
  relations: Map<string, Relation>
  output: Output
  number: number
  /** Texts that stand on each slide: of footers, and of the layouts behind the slides. Each is read once. */
  repeated: Set<string>
  /** Paths of the layouts and masters that were read. */
  readPaths: Set<string>
}

/** Reads slides in their order: titles, text, tables, charts, diagrams, notes and comments. */
export async function readPptx(zip: Zip, output: Output): Promise<void> {
  const file = openPackage(zip, 'ppt/presentation.xml')
  const relations = file.relations(file.main)
  const list = getChildren(findPath(file.parse(file.main), 'p:presentation', 'p:sldIdLst'), 'p:sldId')
  const paths = list.flatMap(({ attributes }) => relations.get(attributes['r:id'] ?? '')?.target ?? [])
  output.title =
    textOfNode(findAll(file.parse(file.related('', 'core-properties')), 'dc:title')[0]) || undefined
  output.begin('slide', paths.length)
  const [repeated, readPaths] = [new Set<string>(), new Set<string>()]
  for (const [index, path] of paths.entries()) {
    const slide = { file, relations: file.relations(path), output, number: index + 1, repeated, readPaths }
    const place = { slide: slide.number }
    const root = findPath(file.parse(path), 'p:sld')
    const tree = findPath(root, 'p:cSld', 'p:spTree')
    if (!tree) output.skip('damaged', `第 ${slide.number} 页`, place)
    if (/^(0|false)$/.test(root?.attributes.show ?? '')) output.skip('hidden', `第 ${slide.number} 页`, place)
    const blocks = [...formatShapes(tree, slide), ...readBackground(slide)]
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
  if (kind === 'sldNum') return []
  if (kind === 'dt' || kind === 'ftr') return takeNew(formatParagraphs(body), slide)
  if (isTitle(shape)) {
    const title = formatParagraphs(body).join(' ').replace(/\s+/g, ' ').trim()
    return title ? [formatHeading(1, title)] : []
  }
  return formatParagraphs(
    body,
    placeholder(shape) !== undefined && (kind === undefined || kind === 'body' || kind === 'obj'),
  )
}

/** Returns those of the blocks that no earlier slide has had. */
function takeNew(blocks: string[], { repeated }: Slide): string[] {
  const added = blocks.filter((block) => !repeated.has(block))
  for (const block of added) repeated.add(block)
  return added
}

/**
 * Reads what the layout and the master of a slide show behind it; their placeholders only say where the slide's text stands.
 * Most slides share them: unpacked for each slide, they would make a long deck look like a bomb.
 */
function readBackground(slide: Slide): string[] {
  const { file, readPaths } = slide
  const findTarget = (relations: Map<string, Relation>, kind: string): string | undefined =>
    [...relations.values()].find(({ type, external }) => type === kind && !external)?.target
  const layout = findTarget(slide.relations, 'slideLayout')
  if (!layout || readPaths.has(layout)) return []
  const master = findTarget(file.relations(layout), 'slideMaster')
  return [layout, master].flatMap((path) => {
    if (!path || readPaths.has(path)) return []
    readPaths.add(path)
    const tree = findPath(getChildren(file.parse(path))[0], 'p:cSld', 'p:spTree')
    const shapes = findShown(tree, 'p:sp').filter((shape) => !placeholder(shape))
    return takeNew(
      shapes.flatMap((shape) => formatParagraphs(findPath(shape, 'p:txBody'))),
      slide,
    )
  })
}

function formatPicture(picture: XmlNode, { output, number }: Slide): string[] {
  const { descr = '', name = '' } = findAll(picture, 'p:cNvPr')[0]?.attributes ?? {}
  const isRecording = [...findAll(picture, 'a:audioFile'), ...findAll(picture, 'a:videoFile')].length > 0
  output.skip(isRecording ? 'recording' : 'picture', descr || name || '图片', { slide: number })
  return descr.trim() ? [`![${escapeText(descr.replace(/[[\]\s]+/g, ' ').trim())}]()`] : []
}

function formatFrame(frame: XmlNode, { file, relations, output, number }: Slide): string[] {
  if (findAll(frame, 'p:oleObj').length) output.skip('unsupported', '嵌入的文件', { slide: number })
  return [...findAll(frame, 'a:tbl').map(formatSlideTable), ...readGraphics(frame, file, relations)]
}

function formatSlideTable(table: XmlNode): string {
  const rows: string[][] = []
  for (const row of getChildren(table, 'a:tr')) {
    const above = rows.at(-1) ?? []
    const cells: string[] = []
    for (const cell of getChildren(row, 'a:tc').slice(0, MAX_SPAN)) {
      const text = getChildren(findPath(cell, 'a:txBody'), 'a:p')
        .map(formatShapeText)
        .filter(Boolean)
        .join('\n')
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
  // The number, the date, the header and the footer of the page, and the picture of the slide are no notes.
  const shapes = findAll(file.parse(path), 'p:sp').filter(
    (shape) => !/^(sldNum|dt|hdr|ftr|sldImg)$/.test(placeholder(shape)?.attributes.type ?? ''),
  )
  const text = shapes.flatMap((shape) => formatParagraphs(findPath(shape, 'p:txBody'))).join('\n\n')
  return text ? [`> 备注：${text.replaceAll('\n', '\n> ')}`] : []
}

/** Reads comments of both kinds: those of old programs have a text, those of new ones paragraphs. */
function readComments({ file, relations }: Slide): string[] {
  return [...relations.values()]
    .filter(({ type }) => type === 'comments')
    .flatMap(({ target }) => {
      const root = file.parse(target)
      const old = findAll(root, 'p:text').map(textOfNode)
      const paragraphs = findAll(root, 'a:p').map(formatShapeText)
      return [...old, ...paragraphs]
        .filter((text) => text.trim())
        .map((text) => `> 批注：${escapeText(text.trim())}`)
    })
}
