import { readStyles } from './styles.ts'
import { parseXml } from '../containers/xml.ts'
import type { WordStyles } from './styles.ts'
import type { Opened, Unit } from '../rewriting/draft.ts'
import { elements, findAttribute, isElement } from '../rewriting/xml.ts'
import type { XmlElement } from '../rewriting/xml.ts'
import { addDescription, addParagraphs, addRelated } from '../office/drawing.ts'
import { openOffice, toOpened } from '../rewriting/package.ts'
import type { Office } from '../rewriting/package.ts'
import { addParagraph, wordSyntax } from './paragraph.ts'
import type { Word } from './paragraph.ts'

/** Parts with text that the document refers to, in the order in which they are translated. */
const KINDS = ['header', 'footer', 'footnotes', 'endnotes', 'comments']

/** Opens a Word document: body, headers and footers, notes, comments, text boxes, diagrams and charts. */
export function openDocx(bytes: Buffer): Opened {
  const office = openOffice(bytes, 'word/document.xml')
  const styles = readWordStyles(office)
  const relations = [...office.relations(office.main).values()].filter(({ external }) => !external)
  addPart(office, office.main, styles)
  for (const kind of KINDS)
    for (const { type, target } of relations) if (type === kind) addPart(office, target, styles)
  return toOpened('docx', office)
}

function readWordStyles({ relations, main, read }: Office): WordStyles {
  const parse = (kind: string): ReturnType<typeof parseXml> | undefined => {
    const path = [...relations(main).values()].find(({ type }) => type === kind)?.target
    const bytes = path ? read(path) : undefined
    return bytes && parseXml(bytes)
  }
  return readStyles(parse('styles'), parse('numbering'))
}

function addPart(office: Office, path: string, styles: WordStyles): void {
  const { draft } = office
  const openPart = office.parse(path, wordSyntax)
  if (!openPart) return
  const { part, root } = openPart
  const word: Word = { part, draft, styles, heading: [] }
  addContent(word, root)
  addRelated(office, path, {}, true)
}

/** Adds every paragraph below an element, also those within another paragraph. */
function addContent(word: Word, element: XmlElement, twins?: Unit[]): Unit[] {
  const units: Unit[] = []
  for (const each of element.children) {
    if (!isElement(each)) continue
    if (each.name === 'w:p') {
      const unit = addParagraph(word, each, twins)
      if (unit) units.push(unit)
      units.push(...addContent(word, each, twins))
    } else if (each.name === 'a:p') {
      units.push(...addParagraphs(word.part, { ...element, children: [each] }, word.draft, {}, twins))
    } else if (each.name === 'mc:AlternateContent') units.push(...addAlternates(word, each, twins))
    else if (each.name === 'wp:docPr') units.push(...addDescription(word.part, each, word.draft, {}, twins))
    else if (/^(w:del|w:moveFrom|w:instrText|w:pPr|w:rPr)$/.test(each.name)) continue
    else {
      keepWithin(word, each)
      units.push(...addContent(word, each, twins))
    }
  }
  return units
}

/** Adds alternatives for new and for old programs as one text. */
function addAlternates(word: Word, element: XmlElement, twins?: Unit[]): Unit[] {
  const [choice, ...others] = elements(element)
  const units = choice ? addContent(word, choice, twins) : []
  for (const other of others) addContent(word, other, [...units])
  return units
}

function keepWithin({ part, draft }: Word, element: XmlElement): void {
  if (element.name === 'w:dataBinding') draft.keep('bound', element.attributes['w:xpath'] ?? '')
  else if (element.name === 'v:textpath') {
    const text = findAttribute(part.source, element, 'string')?.text ?? ''
    if (/\p{L}/u.test(text)) draft.keep('watermark', text)
  } else if (/^w:(dropDownList|comboBox|ddList)$/.test(element.name)) {
    const texts = elements(element)
      .filter(({ name }) => /^w:list(Item|Entry)$/.test(name))
      .map(({ attributes }) => attributes['w:displayText'] ?? attributes['w:val'] ?? '')
    if (texts.some((text) => /\p{L}/u.test(text))) draft.keep('choices', texts.join(' · '))
  }
}
