import type { Part } from '../rewriting/blocks.ts'
import type { Unit } from '../rewriting/draft.ts'
import { child, descendants, escapeAttribute, findAttribute, parseElements } from '../rewriting/xml.ts'
import type { XmlText } from '../rewriting/xml.ts'
import type { Office } from '../rewriting/package.ts'
import { wordSyntax } from '../docx/paragraph.ts'
import { toLetters, toNumber } from './sheet.ts'
import type { Sheet } from './sheet.ts'

/** A text of a table that a cell of its sheet has as well: the name of a column, or the label of its total. */
type TableText = { attribute: XmlText; range: string; isName: boolean }
export type Table = {
  sheet: Sheet
  path: string
  part: Part
  names: string[]
  columns: string[]
  texts: TableText[]
  hasFormula: boolean
}

/** Finds the tables, and notes in their sheets the cells that they repeat (ECMA-376 part 1, 18.5.1.3). */
export function findTables(office: Office, sheets: Sheet[]): Table[] {
  return sheets.flatMap((sheet) =>
    [...office.relations(sheet.path).values()].flatMap(({ type, target, external }) => {
      const part = type === 'table' && !external ? office.open(target, wordSyntax) : undefined
      const [root] = part ? parseElements(part.source) : []
      const area = parseArea(root?.attributes.ref)
      if (!part || !root || !area) return []
      const { headerRowCount, totalsRowCount = '0', name = '', displayName = '' } = root.attributes
      const columns = descendants(root, 'tableColumn')
      const texts = columns.flatMap((column, index) => {
        const letters = toLetters(area.left + index)
        const header = headerRowCount !== '0' && findAttribute(part.source, column, 'name')
        const label = Number(totalsRowCount) > 0 && findAttribute(part.source, column, 'totalsRowLabel')
        return [
          ...(header ? [{ attribute: header, range: `${letters}${area.top}`, isName: true }] : []),
          ...(label ? [{ attribute: label, range: `${letters}${area.bottom}`, isName: false }] : []),
        ]
      })
      for (const { range } of texts) sheet.namedCells.add(range)
      return {
        sheet,
        path: target,
        part,
        names: [name, displayName].filter(Boolean),
        columns: columns.map(({ attributes }) => attributes.name ?? ''),
        texts,
        hasFormula: columns.some(
          (column) => child(column, 'calculatedColumnFormula') || child(column, 'totalsRowFormula'),
        ),
      }
    }),
  )
}

/** Source of a pivot table, whose fields are called as the cells of its first row. */
export type PivotSource = { table: string } | { sheet: Sheet; ranges: string[] }

export function findPivotSources({ paths, read }: Office, sheets: Sheet[]): PivotSource[] {
  return paths.flatMap((path): PivotSource[] => {
    const content = /pivotCacheDefinition\d*\.xml$/.test(path) ? read(path) : undefined
    const [root] = content ? parseElements(content.toString()) : []
    return descendants(root, 'worksheetSource').flatMap(({ attributes }): PivotSource[] => {
      if (attributes.name) return [{ table: attributes.name }]
      const area = parseArea(attributes.ref)
      const sheet = sheets.find(({ name }) => name === attributes.sheet)
      if (!area || !sheet) return []
      const ranges = Array.from(
        { length: Math.min(area.right - area.left + 1, MAX_COLUMNS) },
        (_, index) => `${toLetters(area.left + index)}${area.top}`,
      )
      for (const range of ranges) sheet.namedCells.add(range)
      return [{ sheet, ranges }]
    })
  })
}

/** Keeps the cells of names that a formula or a pivot table uses. Returns the numbers of their shared strings. */
export function keepNamed(
  office: Office,
  sheets: Sheet[],
  tables: Table[],
  sources: PivotSource[],
): Set<number> {
  const hasNames = sheets.some((sheet) => sheet.hasNames) || office.read(office.main)?.includes('[') === true
  const keptStrings = new Set<number>()
  const keep = (sheet: Sheet, ranges: Set<string>): void => {
    for (const range of ranges) {
      const string = sheet.sharedCells.get(range)
      if (string !== undefined) keptStrings.add(string)
    }
    for (const [start, range] of sheet.inlineCells) if (ranges.has(range)) sheet.keptStarts.add(start)
    for (const { start, range } of sheet.plainCells) if (ranges.has(range)) sheet.keptStarts.add(start)
  }
  for (const source of sources) {
    if (!('sheet' in source)) continue
    keep(source.sheet, new Set(source.ranges))
    const { ranges, sheet } = source
    office.draft.keep('table_names', `${ranges[0]}:${ranges.at(-1)}`, { sheet: sheet.name })
  }
  for (const { sheet, names, columns, texts, hasFormula } of tables) {
    const isNamed =
      hasNames || hasFormula || sources.some((source) => 'table' in source && names.includes(source.table))
    if (!isNamed) continue
    keep(sheet, new Set(texts.flatMap(({ isName, range }) => (isName ? range : []))))
    if (columns.some((name) => /\p{L}/u.test(name)))
      office.draft.keep('table_names', columns.join('、'), { sheet: sheet.name })
  }
  return keptStrings
}

/** Lets the texts of tables follow the cells that have them; where a cell stays, its name does. */
export function addNames(tables: Table[], strings: Map<number, Unit>): void {
  for (const { sheet, path, part, texts } of tables) {
    for (const { attribute, range, isName } of texts) {
      const string = sheet.sharedCells.get(range)
      const unit = string === undefined ? sheet.units.get(range) : strings.get(string)
      if (!unit) continue
      const { start, end } = attribute
      ;(unit.copies ??= []).push({ part, start, end, write: writeName })
      if (isName) (unit.lists ??= []).push(path)
    }
  }
}

/** An attribute writes control characters as `_x000a_` (ST_Xstring, ECMA-376 part 1, 22.9.2.19). */
const writeName = (text: string): string =>
  escapeAttribute(text.replace(/\r\n?|[\n\t]/g, (character) => (character === '\t' ? '_x0009_' : '_x000a_')))

type Area = { left: number; top: number; right: number; bottom: number }
/** Most columns of a sheet. */
const MAX_COLUMNS = 16_384

function parseArea(ref = ''): Area | undefined {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?$/.exec(ref)
  if (!match) return undefined
  const [, left = '', top = '', right = left, bottom = top] = match
  return { left: toNumber(left), top: Number(top), right: toNumber(right), bottom: Number(bottom) }
}
