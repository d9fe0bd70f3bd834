import { posix } from 'node:path'
import { AppError } from '#server/core/app-error.ts'
import { decodeXml, findAll, parseXml, textOfNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'
import type { Output } from '../reading/output.ts'
import { findElements, getAttribute, getContent, parsePage, parseXhtml } from '../html/document.ts'
import type { Page } from '../html/document.ts'
import { writeHtml } from '../html/write-html.ts'
import { isPage } from './page.ts'
import { escapeText } from '../text/markdown.ts'
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
  const chapters = findAll(book, 'itemref').map(({ attributes }) => {
    const { href = '', 'media-type': type } = items.get(attributes.idref ?? '') ?? {}
    return { entry: posix.join(posix.dirname(path), decodePath(href)), type }
  })
  // Fonts may be encrypted without a password, chapters only with one.
  const locked = read('META-INF/encryption.xml')?.toString() ?? ''
  if (chapters.length > 0 && chapters.every(({ entry }) => locked.includes(`"${entry}"`))) {
    throw new AppError('document_encrypted')
  }
  output.begin('section', chapters.length)
  const sections = new Sections(output)
  const authors = findAll(book, 'dc:creator').map(textOfNode).filter(Boolean)
  if (authors.length) sections.block(`作者：${escapeText(authors.join('、'))}`)
  writeHtml(getContent(parsePage(textOfNode(findAll(book, 'dc:description')[0]))), sections)
  sections.end()
  const pictures = new Set<string>()
  for (const { entry, type } of chapters) {
    const bytes = read(entry)
    if (!bytes) output.skip('damaged', entry)
    else if (type === 'image/svg+xml' || isPage(type, bytes)) {
      const chapter = parseXhtml(decodeXml(bytes))
      writeHtml(getContent(chapter), sections)
      for (const picture of listPictures(chapter, entry)) pictures.add(picture)
    } else pictures.add(entry)
    sections.end()
    output.endUnit()
  }
  for (const picture of pictures) output.skip('picture', picture)
}

/** Lists the files of a chapter's pictures, which are in the book but not read. */
const listPictures = (chapter: Page, entry: string): string[] =>
  [...findElements(chapter, 'img'), ...findElements(chapter, 'image')]
    .map((picture) => getAttribute(picture, 'src') ?? getAttribute(picture, 'href') ?? '')
    .filter((source) => source && !source.startsWith('data:'))
    .map((source) => posix.join(posix.dirname(entry), decodePath(source)))

function decodePath(href: string): string {
  try {
    return decodeURIComponent(href.replace(/#.*/, ''))
  } catch {
    return href
  }
}
