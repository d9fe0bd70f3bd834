import type { PDFDocumentProxy } from 'pdfjs-dist'
import { AnnotationType } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Region } from './regions.ts'

/** The part of pdf.js's data of an annotation that is used; a file may have anything in them. */
export type Annotation = {
  annotationType: number
  annotationFlags?: number
  pageIndex?: number
  rect?: number[] | null
  /** Eight numbers for each rectangle: its corners, from top left to bottom right. */
  quadPoints?: ArrayLike<number>
  /** The author of a comment and its text; the lines that a text box shows. */
  titleObj?: { str?: string }
  contentsObj?: { str?: string }
  textContent?: string[]
  /** The kind of state that a reply gives to a comment. */
  stateModel?: string | null
  url?: string
  file?: { filename?: string }
  fieldName?: string
  alternativeText?: string
  fieldType?: string | null
  fieldValue?: unknown
  options?: { exportValue?: unknown; displayValue?: unknown }[]
  checkBox?: boolean
  radioButton?: boolean
  exportValue?: unknown
  buttonValue?: unknown
  password?: boolean
}

/** All but pop-ups, which repeat the text of another annotation. */
const TYPES = new Set(Object.values(AnnotationType).filter((type) => type !== AnnotationType.POPUP))
/** Pages whose annotations are read together: for each call all pages are named. */
const BATCH_PAGES = 50
const MAX_REGIONS = 1000
/** Bits of an annotation's flags (ISO 32000-2, 12.5.3): Hidden and NoView. */
const HIDDEN_FLAGS = 2 | 32

/**
 * Creates a function that returns the annotations of a page, from 1. `page.getAnnotations` would read all text of a page with links a
 * second time.
 */
export function createAnnotationReader(pdf: PDFDocumentProxy): (page: number) => Promise<Annotation[]> {
  let pages = new Map<number, Annotation[]>()
  let readTo = 0
  return async (number) => {
    if (number > readTo) {
      readTo = Math.min(number + BATCH_PAGES - 1, pdf.numPages)
      pages = await readBatch(pdf, number, readTo)
    }
    return pages.get(number) ?? []
  }
}

async function readBatch(
  pdf: PDFDocumentProxy,
  first: number,
  last: number,
): Promise<Map<number, Annotation[]>> {
  const others = Array.from({ length: pdf.numPages }, (_, index) => index).filter(
    (index) => index < first - 1 || index >= last,
  )
  try {
    const all = (await pdf.getAnnotationsByType(TYPES, new Set(others))) as Annotation[] | null
    return Map.groupBy(all ?? [], ({ pageIndex = 0 }) => pageIndex + 1)
  } catch {
    // A page among them is broken.
    const pages = new Map<number, Annotation[]>()
    for (let number = first; number <= last; number++) {
      const page = await pdf.getPage(number).catch(() => undefined)
      pages.set(number, ((await page?.getAnnotations().catch(() => [])) ?? []) as Annotation[])
    }
    return pages
  }
}

export const isHidden = ({ annotationFlags = 0 }: Annotation): boolean =>
  (annotationFlags & HIDDEN_FLAGS) !== 0

/** Finds the regions of a page that are struck out or that lead to an address. */
export function findRegions(annotations: Annotation[]): { regions: Region[]; links: string[] } {
  const regions: Region[] = []
  const links: string[] = []
  for (const annotation of annotations) {
    if (isHidden(annotation) || regions.length >= MAX_REGIONS) continue
    if (annotation.annotationType === AnnotationType.STRIKEOUT)
      regions.push(...listRects(annotation).map((rect) => ({ rect, mark: 'strike' as const })))
    const { annotationType: type, url = '' } = annotation
    if (type === AnnotationType.LINK && /^(?:https?|mailto):/i.test(url)) {
      const link = links.push(url.replace(/[\s()]/g, escapeCharacter)) - 1
      regions.push(...listRects(annotation).map((rect) => ({ rect, mark: 'link' as const, link })))
    }
  }
  return { regions, links }
}

/** Escapes what would end the address of a link in Markdown. */
const escapeCharacter = (character: string): string =>
  `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`

function listRects({ quadPoints, rect }: Annotation): Region['rect'][] {
  const points = Array.from(quadPoints ?? [])
  const rects: Region['rect'][] = []
  for (let at = 0; at + 8 <= points.length && rects.length < MAX_REGIONS; at += 8) {
    const xs = [0, 2, 4, 6].map((offset) => points[at + offset]!)
    const ys = [1, 3, 5, 7].map((offset) => points[at + offset]!)
    rects.push([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)])
  }
  const [x, y, right, top] = rect ?? []
  if (!rects.length && x !== undefined && y !== undefined && right !== undefined && top !== undefined)
    rects.push([x, y, right, top])
  return rects
}
