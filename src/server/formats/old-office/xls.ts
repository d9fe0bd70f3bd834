import { AppError } from '#server/core/app-error.ts'
import type { Storage } from '../containers/cfb.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatHeading, formatRanges } from '../text/markdown.ts'
import { writeSheet } from '../text/tables.ts'
import { getBuiltInFormat } from '../xlsx/number-format.ts'
import { readRecords, RECORD } from './biff-records.ts'
import { BiffStrings, readFont, readShortString } from './biff-strings.ts'
import { readCells } from './xls-cells.ts'
import type { Globals } from './xls-cells.ts'
import { createSurroundings } from './xls-surroundings.ts'

/** Code pages of files from before Unicode. */
const CODE_PAGES: Record<number, string> = {
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1251: 'windows-1251',
}
/** Workbooks have no font of this number (MS-XLS 2.5.129). */
const NO_FONT = 4
/** Reads a workbook of Excel 97, or of Excel 5 with its code page: values, results of formulas, merged cells, dates. */
export async function readXls({ streams }: Storage, output: Output): Promise<void> {
  const book = (streams.get('Workbook') ?? streams.get('Book'))?.()
  if (!book) throw new AppError('document_damaged')
  const sheets: { name: string; offset: number; isHidden: boolean }[] = []
  const globals: Globals = {
    shared: [],
    formats: [],
    fonts: [],
    is1904: false,
    codepage: 'windows-1252',
    isUnicode: true,
  }
  const codes = new Map<number, string>()
  const cellFormats: { font: number; format: number }[] = []
  for (const { type, data: bytes, parts } of readRecords(book, 0)) {
    // A record that is cut off is read as if zeros followed.
    const data = bytes.length < 4 ? Buffer.concat([bytes, Buffer.alloc(4)]) : bytes
    if (type === RECORD.EOF) break
    if (type === RECORD.FILEPASS) throw new AppError('document_encrypted')
    if (type === RECORD.BOF) globals.isUnicode = data.readUInt16LE(0) >= 0x600
    else if (type === RECORD.CODEPAGE) globals.codepage = CODE_PAGES[data.readUInt16LE(0)] ?? 'windows-1252'
    else if (type === RECORD.DATEMODE) globals.is1904 = data.readUInt16LE(0) === 1
    else if (type === RECORD.FORMAT)
      codes.set(data.readUInt16LE(0), readShortString(data, 2, globals, globals.isUnicode ? 2 : 1))
    else if (type === RECORD.FONT) {
      if (globals.fonts.length === NO_FONT) globals.fonts.push({})
      globals.fonts.push(readFont(data, globals))
    } else if (type === RECORD.XF)
      cellFormats.push({ font: data.readUInt16LE(0), format: data.readUInt16LE(2) })
    else if (type === RECORD.SST) globals.shared = new BiffStrings(parts).readTable()
    else if (type === RECORD.BOUNDSHEET) {
      const isHidden = ((data[4] ?? 0) & 3) !== 0
      sheets.push({ offset: data.readUInt32LE(0), name: readShortString(data, 6, globals, 1), isHidden })
    }
  }
  globals.formats = cellFormats.map(({ font, format }) => ({
    code: codes.get(format) ?? getBuiltInFormat(format),
    marks: globals.fonts[font] ?? {},
  }))
  output.begin('sheet', sheets.length)
  for (const { name: sheet, offset, isHidden } of sheets) {
    if (isHidden) output.skip('hidden', `工作表 ${sheet}`, { sheet })
    const surroundings = createSurroundings(globals)
    const rows = readCells(readRecords(book, offset), globals, surroundings)
    if (surroundings.hiddenRows.length)
      output.skip('hidden', `第 ${formatRanges(surroundings.hiddenRows)} 行`, { sheet })
    const heading = formatHeading(2, escapeText(isHidden ? `${sheet}（隐藏的工作表）` : sheet))
    writeSheet(rows, output, { sheet }, { heading })
    for (const { text, range } of surroundings.takeTexts())
      output.add(text, { sheet, ...(range ? { range } : {}) })
    if (surroundings.hasPicture) output.skip('picture', sheet, { sheet })
    output.endUnit()
  }
}
