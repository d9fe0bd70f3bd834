import { formatCellNumber } from '../xlsx/number-format.ts'
import type { CellFormat } from '../xlsx/number-format.ts'
import type { FontMarks } from '../xlsx/strings.ts'
import type { SheetRow } from '../text/tables.ts'
import { RECORD } from './biff-records.ts'
import type { BiffRecord } from './biff-records.ts'
import { formatRichText, readShortString } from './biff-strings.ts'
import type { RichText } from './biff-strings.ts'
import type { Surroundings } from './xls-surroundings.ts'

/** Strings, formats and fonts that the sheets of a workbook share. */
export type Globals = {
  shared: RichText[]
  formats: CellFormat[]
  fonts: FontMarks[]
  is1904: boolean
  codepage: string
  isUnicode: boolean
}

const MAX_MERGED = 100_000
/** Records of cells are this long at least. */
const CELL_BYTES = new Map([
  [RECORD.FORMULA, 14],
  [RECORD.NUMBER, 14],
  [RECORD.RK, 10],
  [RECORD.LABELSST, 10],
])
const ERRORS: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}

/** Reads the cells of a sheet as Markdown, and hands on what lies over them. */
export function readCells(
  records: Iterable<BiffRecord>,
  globals: Globals,
  surroundings: Surroundings,
): SheetRow[] {
  const { shared, formats, fonts, is1904 } = globals
  const rows = new Map<number, SheetRow>()
  const merges: [number, number, number, number][] = []
  const putRich = (row: number, column: number, rich: RichText, format: number): void => {
    if (!rich.text.trim()) return
    const sheetRow = rows.get(row) ?? { index: row, cells: new Map<number, string>() }
    rows.set(row, sheetRow)
    sheetRow.cells.set(column, formatRichText(rich, formats[format]?.marks ?? {}, fonts))
  }
  const putCell = (row: number, column: number, format: number, text: string): void =>
    putRich(row, column, { text, runs: [] }, format)
  const toText = (value: number, format: number): string =>
    formatCellNumber(String(value), formats[format]?.code, is1904)
  let formula: [row: number, column: number, format: number] | undefined
  let depth = 0
  for (const record of records) {
    const { type, data } = record
    // A chart within a sheet has a beginning and an end of its own.
    if (type === RECORD.BOF) depth++
    else if (type === RECORD.EOF && --depth <= 0) break
    surroundings.take(record)
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
    if (data.length < (CELL_BYTES.get(type) ?? 6)) continue
    const [row, column, format] = [data.readUInt16LE(0), data.readUInt16LE(2), data.readUInt16LE(4)]
    if (type === RECORD.LABELSST) {
      const rich = shared[data.readUInt32LE(6)]
      if (rich) putRich(row, column, rich, format)
    } else if (type === RECORD.LABEL || type === RECORD.RSTRING)
      putCell(row, column, format, readShortString(data, 6, globals, 2))
    else if (type === RECORD.NUMBER) putCell(row, column, format, toText(data.readDoubleLE(6), format))
    else if (type === RECORD.RK) putCell(row, column, format, toText(decodeRk(data.readInt32LE(6)), format))
    else if (type === RECORD.BOOLERR) putCell(row, column, format, formatBoolean(data[6] ?? 0, data[7] === 1))
    else if (type === RECORD.MULRK) {
      for (let at = 4, next = column; at + 6 <= data.length - 2; at += 6) {
        const own = data.readUInt16LE(at)
        putCell(row, next++, own, toText(decodeRk(data.readInt32LE(at + 2)), own))
      }
    } else if (type === RECORD.FORMULA) {
      if (data.readUInt16LE(12) !== 0xffff) putCell(row, column, format, toText(data.readDoubleLE(6), format))
      else if (data[6] === 0) formula = [row, column, format]
      else if (data[6] === 1 || data[6] === 2)
        putCell(row, column, format, formatBoolean(data[8] ?? 0, data[6] === 2))
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
