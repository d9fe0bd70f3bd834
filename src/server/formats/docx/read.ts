import { findAll, findPath, getChildren, isNode, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import type { Output } from '../reading/output.ts'
import { getContent, parsePage } from '../html/document.ts'
import { writeHtml } from '../html/write-html.ts'
import { decodeText } from '../text/encoding.ts'
import { escapeText, flattenTables, formatCode, formatTable } from '../text/markdown.ts'
import { Sections } from '../text/sections.ts'
import { findShown, readGraphics } from '../office/graphics.ts'
import { formatHeadingNumber, formatItem } from '../office/numbering.ts'
import { openPackage } from '../office/package.ts'
import { formatParagraphs, getAlternative } from '../office/shape-text.ts'
import { formatRuns, isOn } from './inline.ts'
import type { Word } from './inline.ts'
import { readStyles } from './styles.ts'

/** Most columns that a cell may span, so that a false claim does not fill the memory. */
const MAX_SPAN = 100

/** Reads a Word document: headings with their numbers, lists, tables, equations, text boxes, charts, notes and comments. */
export async function readDocx(zip: Zip, output: Output): Promise<void> {
  const file = openPackage(zip, 'word/document.xml')
  const styles = readStyles(
    file.parse(file.related(file.main, 'styles')),
    file.parse(file.related(file.main, 'numbering')),
  )
  const word: Word = { file, styles, relations: file.relations(file.main), output }
  output.begin('section', 1)
  output.title =
    textOfNode(findAll(file.parse(file.related('', 'core-properties')), 'dc:title')[0]) || undefined
  const sections = new Sections(output)
  const document = file.parse(file.main)
  const body = findPath(document, 'w:document', 'w:body')
  writeEdge(word, sections, 'header')
  writeBlocks(body, word, sections)
  writeEdge(word, sections, 'footer')
  for (const note of [
    ...readNotes(word, 'footnotes'),
    ...readNotes(word, 'endnotes'),
    ...readComments(word),
  ]) {
    sections.block(note)
  }
  sections.end()
  if (findAll(document, 'w:r').some(isHidden)) output.skip('hidden', '隐藏的文字')
  output.endUnit()
}

function isHidden(run: XmlNode): boolean {
  const property = findPath(run, 'w:rPr', 'w:vanish')
  return property !== undefined && isOn(property) && findPath(run, 'w:t') !== undefined
}

type Writer = Pick<Sections, 'heading' | 'block'>

function writeBlocks(parent: XmlNode | undefined, word: Word, sections: Writer): void {
  let code: string[] = []
  let list: string[] = []
  const flush = (): void => {
    if (code.length) sections.block(formatCode(code.join('\n')))
    if (list.length) sections.block(list.join('\n'))
    code = []
    list = []
  }
  const walk = (node: XmlNode): void => {
    if (node.name === 'w:tbl') {
      flush()
      writeTable(node, word, sections)
    } else if (node.name === 'w:p') {
      const style = word.styles.resolve(node)
      const text = formatRuns(node, word).trim()
      const plain = text && (style.isCode || isMonospaced(node)) ? plainText(node) : ''
      const marker = style.list && text ? word.styles.nextMarker(style.list) : ''
      if (style.heading !== undefined && text) {
        flush()
        sections.heading(style.heading + 1, formatHeadingNumber(marker) + text)
      } else if (plain) {
        if (list.length) flush()
        code.push(plain)
      } else if (style.list && text) {
        if (code.length) flush()
        list.push(formatItem(style.list.level, marker, text))
      } else if (text) {
        flush()
        sections.block(text)
      }
      for (const box of findBoxes(node)) {
        flush()
        writeBlocks(box, word, sections)
      }
      const shapes = findShown(node, 'a:txBody').flatMap((body) => formatParagraphs(body))
      for (const block of [...readGraphics(node, word.file, word.relations), ...shapes]) {
        flush()
        sections.block(block)
      }
    } else if (/^w:(sdt|sdtContent|customXml|smartTag|ins|moveTo|txbxContent)$/.test(node.name)) {
      if (hasBlock(node)) getChildren(node).forEach(walk)
      else writeInline(node)
    } else if (/^(w:(r|dir|bdo|hyperlink|fldSimple)|m:oMath(Para)?)$/.test(node.name)) {
      writeInline(node)
    } else if (node.name === 'mc:AlternateContent') {
      getAlternative(node).forEach(walk)
    } else if (node.name === 'w:altChunk') {
      flush()
      writeChunk(node, word, sections)
    }
  }
  /** Writes text that stands between paragraphs: the schema allows it beside what a revision added. */
  const writeInline = (node: XmlNode): void => {
    flush()
    sections.block(formatRuns({ ...node, name: '', children: [node] }, word).trim())
  }
  getChildren(parent).forEach(walk)
  flush()
}

const BLOCK = /^w:(p|tbl|altChunk)$/
const hasBlock = (node: XmlNode): boolean =>
  getChildren(node).some((child) => BLOCK.test(child.name) || hasBlock(child))

/** Writes a document of another format that stands within this one: a page, or plain text. */
function writeChunk(node: XmlNode, { file, relations, output }: Word, sections: Writer): void {
  const { target = '' } = relations.get(node.attributes['r:id'] ?? '') ?? {}
  const bytes = file.read(target)
  if (!bytes) return output.skip('damaged', target || '嵌入的文件')
  if (/\.(x?html?)$/i.test(target)) return writeHtml(getContent(parsePage(decodeText(bytes).text)), sections)
  if (/\.txt$/i.test(target)) return sections.block(escapeText(decodeText(bytes).text))
  output.skip('unsupported', target)
}

/** Finds the text boxes of a paragraph, which stand twice in the file: for new programs and for old ones. */
const findBoxes = (node: XmlNode): XmlNode[] =>
  getChildren(node).flatMap((child) => {
    if (child.name === 'w:txbxContent') return [child]
    if (child.name === 'w:tbl') return []
    if (child.name !== 'mc:AlternateContent') return findBoxes(child)
    const choice = findPath(child, 'mc:Choice')
    const boxes = choice ? findBoxes(choice) : []
    return boxes.length ? boxes : getChildren(child, 'mc:Fallback').flatMap(findBoxes)
  })

function writeTable(table: XmlNode, word: Word, sections: Writer): void {
  const cells = findAll(table, 'w:tr').flatMap((row) => findAll(row, 'w:tc'))
  // One cell around everything is a frame.
  if (cells.length === 1) writeBlocks(cells[0], word, sections)
  else sections.block(formatTable(readTable(table, word)))
  sections.block(formatRuns(removeCells(table), word).trim())
}

/** Returns a table without its cells: text between them is that of a revision. */
const removeCells = (node: XmlNode): XmlNode => ({
  ...node,
  children: node.children.flatMap((child): (XmlNode | string)[] =>
    !isNode(child) ? [child] : child.name === 'w:tc' ? [] : [removeCells(child)],
  ),
})

/** Reads the cells of a table; a cell that spans others is repeated in each place that it covers. */
function readTable(table: XmlNode, word: Word): string[][] {
  const rows: string[][] = []
  for (const row of findAll(table, 'w:tr')) {
    const above = rows.at(-1) ?? []
    const skipped = Number(findPath(row, 'w:trPr', 'w:gridBefore')?.attributes['w:val'] ?? 0)
    const cells: string[] = Array.from({ length: Math.min(MAX_SPAN, skipped || 0) }, () => '')
    for (const cell of findAll(row, 'w:tc')) {
      const properties = findPath(cell, 'w:tcPr')
      const merge = findPath(properties, 'w:vMerge')
      const goesOn = merge !== undefined && (merge.attributes['w:val'] ?? 'continue') === 'continue'
      const span = Number(findPath(properties, 'w:gridSpan')?.attributes['w:val'] ?? 1)
      const text = goesOn ? (above[cells.length] ?? '') : formatCell(cell, word)
      for (let at = 0; at < Math.min(MAX_SPAN, Math.max(1, span || 1)); at++) cells.push(text)
    }
    rows.push(cells)
  }
  return rows
}

function formatCell(cell: XmlNode, word: Word): string {
  const blocks: string[] = []
  const block = (text: string): void => void (text.trim() && blocks.push(text.trim()))
  writeBlocks(cell, word, {
    block: (text) => block(flattenTables(text)),
    heading: (_, text) => block(`**${text}**`),
  })
  return blocks.join('\n')
}

/** Opens a part beside the main one, which has relations of its own. */
function openPart(word: Word, path: string | undefined): { root: XmlNode | undefined; part: Word } {
  const root = getChildren(word.file.parse(path))[0]
  return { root, part: path ? { ...word, relations: word.file.relations(path) } : word }
}

/** Writes the text at the top or the foot of the pages, once. */
function writeEdge(word: Word, sections: Writer, edge: 'header' | 'footer'): void {
  const texts = new Set<string>()
  for (const { type, target } of word.relations.values()) {
    if (type !== edge) continue
    const { root, part } = openPart(word, target)
    writeBlocks(root, part, {
      heading: (_, text) => void texts.add(text),
      block: (text) => void texts.add(text),
    })
  }
  for (const text of texts) if (/\p{L}/u.test(text)) sections.block(text)
}

function readNotes(word: Word, kind: 'footnotes' | 'endnotes'): string[] {
  const { root, part } = openPart(word, word.file.related(word.file.main, kind))
  const notes = getChildren(root).filter(({ attributes }) => !attributes['w:type'])
  return notes.flatMap((note) => {
    const text = formatLine(note, part)
    return text ? [`[^${kind[0]}${note.attributes['w:id'] ?? ''}]: ${text}`] : []
  })
}

function readComments(word: Word): string[] {
  const { root, part } = openPart(word, word.file.related(word.file.main, 'comments'))
  return getChildren(root).flatMap((comment) => {
    const text = formatLine(comment, part)
    return text ? [`> 批注（${escapeText(comment.attributes['w:author'] ?? '')}）：${text}`] : []
  })
}

/** Formats the blocks of a note as one line. */
const formatLine = (note: XmlNode, word: Word): string =>
  formatCell(note, word)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')

const MONOSPACED = /courier|consolas|mono|menlo|lucida console/i

/** Tells whether a paragraph is code: all of it is monospaced, and it has the punctuation of a program. */
function isMonospaced(paragraph: XmlNode): boolean {
  const runs = findAll(paragraph, 'w:r').filter((run) => findPath(run, 'w:t'))
  const isAll = runs.every((run) =>
    MONOSPACED.test(findPath(run, 'w:rPr', 'w:rFonts')?.attributes['w:ascii'] ?? ''),
  )
  return runs.length > 0 && isAll && /[;{}()=<>[\]]|^\s{2,}\S/.test(plainText(paragraph))
}

const plainText = (node: XmlNode): string =>
  node.children
    .filter(isNode)
    .map((child) =>
      child.name === 'w:t'
        ? textOfNode(child)
        : child.name === 'w:br'
          ? '\n'
          : child.name === 'w:tab'
            ? '\t'
            : plainText(child),
    )
    .join('')
