import { Readability } from '@mozilla/readability'
import { readAll } from '../reading/input.ts'
import type { Document } from '../detect-format.ts'
import type { Output } from '../reading/output.ts'
import { decodeText } from '../text/encoding.ts'
import { parseDocument, writeHtml } from './parse-document.ts'
import type { Element } from './parse-document.ts'
import { Sections } from '../text/sections.ts'

/** The encoding that a page declares in `<meta>`, among its first bytes. */
const CHARSET = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]+)/i

/** Reads a web page as a whole, or its article alone where `article` is set and one is found. */
export async function readHtml({ input, article }: Document, output: Output): Promise<void> {
  const bytes = readAll(input, output.limits.whole_bytes)
  const { text, encoding } = decodeText(bytes, CHARSET.exec(bytes.subarray(0, 4096).toString('latin1'))?.[1])
  output.encoding = encoding
  writePage(text, output, article)
}

export function writePage(html: string, output: Output, article = false): void {
  output.begin('section', 1)
  const page = parseDocument(html)
  const title = page.querySelector('title')?.textContent?.trim()
  if (title) output.title ??= title
  const sections = new Sections(output)
  const foundArticle = article ? findArticle(html) : undefined
  if (foundArticle?.title) output.title = foundArticle.title
  writeHtml((foundArticle?.body ?? page.body).childNodes, sections)
  sections.end()
  output.endUnit()
}

/** Finds the article of a page, which is parsed anew because Readability changes its document. */
function findArticle(html: string): { title: string; body: Element } | undefined {
  // The types of Readability refer to those of a browser, which the server does not have.
  const page: unknown = parseDocument(html)
  const article = new Readability(page as ConstructorParameters<typeof Readability>[0], {
    maxElemsToParse: 50_000,
  }).parse()
  return article?.content
    ? { title: article.title ?? '', body: parseDocument(article.content).body }
    : undefined
}
