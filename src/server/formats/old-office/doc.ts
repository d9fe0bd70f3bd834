import { AppError } from '#server/core/app-error.ts'
import type { Storage } from '../containers/cfb.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatTable } from '../text/markdown.ts'
import { Sections } from '../text/sections.ts'

/** A paragraph's properties, from the property runs of the file. */
type Paragraph = {
  start: number
  end: number
  heading: number
  inTable: boolean
  isRowEnd: boolean
  level: number
  isList: boolean
}

/** Offsets within the file information block (MS-DOC 2.5). */
const FIB = { flags: 0x0a, text: 0x4c, footnotes: 0x50, headers: 0x54, paragraphs: 0x102, pieces: 0x1a2 }
const ENCRYPTED = 0x0100
const SECOND_TABLE = 0x0200

/** Reads a Word 97 document: text by its piece table, headings, lists and tables by its paragraph properties. */
export async function readDoc({ streams }: Storage, output: Output): Promise<void> {
  const main = streams.get('WordDocument')?.()
  if (!main || main.length < 0x200) throw new AppError('document_damaged')
  const flags = main.readUInt16LE(FIB.flags)
  if (flags & ENCRYPTED) throw new AppError('document_encrypted')
  const table = streams.get(flags & SECOND_TABLE ? '1Table' : '0Table')?.()
  if (!table) throw new AppError('document_damaged')
  output.begin('section', 1)
  const sections = new Sections(output)
  // The pieces hold the text and its footnotes, then headers, comments and text boxes.
  writeParagraphs(readPieces(main, table), readParagraphs(main, table), sections, output)
  sections.end()
  output.endUnit()
}

type Character = { text: string; offset: number; width: number }

/** Reads the stretches of text with their places in the file: edited ones lie anywhere. */
function readPieces(main: Buffer, table: Buffer): Character[] {
  const start = main.readUInt32LE(FIB.pieces)
  const clx = table.subarray(start, start + main.readUInt32LE(FIB.pieces + 4))
  let at = 0
  while (clx[at] === 1 && at + 3 <= clx.length) at += 3 + clx.readUInt16LE(at + 1)
  if (clx[at] !== 2 || at + 5 > clx.length) throw new AppError('document_damaged')
  const plc = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1))
  const count = Math.floor((plc.length - 4) / 12)
  const pieces: Character[] = []
  for (let index = 0; index < count; index++) {
    const length = plc.readUInt32LE(index * 4 + 4) - plc.readUInt32LE(index * 4)
    const place = plc.readUInt32LE((count + 1) * 4 + index * 8 + 2)
    const isNarrow = Boolean(place & 0x40000000)
    const offset = isNarrow ? (place & 0x3fffffff) >> 1 : place & 0x3fffffff
    const bytes = main.subarray(offset, offset + length * (isNarrow ? 1 : 2))
    const text = isNarrow ? new TextDecoder('windows-1252').decode(bytes) : bytes.toString('utf16le')
    pieces.push({ text, offset, width: isNarrow ? 1 : 2 })
  }
  return pieces
}

function readParagraphs(main: Buffer, table: Buffer): Paragraph[] {
  const start = main.readUInt32LE(FIB.paragraphs)
  const plc = table.subarray(start, start + main.readUInt32LE(FIB.paragraphs + 4))
  const count = Math.floor((plc.length - 4) / 8)
  const paragraphs: Paragraph[] = []
  for (let index = 0; index < count; index++) {
    const page = plc.readUInt32LE((count + 1) * 4 + index * 4) * 512
    const block = main.subarray(page, page + 512)
    const runs = block.length === 512 ? (block[511] ?? 0) : 0
    for (let run = 0; run < runs && (runs + 1) * 4 + run * 13 < 511; run++) {
      const at = (block[(runs + 1) * 4 + run * 13] ?? 0) * 2
      const size = block[at] ? (block[at] ?? 0) * 2 - 1 : (block[at + 1] ?? 0) * 2
      const properties = block.subarray(at + (block[at] ? 1 : 2)).subarray(0, size)
      const range = { start: block.readUInt32LE(run * 4), end: block.readUInt32LE(run * 4 + 4) }
      paragraphs.push({ ...range, ...parseProperties(at ? properties : Buffer.alloc(0)) })
    }
  }
  return paragraphs.sort((one, other) => one.start - other.start)
}

const OPERAND_BYTES = [1, 1, 2, 4, 2, 2, 0, 3]

function parseProperties(properties: Buffer): Omit<Paragraph, 'start' | 'end'> {
  const style = properties.length >= 2 ? properties.readUInt16LE(0) : 0
  // Styles 1 to 9 are always the nine headings.
  const paragraph = {
    heading: style <= 9 ? style : 0,
    inTable: false,
    isRowEnd: false,
    level: 0,
    isList: false,
  }
  for (let at = 2; at + 3 <= properties.length;) {
    const code = properties.readUInt16LE(at)
    const value = properties[at + 2] ?? 0
    if (code === 0x2416) paragraph.inTable = value === 1
    else if (code === 0x2417) paragraph.isRowEnd = value === 1
    else if (code === 0x260a) paragraph.level = Math.min(8, value)
    else if (code === 0x460b) paragraph.isList = value !== 0
    else if (code === 0x2640 && value < 9) paragraph.heading = value + 1
    at += 2 + (code >> 13 === 6 ? value + 1 : (OPERAND_BYTES[code >> 13] ?? 1))
  }
  return paragraph
}

function writeParagraphs(
  pieces: Character[],
  paragraphs: Paragraph[],
  sections: Sections,
  output: Output,
): void {
  let text = ''
  let cell: string[] = []
  let row: string[] = []
  let rows: string[][] = []
  let list: string[] = []
  const flush = (): void => {
    if (rows.length) sections.block(formatTable(rows))
    if (list.length) sections.block(list.join('\n'))
    rows = []
    list = []
  }
  const endParagraph = (offset: number, isCell: boolean): void => {
    const paragraph = findParagraph(paragraphs, offset)
    const clean = escapeText(text.replace(/[ \t]+/g, ' ').trim())
    text = ''
    if (isCell || paragraph?.inTable) {
      if (list.length) flush()
      if (isCell && paragraph?.isRowEnd) {
        if (row.length) rows.push(row)
        row = []
      } else {
        if (clean) cell.push(clean)
        if (isCell) row.push(cell.splice(0).join('\n'))
      }
      return
    }
    if (!clean) return
    if (paragraph?.isList && !paragraph.heading) {
      if (rows.length) flush()
      list.push(`${'  '.repeat(paragraph.level)}- ${clean.replaceAll('\n', ' ')}`)
      return
    }
    flush()
    if (paragraph?.heading) sections.heading(paragraph.heading + 1, clean)
    else sections.block(clean)
  }
  /** Fields are an instruction, a separator and a result; only the result is text. */
  const fields: boolean[] = []
  for (const piece of pieces) {
    for (let index = 0; index < piece.text.length; index++) {
      const character = piece.text[index] ?? ''
      const offset = piece.offset + index * piece.width
      if (character === '\u0013') fields.push(true)
      else if (character === '\u0014') fields[fields.length - 1] = false
      else if (character === '\u0015') fields.pop()
      else if (fields.at(-1)) continue
      else if (character === '\r' || character === '\f' || character === '\u0007')
        endParagraph(offset, character === '\u0007')
      else if (character === '\u0001') output.skip('picture', '图片')
      else if (character === '\u000B') text += '\n'
      else if (character === '\u001E') text += '-'
      else if (character >= ' ' || character === '\t') text += character
    }
  }
  endParagraph(Infinity, false)
  if (row.length) rows.push(row)
  flush()
}

function findParagraph(paragraphs: Paragraph[], offset: number): Paragraph | undefined {
  let [low, high] = [0, paragraphs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((paragraphs[middle]?.end ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  const paragraph = paragraphs[low]
  return paragraph && paragraph.start <= offset ? paragraph : undefined
}
