import { decodeXml, findPath, getChildren, scanXml } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatHeading, formatLink, formatRanges } from '../text/markdown.ts'
import { writeSheet } from '../text/tables.ts'
import type { SheetRow } from '../text/tables.ts'
import { formatCellNumber, readCellFormats } from './number-format.ts'
import type { CellFormat } from './number-format.ts'
import { createStringItem, formatCellText, formatMarked, readSharedStrings } from './strings.ts'
import type { CellText } from './strings.ts'
import { formatEdge, formatHint, readComments, readDrawing } from './surroundings.ts'
import { openPackage } from '../office/package.ts'
import type { OfficePackage, Relation } from '../office/package.ts'

/** Cells that all merged ranges of a sheet together may fill. */
const MAX_MERGED = 100_000
/** Headers, footers and hints of a sheet that are read. */
const MAX_NOTES = 200

type Workbook = { file: OfficePackage; shared: CellText[]; formats: CellFormat[]; is1904: boolean }

/** Reads a workbook sheet by sheet: values as they are shown, results of formulas, merged cells, comments, charts. */
export async function readXlsx(zip: Zip, output: Output): Promise<void> {
  const file = openPackage(zip, 'xl/workbook.xml')
  if (file.main.endsWith('.bin')) throw new AppError('document_unsupported')
  const root = findPath(file.parse(file.main), 'workbook')
  const stringsPath = file.related(file.main, 'sharedStrings')
  const workbook: Workbook = {
    file,
    shared: readSharedStrings(stringsPath ? file.read(stringsPath) : undefined),
    formats: readCellFormats(file.parse(file.related(file.main, 'styles'))),
    is1904: /^(1|true)$/.test(findPath(root, 'workbookPr')?.attributes.date1904 ?? ''),
  }
  const relations = file.relations(file.main)
  const sheets = getChildren(findPath(root, 'sheets'), 'sheet')
  output.begin('sheet', sheets.length)
  for (const { attributes } of sheets) {
    const path = relations.get(attributes['r:id'] ?? '')?.target
    const name = attributes.name ?? ''
    const isHidden = /hidden/i.test(attributes.state ?? '')
    if (isHidden) output.skip('hidden', `工作表 ${name}`, { sheet: name })
    if (path) readSheet(path, { name, isHidden }, workbook, output)
    output.endUnit()
  }
}

function readSheet(
  path: string,
  { name: sheet, isHidden }: { name: string; isHidden: boolean },
  workbook: Workbook,
  output: Output,
): void {
  const { file } = workbook
  const bytes = file.read(path)
  if (!bytes) return output.skip('damaged', sheet, { sheet })
  const { rows, merges, links, hiddenRows, notes } = readCells(decodeXml(bytes), workbook)
  const relations = file.relations(path)
  addLinks(rows, links, relations)
  fillMerged(rows, merges)
  if (hiddenRows.length) output.skip('hidden', `第 ${formatRanges(hiddenRows)} 行`, { sheet })
  const heading = formatHeading(2, escapeText(isHidden ? `${sheet}（隐藏的工作表）` : sheet))
  writeSheet(rows, output, { sheet }, { heading })
  for (const { type, target } of relations.values()) {
    if (type === 'comments' || type === 'threadedComment') {
      for (const { text, range } of readComments(file.parse(target)))
        output.add(`> 批注 ${range ?? ''}：${escapeText(text)}`, { sheet, ...(range ? { range } : {}) })
    } else if (type === 'drawing' || type === 'vmlDrawing') readDrawing(file, target, sheet, output)
  }
  for (const note of notes) output.add(note, { sheet })
}

type Link = { row: number; column: number; id: string }

/** Adds the addresses that cells lead to. */
function addLinks(rows: SheetRow[], links: Link[], relations: Map<string, Relation>): void {
  const byIndex = new Map(rows.map((row) => [row.index, row]))
  for (const { row, column, id } of links) {
    const cells = byIndex.get(row)?.cells
    const text = cells?.get(column)
    const { target = '', external } = relations.get(id) ?? {}
    if (cells && text && external) cells.set(column, formatLink(text, target))
  }
}

type Merge = { top: number; left: number; bottom: number; right: number }

function readCells(
  xml: string,
  { shared, formats, is1904 }: Workbook,
): { rows: SheetRow[]; merges: Merge[]; links: Link[]; hiddenRows: number[]; notes: string[] } {
  const byIndex = new Map<number, SheetRow>()
  const merges: Merge[] = []
  const links: Link[] = []
  const hiddenRows: number[] = []
  const notes: string[] = []
  let edge = ''
  const item = createStringItem()
  let [row, column] = [-1, -1]
  let [type, style, value, formula] = ['', '', '', '']
  let into: 'v' | 'f' | 'is' | '' = ''
  const putCell = (): void => {
    const text = toText()
    if (!text.trim()) return
    const sheetRow = byIndex.get(row) ?? { index: row, cells: new Map<number, string>() }
    byIndex.set(row, sheetRow)
    sheetRow.cells.set(column, text)
  }
  const toText = (): string => {
    const { code, marks } = formats[Number(style)] ?? { code: '', marks: {} }
    if (type === 's') return formatCellText(shared[Number(value)] ?? '', marks)
    if (type === 'inlineStr') return formatCellText(item.take(), marks)
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
    // A program that does not calculate leaves the formula without its result. An empty text is one, of the type `str`.
    if (value === '') return formula && type !== 'str' ? escapeText(`=${formula}`) : ''
    const isText = type === 'str' || type === 'e' || type === 'd'
    return formatMarked(isText ? value : formatCellNumber(value, code, is1904), marks)
  }
  const addNote = (note: string | undefined): void => {
    if (note && !notes.includes(note) && notes.length < MAX_NOTES) notes.push(note)
  }
  scanXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        row = attributes.r ? Number(attributes.r) - 1 : row + 1
        column = -1
        if (/^(1|true)$/.test(attributes.hidden ?? '')) hiddenRows.push(row + 1)
      } else if (name === 'c') {
        const at = parseCell(attributes.r ?? '')
        column = at ? at.column : column + 1
        if (at) row = at.row
        ;[type, style, value, formula] = [attributes.t ?? '', attributes.s ?? '', '', '']
      } else if (name === 'v' || name === 'f' || name === 'is') into = name
      else if (into === 'is') item.open(name, attributes)
      else if (name === 'mergeCell') {
        const [from, to] = (attributes.ref ?? '').split(':').map(parseCell)
        if (from && to) merges.push({ top: from.row, left: from.column, bottom: to.row, right: to.column })
      } else if (name === 'hyperlink') {
        const at = parseCell(attributes.ref?.replace(/:.*/, '') ?? '')
        if (at) links.push({ ...at, id: attributes['r:id'] ?? '' })
      } else if (/^(x14:)?dataValidation$/.test(name)) addNote(formatHint(attributes))
      edge = ''
    },
    text(text) {
      if (into === 'v') value += text
      else if (into === 'f') formula += text
      else if (into === 'is') item.text(text)
      else edge += text
    },
    close(name) {
      if (into === 'is' && name !== 'is') return item.close(name)
      into = ''
      if (name === 'c') putCell()
      else if (edge) addNote(formatEdge(name, edge))
      edge = ''
    },
  })
  return {
    rows: [...byIndex.values()].sort((one, other) => one.index - other.index),
    merges,
    links,
    hiddenRows,
    notes,
  }
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
