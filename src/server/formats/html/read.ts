import { createRequire } from 'node:module'
import { Readability } from '@mozilla/readability'
import { defaultTreeAdapter, serialize } from 'parse5'
import { readAll } from '../reading/input.ts'
import type { Document } from '../detect-format.ts'
import type { Output } from '../reading/output.ts'
import { decodeText } from '../text/encoding.ts'
import { Sections } from '../text/sections.ts'
import { findElements, getContent, getElements, getText, parsePage } from './document.ts'
import type { Element, Node } from './document.ts'
import { writeHtml } from './write-html.ts'

// Loaded with the first article: it has two hundred files, none of which another page needs.
const require = createRequire(import.meta.url)
const loadLinkedom = () => require('linkedom') as typeof import('linkedom')

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
  const page = parsePage(html)
  const title = findElements(page, 'title').next().value
  if (title) output.title ??= getText(title).trim() || undefined
  const sections = new Sections(output)
  const foundArticle = article ? findArticle(page) : undefined
  if (foundArticle?.title) output.title = foundArticle.title
  writeHtml(foundArticle?.content ?? getContent(page), sections)
  sections.end()
  output.endUnit()
}

/** Readability takes seconds for a page of so many elements; its own limit counts none of linkedom's. */
const MAX_ARTICLE_ELEMENTS = 50_000

/** Finds the article of a page, unless the page is too large, in a document of its own because Readability changes it. */
function findArticle(page: ReturnType<typeof parsePage>): { title: string; content: Node[] } | undefined {
  // No page shows what a template holds: it is not counted, and nests without end.
  for (const template of findElements(page, 'template')) defaultTreeAdapter.detachNode(template)
  if (countElements(page) > MAX_ARTICLE_ELEMENTS) return undefined
  // MathJax gives its formulas the class `CtxtMenu_Attached_0`, by which Readability takes them for menus.
  for (const formula of findElements(page, 'mjx-container'))
    formula.attrs = formula.attrs.filter(({ name }) => name !== 'class')
  // The types of linkedom and Readability refer to those of a browser, which the server does not have.
  const { document }: { document: unknown } = loadLinkedom().parseHTML(serialize(page))
  const article = new Readability(document as ConstructorParameters<typeof Readability>[0], {
    // The language of a code block is a class.
    keepClasses: true,
  }).parse()
  return article?.content
    ? { title: article.title ?? '', content: getContent(parsePage(article.content)) }
    : undefined
}

const countElements = (parent: ReturnType<typeof parsePage> | Element): number =>
  getElements(parent).reduce((count, element) => count + 1 + countElements(element), 0)
