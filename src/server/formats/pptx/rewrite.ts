import { parseXml } from '../containers/xml.ts'
import type { Opened } from '../rewriting/draft.ts'
import { descendants } from '../rewriting/xml.ts'
import type { XmlElement } from '../rewriting/xml.ts'
import { addParagraphs, addPlain, addRelated, drawingSyntax } from '../office/drawing.ts'
import { openOffice, toOpened } from '../rewriting/package.ts'
import type { Office } from '../rewriting/package.ts'
import type { Place } from '#contract/readings.ts'

/** Opens slides in their order with tables, diagrams, charts, notes and comments, then the own texts of layouts and masters. */
export function openPptx(bytes: Buffer): Opened {
  const office = openOffice(bytes, 'ppt/presentation.xml')
  const slides = listSlides(office)
  for (const [index, path] of slides.entries()) addSlide(office, path, { slide: index + 1 })
  const layouts = new Set(slides.flatMap((slide) => listRelated(office, slide, 'slideLayout')))
  const masters = new Set([...layouts].flatMap((layout) => listRelated(office, layout, 'slideMaster')))
  for (const path of [...layouts, ...masters]) addBackground(office, path)
  return toOpened('pptx', office)
}

function listSlides({ main, read, relations }: Office): string[] {
  const content = read(main)
  const targets = relations(main)
  const ids: string[] = []
  const walk = (node: ReturnType<typeof parseXml>): void => {
    for (const each of node.children) {
      if (typeof each === 'string') continue
      if (each.name === 'p:sldId') ids.push(each.attributes['r:id'] ?? '')
      walk(each)
    }
  }
  if (content) walk(parseXml(content))
  return ids.flatMap((id) => targets.get(id)?.target ?? [])
}

const listRelated = ({ relations }: Office, path: string, kind: string): string[] =>
  [...relations(path).values()].flatMap(({ type, target, external }) =>
    type === kind && !external ? [target] : [],
  )

function addSlide(office: Office, path: string, place: Place): void {
  const { draft } = office
  const slide = office.parse(path, drawingSyntax)
  if (!slide) return
  addParagraphs(slide.part, slide.root, draft, place)
  addRelated(office, path, place, true)
  for (const target of listRelated(office, path, 'notesSlide')) {
    const notes = office.parse(target, drawingSyntax)
    if (notes) addParagraphs(notes.part, notes.root, draft, place)
  }
  for (const target of listRelated(office, path, 'comments')) {
    const comments = office.parse(target, drawingSyntax)
    if (!comments) continue
    // Comments of old programs have a text, those of new ones paragraphs.
    for (const text of descendants(comments.root, 'p:text')) addPlain(comments.part, text, draft, place)
    addParagraphs(comments.part, comments.root, draft, place)
  }
}

/** Adds the parts of a layout that its slides show, without the prompts of the places that slides fill. */
function addBackground(office: Office, path: string): void {
  const openPart = office.parse(path, drawingSyntax)
  if (!openPart) return
  const isPrompt = (shape: XmlElement): boolean => descendants(shape, 'p:ph').length > 0
  for (const shape of descendants(openPart.root, 'p:sp'))
    if (!isPrompt(shape)) addParagraphs(openPart.part, shape, office.draft)
}
