import { posix } from 'node:path'
import { AppError } from '#server/core/app-error.ts'
import { decodeXml, findAll, parseXml, textOfNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import type { Output } from '../reading/output.ts'
import { findElements, getAttribute, getContent, parseXhtml } from '../html/document.ts'
import type { Page } from '../html/document.ts'
import { writeHtml } from '../html/write-html.ts'
import { Sections } from '../text/sections.ts'

/** Reads a book chapter by chapter, in the order of its spine. */
export async function readEpub(zip: Zip, output: Output): Promise<void> {
  const read = (name: string): Buffer | undefined => {
    const entry = zip.find(name)
    return entry ? zip.read(entry) : undefined
  }
  const container = read('META-INF/container.xml')
  const path = container ? findAll(parseXml(container), 'rootfile')[0]?.attributes['full-path'] : undefined
  const bytes = path ? read(path) : undefined
  if (!path || !bytes) throw new AppError('document_damaged')
  const book = parseXml(bytes)
  output.title = textOfNode(findAll(book, 'dc:title')[0]) || undefined
  const items = new Map(findAll(book, 'item').map(({ attributes }) => [attributes.id ?? '', attributes]))
  const spine = findAll(book, 'itemref').map(({ attributes }) => items.get(attributes.idref ?? '') ?? {})
  const chapters = spine.map(({ href = '' }) => posix.join(posix.dirname(path), decodePath(href)))
  // Fonts may be encrypted without a password, chapters only with one.
  const locked = read('META-INF/encryption.xml')?.toString() ?? ''
  if (chapters.length > 0 && chapters.every((chapter) => locked.includes(`"${chapter}"`))) {
    throw new AppError('document_encrypted')
  }
  output.begin('section', chapters.length)
  const sections = new Sections(output)
  for (const [index, chapter] of chapters.entries()) {
    const html = read(chapter)
    if (isPicture(spine[index]?.['media-type'])) output.skip('picture', chapter)
    else if (html) writeChapter(parseXhtml(decodeXml(html)), sections, output)
    else output.skip('damaged', chapter)
    sections.end()
    output.endUnit()
  }
}

/** Writes a chapter; its pictures are in the book, but are not read. */
function writeChapter(chapter: Page, sections: Sections, output: Output): void {
  for (const tag of ['img', 'image'])
    for (const picture of findElements(chapter, tag))
      output.skip('picture', getAttribute(picture, 'alt') || (getAttribute(picture, 'src') ?? '图片'))
  writeHtml(getContent(chapter), sections)
}

/** Tells whether a page of the book is a picture without a text around it; drawings in SVG are read. */
const isPicture = (type = ''): boolean => type.startsWith('image/') && !type.endsWith('svg+xml')

function decodePath(href: string): string {
  try {
    return decodeURIComponent(href.replace(/#.*/, ''))
  } catch {
    return href
  }
}
