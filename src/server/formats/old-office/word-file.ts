import { AppError } from '#server/core/app-error.ts'
import type { Storage } from '../containers/cfb.ts'
import { decodeUtf16 } from '../text/byte-decoder.ts'

/** Streams of a Word document: its text and its pages of properties, its tables, and data that are too large for these. */
export type WordFile = { main: Buffer; table: Buffer; data: Buffer }

/** Offsets within the file information block (MS-DOC 2.5): flags, then lengths of texts, then places of tables. */
const FLAGS = 0x0a
const ENCRYPTED = 0x0100
const SECOND_TABLE = 0x0200
/** The first version that has tables as MS-DOC describes them is Word 97's. */
const WORD_97 = 0xc1

/** Lengths of the texts that follow each other, in characters. */
export const TEXT_LENGTHS = {
  body: 0x4c,
  footnotes: 0x50,
  headers: 0x54,
  macros: 0x58,
  comments: 0x5c,
  endnotes: 0x60,
  boxes: 0x64,
  headerBoxes: 0x68,
}
export type TextName = keyof typeof TEXT_LENGTHS

/** Places of tables. */
export const TABLE = {
  styles: 0xa2,
  footnoteMarks: 0xaa,
  footnotes: 0xb2,
  commentMarks: 0xba,
  comments: 0xc2,
  headers: 0xf2,
  characters: 0xfa,
  paragraphs: 0x102,
  fonts: 0x112,
  pieces: 0x1a2,
  commentAuthors: 0x1ba,
  shapes: 0x1da,
  endnoteMarks: 0x20a,
  endnotes: 0x212,
  drawings: 0x22a,
  boxes: 0x25a,
  headerBoxes: 0x26a,
  lists: 0x2e2,
  listOverrides: 0x2ea,
}

/** Opens a document of Word 97 or newer. Throws `document_damaged`, `document_encrypted`, and `document_unsupported` for older ones. */
export function openWordFile({ streams }: Storage): WordFile {
  const main = streams.get('WordDocument')?.()
  if (!main || main.length < 0x200) throw new AppError('document_damaged')
  const flags = main.readUInt16LE(FLAGS)
  const version = main.readUInt16LE(2)
  if (version > 0 && version < WORD_97) throw new AppError('document_unsupported')
  if (flags & ENCRYPTED) throw new AppError('document_encrypted')
  const table = streams.get(flags & SECOND_TABLE ? '1Table' : '0Table')?.()
  if (!table) throw new AppError('document_damaged')
  return { main, table, data: streams.get('Data')?.() ?? Buffer.alloc(0) }
}

/** Returns a table by its place in the file information block; an empty one where the file is older than the table. */
export function readTable({ main, table }: WordFile, place: number): Buffer {
  if (place + 8 > main.length) return Buffer.alloc(0)
  const start = main.readUInt32LE(place)
  return table.subarray(start, start + main.readUInt32LE(place + 4))
}

export type PlcEntry = { from: number; to: number; data: Buffer }

/** Reads a table of positions, and of as many bytes for each range between two of them (MS-DOC 2.2.2). */
export function readPlc(plc: Buffer, bytes: number): PlcEntry[] {
  const count = Math.max(0, Math.floor((plc.length - 4) / (4 + bytes)))
  return Array.from({ length: count }, (_, index) => {
    const at = (count + 1) * 4 + index * bytes
    return {
      from: plc.readUInt32LE(index * 4),
      to: plc.readUInt32LE(index * 4 + 4),
      data: plc.subarray(at, at + bytes),
    }
  })
}

/** Reads a string after its length in characters. */
export function readXst(bytes: Buffer, at: number): { text: string; end: number } {
  if (at + 2 > bytes.length) return { text: '', end: bytes.length }
  const end = at + 2 + bytes.readUInt16LE(at) * 2
  return { text: decodeUtf16(bytes, at + 2, Math.min(end, bytes.length)), end }
}

/** A stretch of text, which may lie anywhere in the file, with changes to its properties. */
export type TextPiece = {
  from: number
  to: number
  offset: number
  /** Bytes of a character: of the Latin code page, or of UTF-16. */
  width: 1 | 2
  changes: Buffer
}

/** Reads the table of pieces (MS-DOC 2.4.1). Throws `document_damaged`. */
export function readPieces(file: WordFile): TextPiece[] {
  const clx = readTable(file, TABLE.pieces)
  const changes: Buffer[] = []
  let at = 0
  while (clx[at] === 1 && at + 3 <= clx.length) {
    const end = at + 3 + clx.readUInt16LE(at + 1)
    changes.push(clx.subarray(at + 3, end))
    at = end
  }
  if (clx[at] !== 2 || at + 5 > clx.length) throw new AppError('document_damaged')
  const plc = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1))
  return readPlc(plc, 8).map(({ from, to, data }) => {
    const place = data.readUInt32LE(2)
    const isNarrow = Boolean(place & 0x40000000)
    return {
      from,
      to,
      offset: isNarrow ? (place & 0x3fffffff) >> 1 : place & 0x3fffffff,
      width: isNarrow ? 1 : 2,
      changes: readChanges(data.readUInt16LE(6), changes),
    }
  })
}

/** Single changes of a piece by their short codes (MS-DOC 2.9.216). */
const SHORT_CHANGES: Record<number, number> = {
  0x41: 0x0800,
  0x57: 0x0837,
  0x5c: 0x083c,
  0x68: 0x2a48,
  0x73: 0x2a53,
}

function readChanges(prm: number, changes: Buffer[]): Buffer {
  if (prm & 1) return changes[prm >> 1] ?? Buffer.alloc(0)
  const code = SHORT_CHANGES[(prm >> 1) & 0x7f]
  return code ? Buffer.from([code & 0xff, code >> 8, prm >> 8]) : Buffer.alloc(0)
}

export const decodePiece = (
  { main }: WordFile,
  { offset, width }: TextPiece,
  from: number,
  to: number,
): string => {
  const bytes = main.subarray(offset + from * width, offset + to * width)
  return width === 1 ? new TextDecoder('windows-1252').decode(bytes) : decodeUtf16(bytes)
}
