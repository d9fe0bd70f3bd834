import { parseXml } from '../containers/xml.ts'
import type { Place } from '#contract/readings.ts'
import type { FixedNode, Node, Part, Shell, TextNode } from '../rewriting/blocks.ts'
import type { Draft, Opened, Unit } from '../rewriting/draft.ts'
import { groupRuns } from '../rewriting/runs.ts'
import type { Run } from '../rewriting/runs.ts'
import { child, elements, escapeXml, textOf } from '../rewriting/xml.ts'
import type { XmlElement } from '../rewriting/xml.ts'
import { addParagraphs, addPlain, addRelated, drawingSyntax } from '../office/drawing.ts'
import { openOffice, toOpened } from '../rewriting/package.ts'
import type { Office } from '../rewriting/package.ts'
import { wordSyntax } from '../docx/paragraph.ts'
import { createSheet, scanSheet } from './sheet.ts'
import type { Sheet } from './sheet.ts'
import { addNames, findPivotSources, findTables, keepNamed } from './tables.ts'

const INLINE = new Set([
  'is',
  'oddHeader',
  'oddFooter',
  'evenHeader',
  'evenFooter',
  'firstHeader',
  'firstFooter',
])

/**
 * Opens a workbook: the strings of its cells, comments, headers and footers, drawings, titles of charts, columns of tables. Names
 * in formulas stay: sheets, defined names, columns where a formula or a pivot table names one.
 */
export function openXlsx(bytes: Buffer): Opened {
  const office = openOffice(bytes, 'xl/workbook.xml')
  const { draft, paths } = office
  const sheets = listSheets(office)
  const tables = findTables(office, sheets)
  const sources = findPivotSources(office, sheets)
  const places = new Map<number, Place>()
  for (const sheet of sheets) scanSheet(office, sheet, places)
  const names = sheets.map(({ name }) => name)
  if (names.some((name) => /\p{L}/u.test(name))) draft.keep('sheet_names', names.join('、'))
  const keptStrings = keepNamed(office, sheets, tables, sources)
  const strings = addStrings(office, places, keptStrings)
  for (const sheet of sheets) addSheet(office, sheet)
  addNames(tables, strings)
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
    if (target && !target.external) sheets.push(createSheet(target.target, name))
  }
  return sheets
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
function addString(part: Part, string: XmlElement, draft: Draft, place: Place): Unit | undefined {
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
    if (element.name !== 'is') addHeader(openPart.part, element, draft, place)
    else if (!sheet.keptStarts.has(element.start)) {
      const range = sheet.inlineCells.get(element.start)
      const unit = addString(openPart.part, element, draft, range ? { ...place, range } : place)
      if (unit && range) sheet.units.set(range, unit)
    }
  }
  for (const { range, ...node } of openPart ? sheet.plainCells : []) {
    if (!openPart || sheet.keptStarts.has(node.start)) continue
    const nodes: Node[] = [{ kind: 'text', ...node }]
    const unit = draft.add(openPart.part, nodes, { ...place, range }, { syntax: plainSyntax })
    if (unit) sheet.units.set(range, unit)
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

const plainSyntax = { write: escapeXml }

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
