import { AppError } from '#server/core/app-error.ts'
import { decodeText } from '../text/encoding.ts'

export type XmlNode = { name: string; attributes: Record<string, string>; children: (XmlNode | string)[] }

/** Deepest nesting of elements, so that code may walk a tree recursively. */
const MAX_DEPTH = 300

/** Patterns of namespaces → the prefix that this code uses, whatever prefix a file declares. */
const PREFIXES: [RegExp, string][] = [
  [/wordprocessingml.*main$/, 'w'],
  [/officeDocument.*math$/, 'm'],
  [/officeDocument.*relationships$/, 'r'],
  [/drawingml.*[/]main$/, 'a'],
  [/drawingml.*[/]chart$/, 'c'],
  [/drawingml.*[/]diagram$/, 'dgm'],
  [/drawingml.*[/]spreadsheetDrawing$/, 'xdr'],
  [/drawingml.*[/]wordprocessingDrawing$/, 'wp'],
  [/drawing[/]\d+[/]chartex$/, 'cx'],
  [/schemas-microsoft-com:vml$/, 'v'],
  [/schemas-microsoft-com:office:excel$/, 'x'],
  [/schemas-microsoft-com:office:office$/, 'o'],
  [/presentationml.*main$/, 'p'],
  [/spreadsheetml.*main$/, ''],
  [/markup-compatibility/, 'mc'],
  [/opendocument.*:text:/, 'text'],
  [/opendocument.*:table:/, 'table'],
  [/opendocument.*:office:/, 'office'],
  [/opendocument.*:drawing:/, 'draw'],
  [/opendocument.*:presentation:/, 'presentation'],
  [/opendocument.*:style:/, 'style'],
  [/opendocument.*:form:/, 'form'],
  [/opendocument.*:svg-compatible:/, 'svg'],
  [/opendocument.*:xsl-fo-compatible:/, 'fo'],
  [/opendocument.*:manifest:/, 'manifest'],
  [/purl[.]org[/]dc[/]elements/, 'dc'],
  [/1999[/]xlink$/, 'xlink'],
  [/opendocument.*:container$|idpf[.]org[/]2007[/]opf/, ''],
]

/** Callbacks with the token's offsets in the source; where an end tag is missing, `start` and `end` are equal. */
export type XmlHandler = {
  open: (name: string, attributes: Record<string, string>, start: number, end: number) => void
  text?: (text: string, start: number, end: number) => void
  close?: (name: string, start: number, end: number) => void
}

/** Decodes XML as UTF-8, or as its byte order mark or declaration says. */
export const decodeXml = (bytes: Buffer): string =>
  decodeText(bytes, /^[^>]{0,200}encoding\s*=\s*["']([\w-]+)/.exec(bytes.toString('latin1', 0, 256))?.[1])
    .text

/**
 * Scans XML leniently: an end tag that is missing or wrong closes what it can. A document type is skipped, so that no entity but
 * XML's own five is ever known. Throws `document_bomb` where elements nest too deep.
 */
export function scanXml(xml: string, { open, text, close }: XmlHandler): void {
  const stack: string[] = []
  const newPrefixes = new Map<string, string>()
  const rename = (name: string): string => {
    const colon = name.indexOf(':')
    const prefix = colon < 0 ? '' : name.slice(0, colon)
    const newPrefix = newPrefixes.get(prefix)
    if (newPrefix === undefined) return name
    return newPrefix ? `${newPrefix}:${name.slice(colon + 1)}` : name.slice(colon + 1)
  }
  let at = 0
  while (at < xml.length) {
    const start = xml.indexOf('<', at)
    if (text && start !== at) {
      const end = start < 0 ? xml.length : start
      text(decodeEntities(xml.slice(at, end)), at, end)
    }
    if (start < 0) break
    if (xml.startsWith('<!--', start)) at = skipTo(xml, '-->', start + 4)
    else if (xml.startsWith('<![CDATA[', start)) {
      const end = xml.indexOf(']]>', start)
      at = skipTo(xml, ']]>', start)
      text?.(xml.slice(start + 9, end < 0 ? undefined : end), start, at)
    } else if (xml[start + 1] === '?') at = skipTo(xml, '?>', start)
    else if (xml[start + 1] === '!') at = skipDocumentType(xml, start)
    else if (xml[start + 1] === '/') {
      at = skipTo(xml, '>', start)
      const name = rename(xml.slice(start + 2, at - 1).trim())
      const depth = stack.lastIndexOf(name)
      const closedNames = depth < 0 ? [] : stack.splice(depth).reverse()
      for (const [index, each] of closedNames.entries())
        close?.(each, start, index === closedNames.length - 1 ? at : start)
    } else {
      const end = findTagEnd(xml, start)
      const isEmpty = xml[end - 1] === '/'
      const tag = xml.slice(start + 1, isEmpty ? end - 1 : end)
      const [name = ''] = /^[^\s/]+/.exec(tag) ?? []
      const attributes = parseAttributes(tag.slice(name.length), newPrefixes, rename)
      const newName = rename(name)
      const after = Math.min(end + 1, xml.length)
      open(newName, attributes, start, after)
      if (isEmpty) close?.(newName, after, after)
      else if (stack.push(newName) > MAX_DEPTH) throw new AppError('document_bomb')
      at = end + 1
    }
  }
  for (const name of stack.reverse()) close?.(name, xml.length, xml.length)
}

/** Parses a document into a tree below a node without a name. */
export function parseXml(bytes: Buffer): XmlNode {
  const root: XmlNode = { name: '', attributes: {}, children: [] }
  const stack = [root]
  scanXml(decodeXml(bytes), {
    open(name, attributes) {
      const node: XmlNode = { name, attributes, children: [] }
      stack.at(-1)?.children.push(node)
      stack.push(node)
    },
    text: (text) => void stack.at(-1)?.children.push(text),
    close: () => void stack.pop(),
  })
  return root
}

export const isNode = (child: XmlNode | string): child is XmlNode => typeof child !== 'string'
export const getChildren = (node: XmlNode | undefined, name?: string): XmlNode[] =>
  (node?.children.filter(isNode) ?? []).filter((child) => !name || child.name === name)

/** Returns the node that these names lead to, each the first child of its name. */
export function findPath(node: XmlNode | undefined, ...names: string[]): XmlNode | undefined {
  let current = node
  for (const name of names)
    current = current?.children.find((child): child is XmlNode => isNode(child) && child.name === name)
  return current
}

/** Returns every node of a name below, in document order, except those within another node of that name. */
export function findAll(node: XmlNode | undefined, name: string): XmlNode[] {
  return getChildren(node).flatMap((child) => (child.name === name ? [child] : findAll(child, name)))
}

export const textOfNode = (node: XmlNode | undefined): string =>
  node?.children.map((child) => (isNode(child) ? textOfNode(child) : child)).join('') ?? ''

function skipTo(xml: string, end: string, from: number): number {
  const index = xml.indexOf(end, from)
  return index < 0 ? xml.length : index + end.length
}

/** Skips a document type with the entities that it may define between brackets. */
function skipDocumentType(xml: string, start: number): number {
  const end = xml.indexOf('>', start)
  const bracket = xml.indexOf('[', start)
  if (bracket < 0 || bracket > end) return end < 0 ? xml.length : end + 1
  return skipTo(xml, '>', skipTo(xml, ']', bracket) - 1)
}

/** Finds the `>` that ends a tag, which is not one between quotes. */
function findTagEnd(xml: string, start: number): number {
  let quote = ''
  for (let at = start + 1; at < xml.length; at++) {
    const character = xml[at] ?? ''
    if (quote) quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at
  }
  return xml.length
}

function parseAttributes(
  source: string,
  newPrefixes: Map<string, string>,
  rename: (name: string) => string,
): Record<string, string> {
  const attributes: Record<string, string> = {}
  if (!source) return attributes
  const matches = [...source.matchAll(/(?:^|\s)([^\s=/]{1,200})\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  for (const [, name = '', double, single] of matches) {
    if (!name.startsWith('xmlns')) continue
    const usualPrefix = PREFIXES.find(([pattern]) => pattern.test(double ?? single ?? ''))?.[1]
    const prefix = name === 'xmlns' ? '' : name.slice(6)
    if (usualPrefix !== undefined && usualPrefix !== prefix) newPrefixes.set(prefix, usualPrefix)
    else newPrefixes.delete(prefix)
  }
  for (const [, name = '', double, single] of matches) {
    // An attribute without a prefix has no namespace.
    attributes[name.includes(':') ? rename(name) : name] = decodeEntities(double ?? single ?? '')
  }
  return attributes
}

const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }))

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name) ?? whole
    const point = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
  })
}
