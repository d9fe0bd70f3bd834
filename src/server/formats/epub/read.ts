import { posix } from 'node:path'
import { AppError } from '#server/core/app-error.ts'
import { decodeXml, findAll, parseXml, textOfNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import type { Output } from '../reading/output.ts'
import { parseDocument, writeHtml } from '../html/parse-document.ts'
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
  const items = new Map(
    findAll(book, 'item').map(({ attributes }) => [attributes.id ?? '', attributes.href ?? '']),
  )
  const spine = findAll(book, 'itemref').map(({ attributes }) => items.get(attributes.idref ?? '') ?? '')
  const chapters = spine.map((href) => posix.join(posix.dirname(path), decodePath(href)))
  // Fonts may be encrypted without a password, chapters only with one.
  const locked = read('META-INF/encryption.xml')?.toString() ?? ''
  if (chapters.length > 0 && chapters.every((chapter) => locked.includes(`"${chapter}"`))) {
    throw new AppError('document_encrypted')
  }
  output.begin('section', chapters.length)
  const sections = new Sections(output)
  for (const chapter of chapters) {
    const html = read(chapter)
    if (html) writeHtml(parseDocument(decodeXml(html)).body.childNodes, sections)
    else output.skip('damaged', chapter)
    sections.end()
    output.endUnit()
  }
}

function decodePath(href: string): string {
  try {
    return decodeURIComponent(href.replace(/#.*/, ''))
  } catch {
    return href
  }
}
