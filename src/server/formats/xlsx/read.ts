import { decodeXml, findAll, findPath, getChildren, scanXml, textOfNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatHeading } from '../text/markdown.ts'
import { writeSheet } from '../text/tables.ts'
import type { SheetRow } from '../text/tables.ts'
import { formatChart } from '../office/chart.ts'
import { formatCellNumber, readNumberFormats } from './number-format.ts'
import { openPackage } from '../office/package.ts'
import type { OfficePackage } from '../office/package.ts'

/** Cells that all merged ranges of a sheet together may fill. */
const MAX_MERGED = 100_000

type Workbook = { file: OfficePackage; shared: string[]; formats: string[]; is1904: boolean }

/** Reads a workbook sheet by sheet: values as they are shown, results of formulas, merged cells, comments, charts. */
export async function readXlsx(zip: Zip, output: Output): Promise<void> {
  const file = openPackage(zip, 'xl/workbook.xml')
  if (file.main.endsWith('.bin')) throw new AppError('document_unsupported')
  const root = findPath(file.parse(file.main), 'workbook')
  const workbook: Workbook = {
    file,
    shared: readSharedStrings(file),
    formats: readNumberFormats(file.parse(file.related(file.main, 'styles'))),
    is1904: /^(1|true)$/.test(findPath(root, 'workbookPr')?.attributes.date1904 ?? ''),
  }
  const relations = file.relations(file.main)
  const sheets = getChildren(findPath(root, 'sheets'), 'sheet')
  output.begin('sheet', sheets.length)
  for (const { attributes } of sheets) {
    const path = relations.get(attributes['r:id'] ?? '')?.target
    const name = attributes.name ?? ''
    if (path) readSheet(path, name, workbook, output)
    output.endUnit()
  }
}

function readSheet(path: string, sheet: string, workbook: Workbook, output: Output): void {
  const { file } = workbook
  const bytes = file.read(path)
  if (!bytes) return output.skip('damaged', sheet, { sheet })
  const { rows, merges } = readCells(decodeXml(bytes), workbook)
  fillMerged(rows, merges)
  writeSheet(rows, output, { sheet }, { heading: formatHeading(2, escapeText(sheet)) })
  for (const { type, target } of file.relations(path).values()) {
    if (type === 'comments') {
      for (const comment of findAll(file.parse(target), 'comment')) {
        const text = findAll(comment, 't').map(textOfNode).join('').trim()
        const range = comment.attributes.ref
        if (text)
          output.add(`> 批注 ${range ?? ''}：${escapeText(text)}`, { sheet, ...(range ? { range } : {}) })
      }
    } else if (type === 'drawing') {
      for (const chart of findCharts(file, target)) output.add(chart, { sheet })
      if (findAll(file.parse(target), 'a:blip').length) output.skip('picture', sheet, { sheet })
    }
  }
}

const findCharts = (file: OfficePackage, drawing: string): string[] =>
  [...file.relations(drawing).values()]
    .filter(({ type, external }) => type === 'chart' && !external)
    .map(({ target }) => formatChart(file.parse(target)))

function readSharedStrings(file: OfficePackage): string[] {
  const path = file.related(file.main, 'sharedStrings')
  const bytes = path ? file.read(path) : undefined
  const strings: string[] = []
  if (!bytes) return strings
  let isText = false
  let isPhonetic = false
  scanXml(decodeXml(bytes), {
    open(name) {
      if (name === 'si') strings.push('')
      if (name === 'rPh') isPhonetic = true
      isText = name === 't' && !isPhonetic
    },
    text(text) {
      if (isText) strings[strings.length - 1] += text
    },
    close(name) {
      if (name === 't') isText = false
      if (name === 'rPh') isPhonetic = false
    },
  })
  return strings
}

type Merge = { top: number; left: number; bottom: number; right: number }

function readCells(
  xml: string,
  { shared, formats, is1904 }: Workbook,
): { rows: SheetRow[]; merges: Merge[] } {
  const byIndex = new Map<number, SheetRow>()
  const merges: Merge[] = []
  let [row, column] = [-1, -1]
  let [type, style, value, formula, inline] = ['', '', '', '', '']
  let into: 'v' | 'f' | 't' | '' = ''
  const putCell = (): void => {
    const text = toText()
    if (!text.trim()) return
    const sheetRow = byIndex.get(row) ?? { index: row, cells: new Map<number, string>() }
    byIndex.set(row, sheetRow)
    sheetRow.cells.set(column, escapeText(text))
  }
  const toText = (): string => {
    if (type === 's') return shared[Number(value)] ?? ''
    if (type === 'inlineStr') return inline
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    // A program that does not calculate leaves the formula without its result.
    if (value === '') return formula ? `=${formula}` : ''
    return type === 'str' || type === 'e' || type === 'd'
      ? value
      : formatCellNumber(value, formats[Number(style)], is1904)
  }
  scanXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        row = attributes.r ? Number(attributes.r) - 1 : row + 1
        column = -1
      } else if (name === 'c') {
        const at = parseCell(attributes.r ?? '')
        column = at ? at.column : column + 1
        if (at) row = at.row
        ;[type, style, value, formula, inline] = [attributes.t ?? '', attributes.s ?? '', '', '', '']
      } else if (name === 'v' || name === 'f' || name === 't') into = name
      else if (name === 'mergeCell') {
        const [from, to] = (attributes.ref ?? '').split(':').map(parseCell)
        if (from && to) merges.push({ top: from.row, left: from.column, bottom: to.row, right: to.column })
      }
    },
    text(text) {
      if (into === 'v') value += text
      else if (into === 'f') formula += text
      else if (into === 't') inline += text
    },
    close(name) {
      into = ''
      if (name === 'c') putCell()
    },
  })
  return { rows: [...byIndex.values()].sort((one, other) => one.index - other.index), merges }
}

/** Fills merged ranges, whose value the file has in their first cell only. */
function fillMerged(rows: SheetRow[], merges: Merge[]): void {
  const byIndex = new Map(rows.map((row) => [row.index, row]))
  let leftOver = MAX_MERGED
  for (const { top, left, bottom, right } of merges) {
    const value = byIndex.get(top)?.cells.get(left)
    leftOver -= (bottom - top + 1) * (right - left + 1)
    if (leftOver < 0) return
    for (let index = top; value !== undefined && index <= bottom; index++) {
      const cells = byIndex.get(index)?.cells
      for (let column = left; cells && column <= right; column++) cells.set(column, value)
    }
  }
}

function parseCell(name: string): { row: number; column: number } | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(name) ?? []
  if (!letters) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return { row: Number(digits) - 1, column: column - 1 }
}
