import type { FixedNode, Node, Part, Shell, Syntax, TextNode } from '../rewriting/blocks.ts'
import type { Draft, Unit } from '../rewriting/draft.ts'
import { groupRuns } from '../rewriting/runs.ts'
import type { Run } from '../rewriting/runs.ts'
import {
  child,
  descendants,
  elements,
  escapeAttribute,
  escapeXml,
  findAttribute,
  isElement,
  textOf,
} from '../rewriting/xml.ts'
import type { XmlElement } from '../rewriting/xml.ts'
import type { Place } from '#contract/readings.ts'
import type { Office } from '../rewriting/package.ts'

/** Syntax of drawings (DrawingML): slides, charts, diagrams and shapes all write paragraphs as `a:p`. */
export const drawingSyntax: Syntax = {
  write: (text, raw) => startTag(raw) + escapeXml(text) + endTag(raw),
}

/** Returns the start tag of an element; an empty element's is changed to stand before content. */
export const startTag = (raw: string): string => {
  const [tag = ''] = /^<[^>]*>/.exec(raw) ?? []
  return tag.replace(/\s*\/>$/, '>')
}
export const endTag = (raw: string): string => {
  const name = /^<([^\s/>]+)/.exec(raw)?.[1]
  return name ? `</${name}>` : ''
}

/** Returns an element's name as the part writes it, with the part's own prefix for the namespace. */
const rawName = (source: string, element: XmlElement): string =>
  /^<([^\s/>]+)/.exec(source.slice(element.start, element.open))?.[1] ?? element.name

/** Properties of a run beyond its look: language, spelling, changes. */
const IGNORED = /\s(?:lang|altLang|dirty|err|smtClean|smtId|noProof|bmk|kumimoji|kern|spc)="[^"]*"/g

/** Reads the nodes of a paragraph `a:p`. */
function readParagraph(part: Part, paragraph: XmlElement, draft: Draft, place?: Place): Node[] {
  const { source } = part
  const items: (Run | Node)[] = []
  for (const each of elements(paragraph)) {
    const { start, end } = each
    if (each.name === 'a:r') items.push(readRun(source, each, paragraph))
    else if (each.name === 'a:br') items.push({ kind: 'fixed', start, end, copied: true })
    else if (each.name === 'a:fld') {
      if (/\p{L}/u.test(textOf(child(each, 'a:t')))) draft.keep('field', each.attributes.type ?? '', place)
      items.push({ kind: 'fixed', start, end })
    } else if (!/^a:(pPr|endParaRPr)$/.test(each.name)) {
      if (descendants(each, 'm:oMath').length > 0) draft.keep('equation', '', place)
      items.push({ kind: 'fixed', start, end })
    }
  }
  return groupRuns(items)
}

function readRun(source: string, run: XmlElement, parent: XmlElement): Run {
  const properties = child(run, 'a:rPr')
  const raw = properties ? source.slice(properties.start, properties.end) : ''
  const key = raw
    .replace(IGNORED, '')
    .replace(/^<[^\s/>]+\s*(\/>|>\s*<\/[^>]+>$)/, '')
    .replace(/\s+/g, ' ')
  const text = child(run, 'a:t')
  const prefix = rawName(source, run).replace(/r$/, '')
  const shell: Shell = {
    key,
    open: source.slice(run.start, properties?.end ?? run.open),
    close: `</${prefix}r>`,
    text: [`<${prefix}t>`, `</${prefix}t>`],
  }
  const nodes: (TextNode | FixedNode)[] = text
    ? [{ kind: 'text', start: text.start, end: text.end, text: textOf(text), shell }]
    : []
  const isVisible = /\su="(?!none)|strike="(?!noStrike)|:highlight/.test(raw)
  return { kind: 'run', start: run.start, end: run.end, shell, isVisible, nodes, parent }
}

/**
 * Adds every paragraph below an element. In a second language it continues after a line break. Alternatives for new and for old
 * programs are one text.
 */
export function addParagraphs(
  part: Part,
  root: XmlElement,
  draft: Draft,
  place?: Place,
  twins?: Unit[],
): Unit[] {
  return root.children.flatMap((each) => {
    if (!isElement(each)) return []
    if (each.name === 'a:p') return addParagraph(part, each, draft, place, twins)
    if (/^(p|xdr):cNvPr$/.test(each.name)) return addDescription(part, each, draft, place, twins)
    if (each.name !== 'mc:AlternateContent') return addParagraphs(part, each, draft, place, twins)
    const [choice, ...others] = elements(each)
    const units = choice ? addParagraphs(part, choice, draft, place, twins) : []
    for (const other of others) addParagraphs(part, other, draft, place, [...units])
    return units
  })
}

function addParagraph(
  part: Part,
  paragraph: XmlElement,
  draft: Draft,
  place: Place | undefined,
  twins: Unit[] | undefined,
): Unit[] {
  const last = elements(paragraph)
    .filter(({ name }) => name !== 'a:endParaRPr')
    .at(-1)
  if (!last) return []
  const prefix = rawName(part.source, paragraph).replace(/p$/, '')
  const beside = { at: last.end, open: `<${prefix}br/>`, close: '' }
  const nodes = readParagraph(part, paragraph, draft, place)
  const unit = draft.add(part, nodes, place, { syntax: drawingSyntax, beside, twins })
  return unit ? [unit] : []
}

/** Adds the description of a picture for people who do not see it. */
export function addDescription(
  part: Part,
  { start, open }: XmlElement,
  draft: Draft,
  place?: Place,
  twins?: Unit[],
): Unit[] {
  const attribute = findAttribute(part.source, { start, open }, 'descr')
  // Programs write the name of the picture's file there.
  if (!attribute || /^\S+\.\w{3,4}$/.test(attribute.text.trim())) return []
  const options = { syntax: attributeSyntax, twins }
  const unit = draft.add(part, [{ kind: 'text', ...attribute }], place, options)
  return unit ? [unit] : []
}

/** Adds the text of an element that holds nothing else; an equal text among `unitsByText` is the same unit. */
export function addPlain(
  part: Part,
  element: XmlElement,
  draft: Draft,
  place?: Place,
  unitsByText?: Map<string, Unit>,
): void {
  const text = textOf(element)
  const twin = unitsByText?.get(text)
  const node: TextNode = { kind: 'text', start: element.open, end: element.close, text }
  const unit = draft.add(part, [node], place, { syntax: plainSyntax, twins: twin && [twin] })
  if (unit) unitsByText?.set(text, unit)
}

const plainSyntax: Syntax = { write: escapeXml }
const attributeSyntax: Syntax = {
  write: (text) =>
    text
      .split(/\r\n?|\n/)
      .map(escapeAttribute)
      .join('&#10;'),
}

/** Adds diagrams and charts from parts of their own. `hasOwnData`: the values of charts are not from cells beside them. */
export function addRelated(office: Office, path: string, place: Place, hasOwnData: boolean): void {
  const { draft } = office
  const diagrams: Unit[] = []
  const related = [...office.relations(path).values()].filter(({ external }) => !external)
  // Each diagram stands there twice: as data, and as it is drawn.
  for (const kind of ['diagramData', 'diagramDrawing', 'chart', 'chartEx']) {
    for (const { type, target } of related) {
      const openPart = type === kind ? office.parse(target, drawingSyntax) : undefined
      if (!openPart) continue
      const { part, root } = openPart
      if (kind === 'diagramData') diagrams.push(...addParagraphs(part, root, draft, place))
      else if (kind === 'diagramDrawing') addParagraphs(part, root, draft, place, diagrams)
      else {
        addParagraphs(part, root, draft, place)
        if (hasOwnData) addChartNames(part, root, draft, place)
      }
    }
  }
  for (const { type, target } of related) if (type === 'aFChunk') draft.keep('embedded', target, place)
}

/** Adds the names of series and categories that a chart keeps beside a workbook of its own. */
function addChartNames(part: Part, root: XmlElement, draft: Draft, place: Place): void {
  const unitsByText = new Map<string, Unit>()
  for (const cache of descendants(root, 'c:strCache'))
    for (const value of descendants(cache, 'c:v')) addPlain(part, value, draft, place, unitsByText)
  if (unitsByText.size) draft.keep('chart_data', textOf(descendants(root, 'c:title')[0]).trim(), place)
}
