import type { WordStyles } from './styles.ts'
import type { XmlNode } from '../containers/xml.ts'
import type {
  BlockOptions,
  FixedNode,
  GroupNode,
  Node,
  Part,
  Shell,
  Syntax,
  TextNode,
} from '../rewriting/blocks.ts'
import type { Draft, Unit } from '../rewriting/draft.ts'
import { groupRuns } from '../rewriting/runs.ts'
import type { Run } from '../rewriting/runs.ts'
import { child, descendants, elements, escapeXml, isElement, textOf } from '../rewriting/xml.ts'
import type { XmlElement } from '../rewriting/xml.ts'
import { endTag, startTag } from '../office/drawing.ts'

/** A part of a Word document whose texts are being extracted. */
export type Word = { part: Part; draft: Draft; styles: WordStyles; heading: string[] }

/** White space at the ends of a text counts only where the file says so. */
export const wordSyntax: Syntax = {
  write(text, raw) {
    // These are no elements of text, and their translation needs one.
    if (/^<\w+:(ruby|noBreakHyphen)\b/.test(raw))
      return text && `<w:t xml:space="preserve">${escapeXml(text)}</w:t>`
    if (!/^<(\w+:)?t[\s/>]/.test(raw)) return escapeXml(text)
    const start = startTag(raw)
    const isKept = start.includes('xml:space') || text === text.trim()
    const open = isKept ? start : start.replace(/>$/, ' xml:space="preserve">')
    return open + escapeXml(text) + endTag(raw)
  },
}

const toNode = ({ name, attributes, children }: XmlElement): XmlNode => ({
  name,
  attributes,
  children: children.map((each) => (isElement(each) ? toNode(each) : each.text)),
})

/** Adds the text of a paragraph `w:p`. */
export function addParagraph(word: Word, paragraph: XmlElement, twins?: Unit[]): Unit | undefined {
  const { styles, draft, part } = word
  const properties = child(paragraph, 'w:pPr')
  const style = styles.resolve({
    name: 'w:p',
    attributes: {},
    children: properties ? [toNode(properties)] : [],
  })
  const nodes = readLevel(word, elements(paragraph))
  if (style.isCode) {
    if (nodes.length) draft.keep('code', '')
    return undefined
  }
  const place = word.heading.length ? { heading: [...word.heading] } : {}
  const beside = findBeside(part.source, paragraph, properties, style.list !== undefined)
  const unit = draft.add(part, nodes, place, { beside, twins })
  if (unit && style.heading !== undefined) {
    word.heading.length = Math.min(word.heading.length, Math.max(0, style.heading - 1))
    word.heading.push(unit.text.replace(/<\/?\d+\/?>/g, '').slice(0, 200))
  }
  return unit
}

/** Properties that a second paragraph of the same style does without: its number, its page break, its section's end. */
const NOT_COPIED = /^w:(numPr|sectPr|pPrChange|pageBreakBefore|rPr)$/
const BEFORE_NUMBER = /^w:(pStyle|keepNext|keepLines|framePr|widowControl)$/

/** Places a translation in a paragraph of the same style, or, where that would move a section's end, in the same paragraph. */
function findBeside(
  source: string,
  paragraph: XmlElement,
  properties: XmlElement | undefined,
  isListed: boolean,
): NonNullable<BlockOptions['beside']> {
  const name = /^<([^\s/>]+)/.exec(source.slice(paragraph.start, paragraph.open))?.[1] ?? 'w:p'
  const prefix = name.replace(/p$/, '')
  if (child(properties, 'w:sectPr')) {
    const open = `<${prefix}r><${prefix}br/></${prefix}r>`
    return { at: paragraph.close, open, close: '' }
  }
  const copiedElements = elements(properties).filter((each) => !NOT_COPIED.test(each.name))
  const raw = (list: XmlElement[]): string => list.map(({ start, end }) => source.slice(start, end)).join('')
  const number = isListed
    ? `<${prefix}numPr><${prefix}ilvl ${prefix}val="0"/><${prefix}numId ${prefix}val="0"/></${prefix}numPr>`
    : ''
  const content =
    raw(copiedElements.filter((each) => BEFORE_NUMBER.test(each.name))) +
    number +
    raw(copiedElements.filter((each) => !BEFORE_NUMBER.test(each.name)))
  const copied = content ? `<${prefix}pPr>${content}</${prefix}pPr>` : ''
  return { at: paragraph.end, open: `<${name}>${copied}`, close: `</${name}>` }
}

/** Wrappers without a meaning for the text in them. */
const TRANSPARENT = /^w:(smartTag|customXml|dir|bdo|sdtContent)$/
/** Marks without a place in the text, which stay where they are. */
const MARK =
  /^w:(pPr|proofErr|permStart|permEnd|bookmarkStart|bookmarkEnd|comment(Range(Start|End)|Reference)|move(From|To)Range(Start|End)|sdtPr|sdtEndPr|smartTagPr|customXmlPr|(customXml)?(Ins|Del)Range(Start|End))$/

type Item = { element: XmlElement; parent: unknown }

function flatten(list: XmlElement[], parent: unknown): Item[] {
  return list.flatMap((element) =>
    TRANSPARENT.test(element.name) ? flatten(elements(element), element) : [{ element, parent }],
  )
}

/** Reads the nodes that stand beside each other in a paragraph or a link. */
function readLevel(word: Word, list: XmlElement[]): Node[] {
  const items: (Run | Node)[] = []
  const flat = flatten(list, list)
  const ranges = findRanges(flat, word.part.source)
  for (let at = 0; at < flat.length; at++) {
    const { element, parent } = flat[at]!
    const range = ranges.get(at)
    const field = range === undefined && isFieldPart(element, 'begin') ? findField(flat, at) : undefined
    if (range !== undefined) {
      const inner = flat.slice(at + 1, range)
      items.push(toGroup(element.start, flat[range]!.element.end, readItems(word, inner)))
      at = range
    } else if (field) {
      items.push(readField(word, flat, at, field))
      at = field.end
    } else items.push(...readElement(word, element, parent))
  }
  return groupRuns(items)
}

const readItems = (word: Word, items: Item[]): Node[] =>
  readLevel(
    word,
    items.map(({ element }) => element),
  )

const toGroup = (start: number, end: number, inner: Node[], copy?: GroupNode['copy']): Node =>
  inner.length === 0
    ? { kind: 'fixed', start, end }
    : { kind: 'group', start, end, inner, ...(copy ? { copy } : {}) }

function readElement(word: Word, element: XmlElement, parent: unknown): (Run | Node)[] {
  const { start, end, open, name } = element
  if (name === 'w:r') return [readRun(word, element, parent)]
  if (MARK.test(name)) return []
  if (name === 'w:hyperlink') {
    const { source } = word.part
    const copy = { open: source.slice(start, open), close: source.slice(element.close, end) }
    return [toGroup(start, end, readLevel(word, elements(element)), copy)]
  }
  if (/^w:(ins|moveTo|sdt)$/.test(name)) return [toGroup(start, end, readLevel(word, elements(element)))]
  if (name === 'w:fldSimple') {
    const kind = fieldKind(element.attributes['w:instr'] ?? '')
    if (kind === 'HYPERLINK') return [toGroup(start, end, readLevel(word, elements(element)))]
    keepField(word, kind, textOf(element))
  } else if (/^w:(del|moveFrom)$/.test(name)) {
    if (/\p{L}/u.test(textOf(element))) word.draft.keep('deleted', '')
    // The element stays where it is.
    return []
  } else if (name.startsWith('m:')) word.draft.keep('equation', '')
  return [{ kind: 'fixed', start, end }]
}

/** Properties that make no format of their own, but are left by Word: language, spelling, the fitting of letters. */
const IGNORED = /^w:(lang|noProof|spacing|kern|w|rPrChange|ins|fitText)$/
const VISIBLE = /^w:(u|strike|dstrike|highlight|shd|bdr|em)$/

function readRun({ part, draft }: Word, run: XmlElement, parent: unknown): Run {
  const { source } = part
  const properties = child(run, 'w:rPr')
  const name = /^<([^\s/>]+)/.exec(source.slice(run.start, run.open))?.[1] ?? 'w:r'
  const look = elements(properties).filter((each) => !IGNORED.test(each.name))
  const key = look
    .map(({ start, end }) => source.slice(start, end).replace(/\s\w+:hint="\w*"/, ''))
    .filter((raw) => !/^<\w*:?rFonts\s*\/>$/.test(raw))
    .join('')
  const shell: Shell = {
    key,
    open:
      source.slice(run.start, run.open).replace(/\/>$/, '>') +
      (properties ? source.slice(properties.start, properties.end) : ''),
    close: `</${name}>`,
    text: [`<${name.replace(/r$/, 't')} xml:space="preserve">`, `</${name.replace(/r$/, 't')}>`],
  }
  const isVisible = look.some((each) => VISIBLE.test(each.name) && each.attributes['w:val'] !== 'none')
  const nodes: (TextNode | FixedNode)[] = []
  for (const each of elements(run)) {
    const { start, end } = each
    const text = readText(each)
    if (text !== undefined) {
      if (text) nodes.push({ kind: 'text', start, end, text, shell })
      if (each.name === 'w:ruby') draft.keep('phonetic', textOf(each))
    } else if (
      /^w:(rPr|lastRenderedPageBreak|softHyphen|commentReference|delText|instrText|fldChar)$/.test(each.name)
    ) {
      if (each.name === 'w:delText') draft.keep('deleted', '')
    } else {
      const copied = /^w:(tab|br|cr|sym|ptab)$/.test(each.name) && each.attributes['w:type'] === undefined
      nodes.push({ kind: 'fixed', start, end, shell, copied })
    }
  }
  return { kind: 'run', start: run.start, end: run.end, shell, isVisible, nodes, parent }
}

function readText(element: XmlElement): string | undefined {
  if (element.name === 'w:t') return textOf(element)
  if (element.name === 'w:noBreakHyphen') return '\u2011'
  if (element.name === 'w:ruby') return descendants(child(element, 'w:rubyBase'), 'w:t').map(textOf).join('')
  return undefined
}

const isFieldPart = (element: XmlElement, type: string): boolean =>
  element.name === 'w:r' &&
  elements(element, 'w:fldChar').some(({ attributes }) => attributes['w:fldCharType'] === type)

/** A field's instruction, and the indexes at which its result begins and the field ends. */
type Field = { result?: number; end: number; instruction: string }

function findField(items: Item[], from: number): Field {
  let depth = 0
  let instruction = ''
  let result: number | undefined
  for (let at = from; at < items.length; at++) {
    const { element } = items[at]!
    const parts = [...descendants(element, 'w:fldChar'), ...descendants(element, 'w:instrText')]
    for (const part of parts.toSorted((a, b) => a.start - b.start)) {
      const type = part.attributes['w:fldCharType']
      if (part.name === 'w:instrText') {
        if (depth === 1 && result === undefined) instruction += textOf(part)
      } else if (type === 'begin') depth++
      else if (type === 'separate') {
        if (depth === 1) result = at
      } else if (--depth === 0) return { ...(result === undefined ? {} : { result }), end: at, instruction }
    }
  }
  // The end is in another paragraph: a table of contents, whose entries are texts.
  return { end: result ?? from, instruction }
}

/** Reads a field. A link's text is translated; results that a program works out (numbers, dates, references) are not. */
function readField(word: Word, items: Item[], from: number, field: Field): Node {
  const { start } = items[from]!.element
  const { end } = items[field.end]!.element
  const kind = fieldKind(field.instruction)
  const inner = field.result === undefined ? [] : items.slice(field.result + 1, field.end)
  if (kind === 'HYPERLINK') return toGroup(start, end, readItems(word, inner))
  keepField(word, kind, inner.map(({ element }) => textOf(element)).join(''))
  return { kind: 'fixed', start, end }
}

const fieldKind = (instruction: string): string => /^\s*(\w+)/.exec(instruction)?.[1]?.toUpperCase() ?? ''

function keepField({ draft }: Word, kind: string, result: string): void {
  if (/\p{L}/u.test(result)) draft.keep('field', kind)
}

/**
 * Finds bookmarks and the ranges of comments that hold a part of a text: index of their beginning → of their end. Ranges around
 * all of it, and ranges that cross each other, are marks that stay where they are.
 */
function findRanges(items: Item[], source: string): Map<number, number> {
  const ranges = new Map<number, number>()
  const hasText = (from: number, to: number): boolean =>
    items.slice(from, to).some(({ element }) => textOf(element).trim() !== '')
  const open: { id: string; at: number }[] = []
  for (const [at, { element, parent }] of items.entries()) {
    const [, kind, side] = /^w:(bookmark|commentRange)(Start|End)$/.exec(element.name) ?? []
    if (!kind) continue
    const id = `${kind} ${element.attributes['w:id'] ?? ''}`
    if (side === 'Start') {
      if (element.attributes['w:name'] !== '_GoBack') open.push({ id, at })
      continue
    }
    const index = open.findLastIndex((each) => each.id === id)
    const rangeStart = open[index]
    if (!rangeStart) continue
    // A range that began within this one and has not ended crosses it.
    open.length = index
    const isWhole = !hasText(0, rangeStart.at) && !hasText(at + 1, items.length)
    const isSame = items[rangeStart.at]?.parent === parent
    const isBalanced = balance(items, rangeStart.at, at, source)
    if (isSame && !isWhole && isBalanced && hasText(rangeStart.at, at)) ranges.set(rangeStart.at, at)
  }
  return ranges
}

/** Tells whether a range can be moved: it must not begin or end within a field, or in a wrapper that it does not hold. */
function balance(items: Item[], from: number, to: number, source: string): boolean {
  const slice = items.slice(from, to + 1)
  const parents = new Set(slice.map(({ parent }) => parent))
  const inner = source.slice(slice[0]?.element.start, slice.at(-1)?.element.end)
  const count = (type: string): number => inner.split(`fldCharType="${type}"`).length
  return parents.size === 1 && count('begin') === count('end')
}
