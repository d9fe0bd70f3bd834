import { AppError } from '#server/core/app-error.ts'
import type { Storage } from '../containers/cfb.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatHeading } from '../text/markdown.ts'
import { writeSheet } from '../text/tables.ts'
import type { SheetRow } from '../text/tables.ts'
import { formatCellNumber, getBuiltInFormat } from '../xlsx/number-format.ts'
import { BiffStrings, readShortString } from './biff-strings.ts'

/** Records of Excel's binary format (MS-XLS 2.3). */
const RECORD = {
  EOF: 0x0a,
  FORMULA: 0x06,
  DATEMODE: 0x22,
  FILEPASS: 0x2f,
  CONTINUE: 0x3c,
  CODEPAGE: 0x42,
  BOUNDSHEET: 0x85,
  MULRK: 0xbd,
  RSTRING: 0xd6,
  XF: 0xe0,
  MERGEDCELLS: 0xe5,
  SST: 0xfc,
  LABELSST: 0xfd,
  NUMBER: 0x203,
  LABEL: 0x204,
  BOOLERR: 0x205,
  STRING: 0x207,
  RK: 0x27e,
  FORMAT: 0x41e,
  BOF: 0x809,
}
const MAX_MERGED = 100_000
/** Code pages of files from before Unicode. */
const CODE_PAGES: Record<number, string> = {
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1251: 'windows-1251',
}
const ERRORS: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}

type BiffRecord = { type: number; data: Buffer; parts: Buffer[] }
type Globals = { shared: string[]; formats: string[]; is1904: boolean; codepage: string; isUnicode: boolean }

/** Reads a workbook of Excel 97, or of Excel 5 with its code page: values, results of formulas, merged cells, dates. */
export async function readXls({ streams }: Storage, output: Output): Promise<void> {
  const book = (streams.get('Workbook') ?? streams.get('Book'))?.()
  if (!book) throw new AppError('document_damaged')
  const sheets: { name: string; offset: number }[] = []
  const globals: Globals = {
    shared: [],
    formats: [],
    is1904: false,
    codepage: 'windows-1252',
    isUnicode: true,
  }
  const codes = new Map<number, string>()
  const cellFormats: number[] = []
  for (const { type, data, parts } of records(book, 0)) {
    if (type === RECORD.EOF) break
    if (type === RECORD.FILEPASS) throw new AppError('document_encrypted')
    if (type === RECORD.BOF) globals.isUnicode = data.readUInt16LE(0) >= 0x600
    else if (type === RECORD.CODEPAGE) globals.codepage = CODE_PAGES[data.readUInt16LE(0)] ?? 'windows-1252'
    else if (type === RECORD.DATEMODE) globals.is1904 = data.readUInt16LE(0) === 1
    else if (type === RECORD.FORMAT)
      codes.set(data.readUInt16LE(0), readShortString(data, 2, globals, globals.isUnicode ? 2 : 1))
    else if (type === RECORD.XF) cellFormats.push(data.readUInt16LE(2))
    else if (type === RECORD.SST) globals.shared = new BiffStrings(parts).readTable()
    else if (type === RECORD.BOUNDSHEET)
      sheets.push({ offset: data.readUInt32LE(0), name: readShortString(data, 6, globals, 1) })
  }
  globals.formats = cellFormats.map((id) => codes.get(id) ?? getBuiltInFormat(id))
  output.begin('sheet', sheets.length)
  for (const { name: sheet, offset } of sheets) {
    const rows = readCells(book, offset, globals)
    writeSheet(rows, output, { sheet }, { heading: formatHeading(2, escapeText(sheet)) })
    output.endUnit()
  }
}

/** Yields the records from an offset on, each with the records that continue it. */
function* records(book: Buffer, start: number): Generator<BiffRecord> {
  for (let at = start; at + 4 <= book.length;) {
    const type = book.readUInt16LE(at)
    const parts: Buffer[] = []
    do {
      const length = book.readUInt16LE(at + 2)
      parts.push(book.subarray(at + 4, at + 4 + length))
      at += 4 + length
    } while (at + 4 <= book.length && book.readUInt16LE(at) === RECORD.CONTINUE)
    yield { type, data: parts[0] ?? Buffer.alloc(0), parts }
  }
}

function readCells(book: Buffer, offset: number, globals: Globals): SheetRow[] {
  const { shared, formats, is1904 } = globals
  const rows = new Map<number, SheetRow>()
  const merges: [number, number, number, number][] = []
  const putCell = (row: number, column: number, text: string): void => {
    if (!text.trim()) return
    const sheetRow = rows.get(row) ?? { index: row, cells: new Map<number, string>() }
    rows.set(row, sheetRow)
    sheetRow.cells.set(column, escapeText(text))
  }
  const toText = (value: number, format: number): string =>
    formatCellNumber(String(value), formats[format], is1904)
  let formula: [number, number] | undefined
  let depth = 0
  for (const { type, data } of records(book, offset)) {
    // A chart within a sheet has a beginning and an end of its own.
    if (type === RECORD.BOF) depth++
    else if (type === RECORD.EOF && --depth <= 0) break
    if (depth > 1) continue
    if (type === RECORD.STRING && formula) {
      putCell(...formula, readShortString(data, 0, globals, 2))
      formula = undefined
    } else if (type === RECORD.MERGEDCELLS) {
      for (let at = 2; at + 8 <= data.length; at += 8) {
        const [top = 0, bottom = 0, left = 0, right = 0] = [0, 2, 4, 6].map((field) =>
          data.readUInt16LE(at + field),
        )
        merges.push([top, bottom, left, right])
      }
    }
    if (data.length < 6) continue
    const [row, column, format] = [data.readUInt16LE(0), data.readUInt16LE(2), data.readUInt16LE(4)]
    if (type === RECORD.LABELSST) putCell(row, column, shared[data.readUInt32LE(6)] ?? '')
    else if (type === RECORD.LABEL || type === RECORD.RSTRING)
      putCell(row, column, readShortString(data, 6, globals, 2))
    else if (type === RECORD.NUMBER) putCell(row, column, toText(data.readDoubleLE(6), format))
    else if (type === RECORD.RK) putCell(row, column, toText(decodeRk(data.readInt32LE(6)), format))
    else if (type === RECORD.BOOLERR) putCell(row, column, formatBoolean(data[6] ?? 0, data[7] === 1))
    else if (type === RECORD.MULRK) {
      for (let at = 4, next = column; at + 6 <= data.length - 2; at += 6) {
        putCell(row, next++, toText(decodeRk(data.readInt32LE(at + 2)), data.readUInt16LE(at)))
      }
    } else if (type === RECORD.FORMULA) {
      if (data.readUInt16LE(12) !== 0xffff) putCell(row, column, toText(data.readDoubleLE(6), format))
      else if (data[6] === 0) formula = [row, column]
      else if (data[6] === 1 || data[6] === 2)
        putCell(row, column, formatBoolean(data[8] ?? 0, data[6] === 2))
    }
  }
  fillMerged(rows, merges)
  return [...rows.values()].sort((one, other) => one.index - other.index)
}

function fillMerged(rows: Map<number, SheetRow>, merges: [number, number, number, number][]): void {
  let leftOver = MAX_MERGED
  for (const [top, bottom, left, right] of merges) {
    const value = rows.get(top)?.cells.get(left)
    leftOver -= (bottom - top + 1) * (right - left + 1)
    if (leftOver < 0) return
    for (let index = top; value !== undefined && index <= bottom; index++) {
      const cells = rows.get(index)?.cells
      for (let column = left; cells && column <= right; column++) cells.set(column, value)
    }
  }
}

const formatBoolean = (value: number, isError: boolean): string =>
  isError ? (ERRORS[value] ?? '#ERROR!') : value ? 'TRUE' : 'FALSE'

/** Decodes a number of 30 bits: an integer or the upper half of a double, perhaps a hundredfold. */
function decodeRk(rk: number): number {
  let value = rk >> 2
  if (!(rk & 2)) {
    const double = Buffer.alloc(8)
    double.writeInt32LE(rk & ~3, 4)
    value = double.readDoubleLE(0)
  }
  return rk & 1 ? value / 100 : value
}
