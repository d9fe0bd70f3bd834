import { posix } from 'node:path'
import { AppError } from '#server/core/app-error.ts'
import type { Opened, Unit } from '../rewriting/draft.ts'
import { addHtml, htmlSyntax } from '../html/rewrite.ts'
import { isPage } from './page.ts'
import { addPlain } from '../office/drawing.ts'
import { openParts, toOpened } from '../rewriting/package.ts'
import { descendants, parseElements } from '../rewriting/xml.ts'
import type { XmlElement } from '../rewriting/xml.ts'

/** Opens a book: its title, its chapters in the order of its spine, then its tables of contents. */
export function openEpub(bytes: Buffer): Opened {
  const book = openParts(bytes)
  const { draft } = book
  const container = book.read('META-INF/container.xml')?.toString() ?? ''
  const path = find(parseElements(container), 'rootfile')[0]?.attributes['full-path']
  const opf = book.open(path, htmlSyntax)
  if (!opf || path === undefined) throw new AppError('document_damaged')
  const root = parseElements(opf.source)
  for (const title of find(root, 'dc:title')) addPlain(opf, title, draft)
  const items = find(root, 'item').map(({ attributes }) => attributes)
  const toPath = (href = ''): string => posix.join(posix.dirname(path), decodePath(href))
  const spine = find(root, 'itemref').map(({ attributes }) => items.find(({ id }) => id === attributes.idref))
  const locked = book.read('META-INF/encryption.xml')?.toString() ?? ''
  if (spine.length > 0 && spine.every((item) => locked.includes(`"${toPath(item?.href)}"`)))
    throw new AppError('document_encrypted')
  const isContents = (item: (typeof items)[number] | undefined): boolean =>
    item?.properties?.split(' ').includes('nav') === true
  const addPage = (item: (typeof items)[number] | undefined): void => {
    const entry = toPath(item?.href)
    const content = book.read(entry)
    if (!content) draft.keep('damaged', entry)
    else if (isPage(item?.['media-type'], content)) {
      const part = book.open(entry, htmlSyntax)
      if (part) addHtml(part, draft, { entry })
    }
  }
  const before = draft.units.length
  for (const item of spine) if (!isContents(item)) addPage(item)
  // A comic has a title and nothing else to translate.
  if (draft.units.length === before) throw new AppError('document_empty')
  for (const item of items) if (isContents(item)) addPage(item)
  for (const item of items) {
    if (item['media-type'] !== 'application/x-dtbncx+xml') continue
    const part = book.open(toPath(item.href), htmlSyntax)
    const unitsByText = new Map<string, Unit>()
    for (const text of part ? find(parseElements(part.source), 'text') : [])
      if (part) addPlain(part, text, draft, {}, unitsByText)
  }
  for (const item of items)
    if (item['media-type']?.startsWith('image/')) draft.keep('picture', toPath(item.href))
  return toOpened('epub', book)
}

const find = (roots: XmlElement[], name: string): XmlElement[] =>
  roots.flatMap((root) => (root.name === name ? [root] : descendants(root, name)))

function decodePath(href: string): string {
  try {
    return decodeURIComponent(href.replace(/#.*/, ''))
  } catch {
    return href
  }
}
