import type { Storage } from '../containers/cfb.ts'
import { createMarkers } from '../office/numbering.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, flattenTables } from '../text/markdown.ts'
import { Sections } from '../text/sections.ts'
import type { BlockWriter } from '../text/sections.ts'
import { readShapes } from './drawings.ts'
import type { Shape } from './drawings.ts'
import { writeBlocks } from './word-blocks.ts'
import type { Surroundings } from './word-blocks.ts'
import { openWordFile, readPieces, readPlc, readTable, readXst, TABLE, TEXT_LENGTHS } from './word-file.ts'
import type { TextName, WordFile } from './word-file.ts'
import { readLists } from './word-lists.ts'
import { readProperties } from './word-properties.ts'
import { readParagraphs } from './word-text.ts'
import type { Word } from './word-text.ts'
import { decodeUtf16 } from '../text/byte-decoder.ts'

/** Reads a Word 97 document: headings, lists and their numbers, tables, boxes, headers, notes and comments. */
export async function readDoc(storage: Storage, output: Output): Promise<void> {
  const file = openWordFile(storage)
  const word: Word = {
    file,
    pieces: readPieces(file),
    properties: readProperties(file),
    fonts: readFontNames(readTable(file, TABLE.fonts)),
    marks: new Map([...readMarks(file, 'f'), ...readMarks(file, 'e')]),
    hidden: [],
    output,
  }
  const texts = locateTexts(file)
  const lists = readLists(file)
  const boxes = readBoxes(file)
  const drawings = readShapes(Buffer.concat(splitDrawings(readTable(file, TABLE.drawings))))
  const surroundings: Surroundings = {
    nextMarker: createMarkers(lists.numberings),
    findLevel: (list, style) => lists.findLevel(list, style),
    writeShapes(anchors, writer) {
      for (const anchor of anchors) {
        const ids = boxes.anchored.get(anchor) ?? []
        for (const id of ids.flatMap((each) => [each, ...(drawings.members.get(each) ?? [])])) {
          writeBox(id, writer)
          writeShape(drawings.shapes.get(id), writer, output)
          drawings.shapes.delete(id)
        }
      }
    },
  }
  const writeBox = (id: number, writer: BlockWriter): void => {
    const ranges = boxes.byShape.get(id) ?? []
    // The text of a box may hold its own anchor.
    boxes.byShape.delete(id)
    for (const box of ranges) {
      const { from, to } = shift(box, texts.boxes)
      writeBlocks(readParagraphs(word, from, to), writer, surroundings)
    }
  }
  const collect = ({ from, to }: Range): string[] => {
    const blocks: string[] = []
    const block = (text: string): void => void blocks.push(text)
    writeBlocks(readParagraphs(word, from, to), { block, heading: (_, text) => block(text) }, surroundings)
    return blocks
  }
  const collectLine = (range: Range): string =>
    collect(range)
      .map((block) => flattenTables(block).replaceAll('\n', ' '))
      .join(' ')
      .trim()

  output.begin('section', 1)
  const sections = new Sections(output)
  const edges = readEdges(file).map(({ range, isHeader }) => ({
    blocks: collect(shift(range, texts.headers)),
    isHeader,
  }))
  const headerBoxes = readStories(file, TABLE.headerBoxes, 22).map((range) =>
    collect(shift(range, texts.headerBoxes)),
  )
  const writeEdges = (isHeader: boolean): void => {
    const own = edges.flatMap((edge) => (edge.isHeader === isHeader ? edge.blocks : []))
    for (const text of new Set(isHeader ? [...own, ...headerBoxes.flat()] : own))
      if (/\p{L}/u.test(text)) sections.block(text)
  }
  writeEdges(true)
  writeBlocks(readParagraphs(word, texts.body.from, texts.body.to), sections, surroundings)
  // Boxes that are anchored in other boxes, in groups of shapes, or nowhere.
  for (const id of boxes.byShape.keys()) writeBox(id, sections)
  for (const art of new Set([...drawings.shapes.values()].map((shape) => shape.art)))
    sections.block(escapeText(art))
  writeEdges(false)
  for (const kind of ['f', 'e'] as const) {
    const all = texts[kind === 'f' ? 'footnotes' : 'endnotes']
    for (const [index, note] of readStories(file, NOTES[kind].texts, 0).entries()) {
      const text = collectLine(shift(note, all))
      if (text) sections.block(`[^${kind}${index + 1}]: ${text}`)
    }
  }
  const authors = readCommentAuthors(file)
  for (const [index, comment] of readStories(file, TABLE.comments, 0).entries()) {
    const text = collectLine(shift(comment, texts.comments))
    const author = authors[index] ?? ''
    if (text) sections.block(`> 批注${author ? `（${escapeText(author)}）` : ''}：${text}`)
  }
  if (word.hidden.length) output.skip('hidden', `文字 ${word.hidden.join(' … ')}`)
  sections.end()
  output.endUnit()
}

type Range = { from: number; to: number }

/** Returns a range of all characters by one within a text; it ends where the text does. */
const shift = ({ from, to }: Range, all: Range): Range => ({
  from: Math.min(all.from + from, all.to),
  to: Math.min(all.from + to, all.to),
})

/** The texts of a file follow each other in this order. */
function locateTexts({ main }: WordFile): Record<TextName, Range> {
  let from = 0
  const entries = Object.entries(TEXT_LENGTHS).map(([name, place]) => {
    const to = from + main.readUInt32LE(place)
    const range = { from, to }
    from = to
    return [name, range] as const
  })
  return Object.fromEntries(entries) as Record<TextName, Range>
}

/** Returns the ranges of texts within theirs; the last one is none. */
const readStories = (
  file: WordFile,
  place: number,
  bytes: number,
): { from: number; to: number; data: Buffer }[] => readPlc(readTable(file, place), bytes).slice(0, -1)

const NOTES = {
  f: { marks: TABLE.footnoteMarks, texts: TABLE.footnotes },
  e: { marks: TABLE.endnoteMarks, texts: TABLE.endnotes },
}

const readMarks = (file: WordFile, kind: 'f' | 'e'): [number, string][] =>
  readPlc(readTable(file, NOTES[kind].marks), 2).map(({ from }, index) => [from, `[^${kind}${index + 1}]`])

/** Separators of notes come first, then for each section headers and footers of even, odd and first pages. */
const SEPARATORS = 6
const HEADERS = new Set([0, 1, 4])

const readEdges = (file: WordFile): { range: Range; isHeader: boolean }[] =>
  readStories(file, TABLE.headers, 0)
    .slice(SEPARATORS)
    .map((range, index) => ({ range, isHeader: HEADERS.has(index % 6) }))

/** Reads which text boxes there are by their shapes, and which shapes are anchored at which positions. */
function readBoxes(file: WordFile): {
  byShape: Map<number, Range[]>
  anchored: Map<number, number[]>
} {
  const byShape = new Map<number, Range[]>()
  for (const { from, to, data } of readStories(file, TABLE.boxes, 22)) {
    const id = data.readUInt32LE(14)
    const isUnused = data.readUInt16LE(8) !== 0
    if (!isUnused) byShape.set(id, [...(byShape.get(id) ?? []), { from, to }])
  }
  const anchored = new Map<number, number[]>()
  for (const { from, data } of readPlc(readTable(file, TABLE.shapes), 26))
    anchored.set(from, [...(anchored.get(from) ?? []), data.readUInt32LE(0)])
  return { byShape, anchored }
}

/** Drawings of the text and of the headers stand behind what they share, each after a byte that tells them apart. */
function splitDrawings(table: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at + 8 <= table.length;) {
    const end = at + 8 + table.readUInt32LE(at + 4)
    parts.push(table.subarray(at, end))
    at = end + 1
  }
  return parts
}

function writeShape(shape: Shape | undefined, writer: BlockWriter, output: Output): void {
  if (!shape) return
  if (shape.art) writer.block(escapeText(shape.art))
  if (!shape.isPicture) return
  output.skip('picture', shape.description || '图片')
  if (shape.description) writer.block(`![${escapeText(shape.description.replace(/[[\]\s]+/g, ' '))}]()`)
}

function readCommentAuthors(file: WordFile): string[] {
  const table = readTable(file, TABLE.commentAuthors)
  const names: string[] = []
  for (let at = 0; at + 2 <= table.length;) {
    const { text, end } = readXst(table, at)
    names.push(text)
    at = end
  }
  return readPlc(readTable(file, TABLE.commentMarks), 30).map(
    ({ data }) => names[data.readUInt16LE(20)] ?? '',
  )
}

/** Names of fonts begin at this place of their entries (MS-DOC 2.9.72), and end with a zero. */
const FONT_NAME = 40

function readFontNames(table: Buffer): string[] {
  const names: string[] = []
  for (let at = 4; at < table.length;) {
    const end = at + 1 + (table[at] ?? 0)
    names.push(decodeUtf16(table, Math.min(at + FONT_NAME, end), end).replace(/\0.*$/s, ''))
    at = end
  }
  return names
}
