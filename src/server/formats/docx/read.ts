import { findAll, findPath, getChildren, isNode, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, flattenTables, formatCode, formatTable } from '../text/markdown.ts'
import { Sections } from '../text/sections.ts'
import { formatChart } from '../office/chart.ts'
import { formatMath } from '../office/math.ts'
import { openPackage } from '../office/package.ts'
import type { OfficePackage, Relation } from '../office/package.ts'
import { readStyles } from './styles.ts'
import type { WordStyles } from './styles.ts'

/** Most columns that a cell may span, so that a false claim does not fill the memory. */
const MAX_SPAN = 100

type Word = { file: OfficePackage; styles: WordStyles; relations: Map<string, Relation>; output: Output }

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
  output.endUnit()
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
        const number = /\d/.test(marker) ? `${marker.replace(/\.$/, '')} ` : ''
        sections.heading(style.heading + 1, number + text)
      } else if (plain) {
        if (list.length) flush()
        code.push(plain)
      } else if (style.list && text) {
        if (code.length) flush()
        const mark = marker === '-' || /^\d+[.)]$/.test(marker) ? marker : `- ${marker}`
        list.push(`${'  '.repeat(style.list.level)}${mark} ${text.replaceAll('\n', ' ')}`)
      } else if (text) {
        flush()
        sections.block(text)
      }
      for (const box of findBoxes(node)) {
        flush()
        writeBlocks(box, word, sections)
      }
      for (const chart of findAll(node, 'c:chart')) {
        flush()
        sections.block(
          formatChart(word.file.parse(word.relations.get(chart.attributes['r:id'] ?? '')?.target)),
        )
      }
    } else if (/^w:(sdt|sdtContent|customXml|smartTag|ins|moveTo|txbxContent)$/.test(node.name)) {
      getChildren(node).forEach(walk)
    } else if (node.name === 'mc:AlternateContent') {
      getChildren(findPath(node, 'mc:Choice') ?? findPath(node, 'mc:Fallback')).forEach(walk)
    }
  }
  getChildren(parent).forEach(walk)
  flush()
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

/** Formats the runs of a paragraph; adjacent runs of the same look are marked together. */
function formatRuns(parent: XmlNode, word: Word): string {
  let out = ''
  let pending = ''
  let mark = ''
  const flush = (): void => {
    const inner = pending.trim()
    const start = pending.indexOf(inner)
    out +=
      inner && mark
        ? pending.slice(0, start) +
          mark +
          inner +
          mark.split('').reverse().join('') +
          pending.slice(start + inner.length)
        : pending
    pending = ''
  }
  const add = (text: string, look = ''): void => {
    if (look !== mark) {
      flush()
      mark = look
    }
    pending += text
  }
  const walk = (node: XmlNode): void => {
    switch (node.name) {
      case 'w:r':
        return add(formatRun(node, word), getLook(node))
      case 'm:oMathPara':
        return add(
          getChildren(node, 'm:oMath')
            .map((math) => `$$${formatMath(math)}$$`)
            .join('\n'),
        )
      case 'm:oMath':
        return add(` $${formatMath(node)}$ `)
      case 'w:hyperlink': {
        const target = word.relations.get(node.attributes['r:id'] ?? '')
        const text = formatRuns(node, word)
        const isLink = target?.external && /^(https?|mailto):/i.test(target.target) && text.trim()
        return add(
          isLink ? `[${text.trim()}](${target.target.replace(/[\s()]/g, encodeURIComponent)})` : text,
        )
      }
      case 'w:sdt': {
        const box = findAll(findPath(node, 'w:sdtPr'), 'w14:checkbox')[0]
        if (!box) return getChildren(node).forEach(walk)
        const checked = findPath(box, 'w14:checked')?.attributes['w14:val']
        return add(checked === '1' || checked === 'true' ? '[x] ' : '[ ] ')
      }
      case 'w:del':
      case 'w:moveFrom':
      case 'w:pPr':
      case 'w:sdtPr':
        return undefined
      default:
        return getChildren(node).forEach(walk)
    }
  }
  getChildren(parent).forEach(walk)
  flush()
  return out
}

function getLook(run: XmlNode): string {
  const properties = findPath(run, 'w:rPr')
  const has = (name: string): boolean => {
    const node = findPath(properties, name)
    return node !== undefined && !/^(0|false|none)$/.test(node.attributes['w:val'] ?? '1')
  }
  return `${has('w:strike') ? '~~' : ''}${has('w:b') ? '**' : ''}${has('w:i') ? '*' : ''}`
}

function formatRun(run: XmlNode, word: Word): string {
  let text = ''
  for (const child of getChildren(run)) {
    switch (child.name) {
      case 'w:t':
        text += escapeText(textOfNode(child))
        break
      case 'w:tab':
        text += '\t'
        break
      case 'w:br':
      case 'w:cr':
        text += '\n'
        break
      case 'w:noBreakHyphen':
        text += '-'
        break
      case 'w:sym':
        text += formatSymbol(child.attributes['w:char'])
        break
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        text += `[^${child.name[2]}${child.attributes['w:id'] ?? ''}]`
        break
      case 'w:drawing':
      case 'w:pict':
      case 'mc:AlternateContent':
        text += formatPicture(child, word)
    }
  }
  return text
}

/** Formats a symbol. Those of old fonts lie in the private use area; only the check boxes among them mean something. */
function formatSymbol(code = ''): string {
  const point = Number.parseInt(code, 16)
  if (/^F0(FE|52|78)$/i.test(code)) return '☑'
  if (/^F0(A8|6F|A3)$/i.test(code)) return '☐'
  return point >= 0xf000 || !point ? '' : String.fromCodePoint(point)
}

function formatPicture(node: XmlNode, { output }: Word): string {
  const pictures = [...findAll(node, 'a:blip'), ...findAll(node, 'v:imagedata')]
  if (!pictures.length) return ''
  const alt = findAll(node, 'wp:docPr')[0]?.attributes.descr ?? ''
  output.skip('picture', alt || '图片')
  return alt ? `![${escapeText(alt.replace(/[[\]\n]/g, ' '))}]()` : ''
}

function writeTable(table: XmlNode, word: Word, sections: Writer): void {
  const cells = findAll(table, 'w:tr').flatMap((row) => findAll(row, 'w:tc'))
  // One cell around everything is a frame.
  if (cells.length === 1) writeBlocks(cells[0], word, sections)
  else sections.block(formatTable(readTable(table, word)))
}

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

/** Writes the text at the top or the foot of the pages, once. */
function writeEdge(word: Word, sections: Writer, edge: 'header' | 'footer'): void {
  const texts = new Set<string>()
  for (const { type, target } of word.relations.values()) {
    if (type !== edge) continue
    const part = { ...word, relations: word.file.relations(target) }
    writeBlocks(getChildren(word.file.parse(target))[0], part, {
      heading: (_, text) => void texts.add(text),
      block: (text) => void texts.add(text),
    })
  }
  for (const text of texts) if (/\p{L}/u.test(text)) sections.block(text)
}

function readNotes(word: Word, kind: 'footnotes' | 'endnotes'): string[] {
  const path = word.file.related(word.file.main, kind)
  const notes = getChildren(getChildren(word.file.parse(path))[0]).filter(
    ({ attributes }) => !attributes['w:type'],
  )
  return notes.flatMap((note) => {
    const text = findAll(note, 'w:p')
      .map((paragraph) => formatRuns(paragraph, word).trim())
      .join(' ')
    return text ? [`[^${kind[0]}${note.attributes['w:id'] ?? ''}]: ${text}`] : []
  })
}

function readComments(word: Word): string[] {
  const comments = getChildren(getChildren(word.file.parse(word.file.related(word.file.main, 'comments')))[0])
  return comments.flatMap((comment) => {
    const text = findAll(comment, 'w:p')
      .map((paragraph) => formatRuns(paragraph, word).trim())
      .join(' ')
    return text ? [`> 批注（${escapeText(comment.attributes['w:author'] ?? '')}）：${text}`] : []
  })
}

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
