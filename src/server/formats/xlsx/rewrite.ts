import { parseXml, scanXml } from '../containers/xml.ts'
import type { Place } from '#contract/readings.ts'
import type { FixedNode, Node, Part, Shell, TextNode } from '../rewriting/blocks.ts'
import type { Draft, Opened, Unit } from '../rewriting/draft.ts'
import { groupRuns } from '../rewriting/runs.ts'
import type { Run } from '../rewriting/runs.ts'
import {
  child,
  descendants,
  elements,
  escapeAttribute,
  escapeXml,
  findAttribute,
  parseElements,
  textOf,
} from '../rewriting/xml.ts'
import type { XmlElement } from '../rewriting/xml.ts'
import { addParagraphs, addPlain, addRelated, drawingSyntax } from '../office/drawing.ts'
import { openOffice, toOpened } from '../rewriting/package.ts'
import type { Office } from '../rewriting/package.ts'
import { wordSyntax } from '../docx/paragraph.ts'

const INLINE = new Set([
  'is',
  'oddHeader',
  'oddFooter',
  'evenHeader',
  'evenFooter',
  'firstHeader',
  'firstFooter',
])

/** A sheet: the shared strings of its cells, and whether its formulas name columns. */
type Sheet = {
  path: string
  name: string
  cells: Map<string, number>
  hasNames: boolean
}

/**
 * Opens a workbook: the strings of its cells, comments, headers and footers, drawings, titles of charts, columns of tables. Names
 * in formulas stay: sheets, defined names, columns where a formula names one.
 */
export function openXlsx(bytes: Buffer): Opened {
  const office = openOffice(bytes, 'xl/workbook.xml')
  const { draft, paths } = office
  const sheets = listSheets(office)
  const places = new Map<number, Place>()
  for (const sheet of sheets) scanSheet(office, sheet, places)
  const names = sheets.map(({ name }) => name)
  if (names.some((name) => /\p{L}/u.test(name))) draft.keep('sheet_names', names.join('、'))
  const columns = findColumns(office, sheets)
  const strings = addStrings(office, places, columns.keptStrings)
  for (const sheet of sheets) addSheet(office, sheet)
  addColumns(columns.targets, strings, draft)
  for (const path of paths) if (/pivotCacheDefinition\d*\.xml$/.test(path)) draft.keep('pivot', path)
  return toOpened('xlsx', office)
}

function listSheets({ main, read, relations }: Office): Sheet[] {
  const content = read(main)
  const targets = relations(main)
  const sheets: Sheet[] = []
  if (!content) return sheets
  const book = parseXml(content).children.find((each) => typeof each !== 'string')
  const list = typeof book === 'string' ? [] : (book?.children ?? [])
  for (const each of list.flatMap((child) =>
    typeof child !== 'string' && child.name === 'sheets' ? child.children : [],
  )) {
    if (typeof each === 'string') continue
    const target = targets.get(each.attributes['r:id'] ?? '')
    const { name = '' } = each.attributes
    if (target && !target.external)
      sheets.push({ path: target.target, name, cells: new Map(), hasNames: false })
  }
  return sheets
}

/** Scans a sheet only once: it may have a million cells. */
function scanSheet({ read, draft }: Office, sheet: Sheet, places: Map<number, Place>): void {
  const content = read(sheet.path)
  if (!content) return
  let reference = ''
  let type = ''
  let element = ''
  const place = { sheet: sheet.name }
  scanXml(content.toString(), {
    open(name, attributes) {
      element = name
      const { prompt = '', error = '' } = attributes
      if (name === 'dataValidation' && /\p{L}/u.test(prompt + error))
        draft.keep('choices', prompt || error, place)
      if (name !== 'c') return
      reference = attributes.r ?? ''
      type = attributes.t ?? ''
    },
    text(text) {
      if (element === 'v' && type === 's') {
        sheet.cells.set(reference, Number(text))
        if (!places.has(Number(text))) places.set(Number(text), { ...place, range: reference })
      } else if (element === 'v' && type === 'str' && /\p{L}/u.test(text))
        draft.keep('formula_text', sheet.name, place)
      else if (element === 'f' || element === 'formula') {
        if (/\[(?!\d+\])/.test(text)) sheet.hasNames = true
        if (/"[^"]*\p{L}[^"]*"/u.test(text)) draft.keep('formula_text', sheet.name, place)
      } else if (element === 'formula1' && /^\s*".*\p{L}/u.test(text))
        draft.keep('choices', text.trim(), place)
    },
    close: () => void (element = ''),
  })
}

/** Reads a string's runs, or its text, without the phonetic readings above it. */
function readString(part: Part, string: XmlElement): Node[] {
  const plain = child(string, 't')
  if (plain) {
    const { open: start, close: end } = plain
    return [{ kind: 'text', start, end, text: textOf(plain) }]
  }
  return groupRuns(elements(string, 'r').map((run) => readRun(part.source, run, string)))
}

function readRun(source: string, run: XmlElement, parent: XmlElement): Run {
  const properties = child(run, 'rPr')
  const raw = properties ? source.slice(properties.start, properties.end) : ''
  const tag = source.slice(run.start, run.open).replace(/^<|[\s/]*>$/g, '')
  const text = tag.replace(/r$/, 't')
  const shell: Shell = {
    key: raw.replace(/<(\w+:)?(charset|family|scheme)\b[^>]*>/g, ''),
    open: source.slice(run.start, properties?.end ?? run.open),
    close: `</${tag}>`,
    text: [`<${text} xml:space="preserve">`, `</${text}>`],
  }
  const nodes = elements(run, 't').map((each): TextNode | FixedNode => ({
    kind: 'text',
    start: each.start,
    end: each.end,
    text: textOf(each),
    shell,
  }))
  return {
    kind: 'run',
    start: run.start,
    end: run.end,
    shell,
    isVisible: /<(\w+:)?(u|strike)\b/.test(raw),
    nodes,
    parent,
  }
}

/** Adds a string; where it has runs, a second language is another run behind them. */
function addString(
  part: Part,
  string: XmlElement,
  draft: Draft,
  place: Place,
  distinct?: string,
): Unit | undefined {
  const readings = elements(string, 'rPh')
  const runs = elements(string, 'r')
  const last = runs.at(-1)
  const nodes = readString(part, string)
  const separator: Node | undefined = last && { kind: 'text', start: last.end, end: last.end, text: '' }
  const unit = draft.add(part, nodes, place, {
    syntax: wordSyntax,
    dropped: readings,
    ...(separator
      ? { beside: { at: separator.end, open: '<r><t xml:space="preserve"> / </t></r>', close: '' } }
      : {}),
  })
  if (unit && readings.length) draft.keep('phonetic', readings.map(textOf).join(''), place)
  if (unit && distinct !== undefined) unit.distinct = distinct
  return unit
}

/** Adds the shared strings, each once, by their numbers. */
function addStrings(office: Office, places: Map<number, Place>, keptStrings: Set<number>): Map<number, Unit> {
  const path = [...office.relations(office.main).values()].find(
    ({ type }) => type === 'sharedStrings',
  )?.target
  const openPart = office.parse(path, wordSyntax, new Set(['si']))
  const units = new Map<number, Unit>()
  for (const [index, string] of (openPart ? elements(openPart.root) : []).entries()) {
    // A string that no cell shows is left over from an earlier state.
    const place = places.get(index)
    if (!openPart || !place || keptStrings.has(index)) continue
    const unit = addString(openPart.part, string, office.draft, place)
    if (unit) units.set(index, unit)
  }
  return units
}

function addSheet(office: Office, sheet: Sheet): void {
  const { draft } = office
  const place = { sheet: sheet.name }
  const openPart = office.parse(sheet.path, wordSyntax, INLINE)
  for (const element of openPart ? elements(openPart.root) : []) {
    if (!openPart) break
    if (element.name === 'is') addString(openPart.part, element, draft, place)
    else addHeader(openPart.part, element, draft, place)
  }
  for (const { type, target, external } of office.relations(sheet.path).values()) {
    if (external) continue
    if (type === 'comments') {
      const comments = office.parse(target, wordSyntax, new Set(['text']))
      for (const text of comments ? elements(comments.root) : [])
        if (comments) addString(comments.part, text, draft, place)
    } else if (type === 'threadedComment') {
      const comments = office.parse(target, wordSyntax, new Set(['text']))
      for (const text of comments ? elements(comments.root) : [])
        if (comments) addPlain(comments.part, text, draft, place)
    } else if (type === 'drawing') {
      const drawing = office.parse(target, drawingSyntax)
      if (drawing) addParagraphs(drawing.part, drawing.root, draft, place)
      // Charts show the names of cells, which are translated there.
      addRelated(office, target, place, false)
    }
  }
}

/** Codes of headers and footers (ECMA-376, 18.3.1.46): sections, fonts, sizes, colours, page numbers. */
const CODE = /&amp;(?:(?:"|&quot;).*?(?:"|&quot;)|K[\dA-F]{6}|K\d\d[+-]\d{3}|\d{1,3}|&amp;|.)/gs
const headerSyntax = { write: (text: string): string => escapeXml(text.replaceAll('&', '&&')) }

function addHeader(part: Part, element: XmlElement, draft: Draft, place: Place): void {
  const raw = part.source.slice(element.open, element.close)
  let nodes: Node[] = []
  let at = 0
  const addText = (end: number): void => {
    const [start, text] = [element.open + at, raw.slice(at, end)]
    const plain = text.replace(
      /&(lt|gt|quot|apos);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? "'",
    )
    if (text) nodes.push({ kind: 'text', start, end: start + text.length, text: plain })
  }
  const end = (): void => {
    draft.add(part, nodes, place, { syntax: headerSyntax })
    nodes = []
  }
  for (const { 0: code, index } of raw.matchAll(CODE)) {
    addText(index)
    at = index + code.length
    if (/^&amp;[LCR]$/.test(code)) end()
    else nodes.push({ kind: 'fixed', start: element.open + index, end: element.open + at })
  }
  addText(raw.length)
  end()
}

/** A column's name in its table, and the string in the cell above it, which must be the same. */
type Column = { part: Part; start: number; end: number; text: string; string: number; table: string }

function findColumns(office: Office, sheets: Sheet[]): { targets: Column[]; keptStrings: Set<number> } {
  const hasNames = sheets.some((sheet) => sheet.hasNames) || office.read(office.main)?.includes('[') === true
  const targets: Column[] = []
  const keptStrings = new Set<number>()
  for (const sheet of sheets) {
    for (const { type, target } of office.relations(sheet.path).values()) {
      const content = type === 'table' ? office.read(target) : undefined
      if (!content) continue
      const [table] = parseElements(content.toString())
      const [, letters = '', row = ''] = /^\$?([A-Z]+)\$?(\d+)/.exec(table?.attributes.ref ?? '') ?? []
      if (table?.attributes.headerRowCount === '0') continue
      const columns = descendants(table, 'tableColumn')
      const strings = columns.map((_, index) =>
        sheet.cells.get(`${toLetters(toNumber(letters) + index)}${row}`),
      )
      const isNamed = hasNames || columns.some((column) => child(column, 'calculatedColumnFormula'))
      if (isNamed) {
        draftKeep(office.draft, columns, sheet)
        for (const string of strings) if (string !== undefined) keptStrings.add(string)
        continue
      }
      const part = office.open(target, wordSyntax)
      for (const [index, column] of columns.entries()) {
        const attribute = part && findAttribute(part.source, column, 'name')
        const string = strings[index]
        if (part && attribute && string !== undefined)
          targets.push({ part, ...attribute, string, table: target })
      }
    }
  }
  return { targets, keptStrings }
}

function draftKeep(draft: Draft, columns: XmlElement[], sheet: Sheet): void {
  const names = columns.map(({ attributes }) => attributes.name ?? '')
  if (names.some((name) => /\p{L}/u.test(name)))
    draft.keep('table_names', names.join('、'), { sheet: sheet.name })
}

function addColumns(columns: Column[], strings: Map<number, Unit>, draft: Draft): void {
  for (const { part, start, end, text, string, table } of columns) {
    const unit = strings.get(string)
    if (!unit || unit.text !== text.trim()) continue
    unit.distinct = table
    draft.add(
      part,
      [{ kind: 'text', start, end, text }],
      {},
      { syntax: { write: escapeAttribute }, twins: [unit] },
    )
  }
}

const toNumber = (letters: string): number =>
  Array.from(letters).reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
const toLetters = (number: number): string =>
  number <= 0 ? '' : toLetters(Math.floor((number - 1) / 26)) + String.fromCharCode(65 + ((number - 1) % 26))
