import { defaultTreeAdapter, parse, parseFragment } from 'parse5'
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { tokenizeHtml } from './tokens.ts'

export type Node = Tree.ChildNode
export type Element = Tree.Element
export type Page = Tree.Document
type Parent = Tree.ParentNode

/** Elements deeper than this stand beside their parent, as in Chromium, so that code may walk a tree recursively. */
const MAX_DEPTH = 512

const depths = new WeakMap<Parent, number>()
const depthOf = (node: Parent): number => depths.get(node) ?? 0

const treeAdapter: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  appendChild(parent, child) {
    let place = parent
    while (depthOf(place) >= MAX_DEPTH && 'parentNode' in place && place.parentNode) place = place.parentNode
    if ('childNodes' in child) depths.set(child, depthOf(place) + 1)
    defaultTreeAdapter.appendChild(place, child)
  },
}

/** Parses a page as a browser does, whatever tags it leaves out (https://html.spec.whatwg.org/#parsing). */
export function parsePage(html: string): Page {
  return parse(/^\s*<\?xml\b/.test(html) ? toHtml(html) : html, { treeAdapter })
}

/** Parses a chapter of a book, whose markup is XML. */
export const parseXhtml = (xhtml: string): Page => parse(toHtml(xhtml), { treeAdapter })

/** Returns the nodes that a page shows: those of its body, or of what stands in for a set of frames. */
export function getContent(page: Page): Node[] {
  const root = page.childNodes.find((node) => isElement(node) && node.tagName === 'html')
  if (!root || !isElement(root)) return []
  const frames = root.childNodes.find((node) => isElement(node) && node.tagName === 'frameset')
  if (!frames) return findChild(root, 'body')?.childNodes ?? []
  const substitutes = [...findElements(root, 'noframes')].map(getText)
  return substitutes.flatMap((text) => parseFragment(text, { treeAdapter }).childNodes)
}

/** Elements that XML writes without a content, and HTML does as well. */
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/
const PREFIX = /^(<\/?)(?:x?html|h|svg|m|mml|math):/i

/** Leaves out the entities that the document defines; only its first declaration may do so. */
function leaveOutEntities(xhtml: string): string {
  const at = xhtml.search(/<!DOCTYPE/i)
  if (at < 0) return xhtml
  return xhtml.slice(0, at) + xhtml.slice(at).replace(/^<!DOCTYPE[^>[]*\[[^\]]*\]\s*>/i, '<!DOCTYPE html>')
}

/** Writes XML so that a parser of HTML reads the same: no element is closed in its first tag, no text stands in CDATA. */
function toHtml(xhtml: string): string {
  const source = leaveOutEntities(xhtml)
  let html = ''
  for (const { kind, name, start, end } of tokenizeHtml(source)) {
    const raw = source.slice(start, end)
    if (raw.startsWith('<![CDATA[')) html += raw.slice(9, -3).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    else if (raw.startsWith('<?')) continue
    else {
      const tag = kind === 'text' ? raw : raw.replace(PREFIX, '$1')
      const isClosed = kind === 'open' && tag.endsWith('/>') && !VOID.test(name)
      html += isClosed ? `${tag.slice(0, -2)}></${name.replace(/^.*:/, '')}>` : tag
    }
  }
  return html
}

export const isElement = (node: Node): node is Element => 'tagName' in node
export const isText = (node: Node): node is Tree.TextNode => node.nodeName === '#text'

export const getAttribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((attribute) => attribute.name === name)?.value

export const getElements = (parent: Parent): Element[] => parent.childNodes.filter(isElement)

export const findChild = (parent: Parent, tag: string): Element | undefined =>
  getElements(parent).find(({ tagName }) => tagName === tag)

/** Yields every element of a tag below, in document order; those within an element of the tag `except` are left out. */
export function* findElements(parent: Parent, tag: string, except?: string): Generator<Element> {
  for (const element of getElements(parent)) {
    if (element.tagName === tag) yield element
    if (element.tagName !== except) yield* findElements(element, tag, except)
  }
}

/** Returns the text of a node, as it is written. */
export function getText(node: Node): string {
  if (isText(node)) return node.value
  return isElement(node) ? node.childNodes.map(getText).join('') : ''
}

/** Reads the whole number that an attribute begins with. */
export const toInteger = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*-?\d{1,9}/.test(text) ? Number.parseInt(text, 10) : undefined
