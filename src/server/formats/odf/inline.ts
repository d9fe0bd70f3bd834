import { findAll, findPath, isNode, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import { isSymbolFont, toUnicode } from '../office/symbols.ts'
import { addMarks, escapeText, formatPhonetic } from '../text/markdown.ts'
import type { OdfStyles } from './styles.ts'

const MAX_SPACES = 100

/** Elements of a paragraph that are no part of its line: they stand beside it, or mark a place. */
const ASIDE =
  /^(office:annotation|draw:|svg:|text:(tracked-changes|number)$|text:(bookmark|change)(-start|-end)?$)/

/** Formats the text of a paragraph. */
export function formatInline(node: XmlNode, styles: OdfStyles): string {
  let text = ''
  let base = ''
  let readings: string[] = []
  const endWord = (): void => {
    text += formatPhonetic(base, readings.join(' '))
    ;[base, readings] = ['', []]
  }
  for (const child of node.children) {
    // Characters that follow each other with a guide of their own are one word.
    if (isNode(child) && child.name === 'text:ruby') {
      base += formatInline(findPath(child, 'text:ruby-base') ?? child, styles)
      readings.push(textOfNode(findPath(child, 'text:ruby-text')).trim())
      continue
    }
    endWord()
    text += isNode(child) ? formatChild(child, styles) : formatCharacters(child, node, styles)
  }
  endWord()
  return text
}

function formatCharacters(characters: string, parent: XmlNode, styles: OdfStyles): string {
  const plain = characters.replace(/\s+/g, ' ')
  const { font } = styles.resolve(parent.attributes['text:style-name'])
  return escapeText(isSymbolFont(font) ? toUnicode(plain, font) : plain)
}

function formatChild(child: XmlNode, styles: OdfStyles): string {
  const { name, attributes } = child
  if (name === 'text:s') return ' '.repeat(Math.min(MAX_SPACES, Number(attributes['text:c'] ?? 1) || 1))
  if (name === 'text:tab') return '\t'
  if (name === 'text:line-break') return '\n'
  if (name === 'text:note')
    return `（${formatInline(findPath(child, 'text:note-body') ?? child, styles).trim()}）`
  if (ASIDE.test(name)) return ''
  const hidden = attributes['text:string-value']
  if (/^text:hidden-(text|paragraph)$/.test(name) && hidden) return escapeText(hidden)
  const inner = formatInline(child, styles)
  if (name === 'text:p') return `${inner}\n`
  return name === 'text:span' ? addMarks(inner, styles.resolve(attributes['text:style-name'])) : inner
}

/** Formats comments `office:annotation`. */
export const formatComments = (annotations: XmlNode[], styles: OdfStyles): string[] =>
  annotations.flatMap((annotation) => {
    const author = textOfNode(findPath(annotation, 'dc:creator'))
    const text = [...findAll(annotation, 'text:p'), ...findAll(annotation, 'text:list')]
      .map((paragraph) => formatInline(paragraph, styles).trim())
      .filter(Boolean)
      .join(' ')
    return text ? [`> 批注${author ? `（${escapeText(author)}）` : ''}：${text}`] : []
  })
