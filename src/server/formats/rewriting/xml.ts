import { decodeEntities, scanXml } from '../containers/xml.ts'
import { REPLACEMENT } from '../text/byte-decoder.ts'
import { decodeText } from '../text/encoding.ts'
import type { Part, Syntax } from './blocks.ts'
import { encodeText } from './encoding.ts'

/** An element with its place: `open` is the end of its start tag, `close` the beginning of its end tag. */
export type XmlElement = {
  name: string
  attributes: Record<string, string>
  start: number
  open: number
  close: number
  end: number
  children: (XmlElement | XmlText)[]
}
export type XmlText = { text: string; start: number; end: number }

export const isElement = (child: XmlElement | XmlText): child is XmlElement => 'children' in child

/** Parses the outermost elements of these names; without names the whole document. */
export function parseElements(source: string, names?: Set<string>): XmlElement[] {
  const roots: XmlElement[] = []
  const stack: XmlElement[] = []
  scanXml(source, {
    open(name, attributes, start, end) {
      const parent = stack.at(-1)
      if (!parent && names && !names.has(name)) return
      const element = { name, attributes, start, open: end, close: end, end, children: [] }
      if (parent) parent.children.push(element)
      else roots.push(element)
      stack.push(element)
    },
    text: (text, start, end) => void stack.at(-1)?.children.push({ text, start, end }),
    close(name, start, end) {
      if (stack.at(-1)?.name !== name) return
      const element = stack.pop()
      if (element) Object.assign(element, { close: start, end })
    },
  })
  return roots
}

export const elements = (element: XmlElement | undefined, name?: string): XmlElement[] =>
  element?.children.filter(
    (child): child is XmlElement => isElement(child) && (!name || child.name === name),
  ) ?? []

export const child = (element: XmlElement | undefined, ...names: string[]): XmlElement | undefined =>
  names.reduce<XmlElement | undefined>((at, name) => elements(at, name)[0], element)

/** Lists every element of a name below, in document order, except those within another element of that name. */
export const descendants = (element: XmlElement | undefined, name: string): XmlElement[] =>
  elements(element).flatMap((each) => (each.name === name ? [each] : descendants(each, name)))

export const textOf = (element: XmlElement | undefined): string =>
  element?.children.map((each) => (isElement(each) ? textOf(each) : each.text)).join('') ?? ''

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Escapes a text without its control characters, which XML has no way to write. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '')
    .replace(/[&<>]/g, (character) => ESCAPES[character] ?? '')

export const escapeAttribute = (text: string): string =>
  escapeXml(text)
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
    .replace(/[\t\r\n]/g, ' ')

/** Finds the value of an attribute: its place between the quotes, and its decoded text. */
export function findAttribute(
  source: string,
  { start, open }: { start: number; open: number },
  name: string,
): XmlText | undefined {
  const tag = source.slice(start, open)
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)
  if (!match) return undefined
  const value = match[1] ?? match[2] ?? ''
  const end = start + match.index + match[0].length - 1
  return { text: decodeEntities(value), start: end - value.length, end }
}

/** A part, and how its changed source becomes bytes again. */
export type OpenText = { part: Part; encode: (source: string) => Buffer }

/**
 * Opens the bytes of XML or HTML as a part; returns nothing where they could not be written as they were. A character that the
 * encoding lacks is written as a reference.
 */
export function openMarkup(bytes: Buffer, syntax: Syntax, declared?: string): OpenText | undefined {
  const { text, encoding } = decodeText(bytes, declared)
  const mark = findMark(bytes)
  const encoded = encodeText(text, encoding)
  // Some characters have several sequences of bytes; one that was invalid would be lost.
  const isSame = encoded?.equals(bytes.subarray(mark.length)) ?? false
  if (!encoded || (!isSame && text.includes(REPLACEMENT))) return undefined
  const reference = (character: string): string => `&#${character.codePointAt(0)};`
  return {
    part: { source: text, syntax },
    encode: (source) => Buffer.concat([mark, encodeText(source, encoding, reference) ?? Buffer.from(source)]),
  }
}

const MARKS = ['fffe0000', '0000feff', 'efbbbf', 'fffe', 'feff', '84319533'].map((hex) =>
  Buffer.from(hex, 'hex'),
)
export const findMark = (bytes: Buffer): Buffer =>
  MARKS.find((mark) => bytes.subarray(0, mark.length).equals(mark)) ?? Buffer.alloc(0)

/** Returns the encoding that an XML declaration names. */
export const declaredEncoding = (bytes: Buffer): string | undefined =>
  /^[^>]{0,200}encoding\s*=\s*["']([\w-]+)/.exec(bytes.toString('latin1', 0, 256))?.[1]
