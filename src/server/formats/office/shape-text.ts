import { findAll, findPath, getChildren, textOfNode } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import { escapeText, formatScript, strikeOut } from '../text/markdown.ts'
import { formatNumber } from '../text/numbers.ts'
import { formatMath } from './math.ts'
import { formatItem } from './numbering.ts'
import { toUnicode } from './symbols.ts'

/** Formats the paragraphs `a:p` of a shape, which slides, diagrams, charts and drawings share (DrawingML). */
export function formatShapeText(paragraph: XmlNode): string {
  let text = ''
  let struck = ''
  const flush = (): void => {
    text += strikeOut(struck)
    struck = ''
  }
  for (const node of getChildren(paragraph)) {
    const properties = findPath(node, 'a:rPr')
    const isStruckOut = /^(sng|dbl)Strike$/.test(properties?.attributes.strike ?? '')
    if (!isStruckOut) flush()
    if (isStruckOut) struck += formatNode(node, properties)
    else text += formatNode(node, properties)
  }
  flush()
  return text.replaceAll('\u000B', '\n').trim()
}

function formatNode(node: XmlNode, properties: XmlNode | undefined): string {
  if (node.name === 'a:br') return '\n'
  if (node.name === 'a:r' || node.name === 'a:fld') {
    const font = findPath(properties, 'a:sym') ?? findPath(properties, 'a:latin')
    const text = escapeText(toUnicode(textOfNode(findPath(node, 'a:t')), font?.attributes.typeface))
    const baseline = Number.parseInt(properties?.attributes.baseline ?? '0', 10)
    return baseline ? formatScript(text, baseline > 0 ? 'sup' : 'sub') : text
  }
  if (node.name === 'mc:AlternateContent')
    return getAlternative(node)
      .map((each) => formatShapeText({ ...node, children: [each] }))
      .join('')
  return findAll(node, 'm:oMath')
    .map((math) => `$${formatMath(math)}$`)
    .join(' ')
}

/** Returns what new programs show of content with a substitute for old ones. */
export function getAlternative(node: XmlNode): XmlNode[] {
  const choice = getChildren(findPath(node, 'mc:Choice'))
  return choice.length ? choice : getChildren(findPath(node, 'mc:Fallback'))
}

/** Formats paragraphs and lists; with `isList` the body is a place for content, whose layout makes each paragraph an item. */
export function formatParagraphs(body: XmlNode | undefined, isList = false): string[] {
  const blocks: string[] = []
  let items: string[] = []
  /** Kind of number and how many there were, by level. */
  let counters: { kind: string; count: number }[] = []
  const flush = (): void => {
    if (items.length) blocks.push(items.join('\n'))
    items = []
  }
  const nextNumber = (level: number, bullet: XmlNode): string => {
    const { type: kind = 'arabicPeriod', startAt = '1' } = bullet.attributes
    const counter = counters[level]
    const count = counter?.kind === kind ? counter.count + 1 : 0
    counters = counters.slice(0, level)
    counters[level] = { kind, count }
    return formatBulletNumber((Number(startAt) || 1) + count, kind)
  }
  for (const paragraph of getChildren(body, 'a:p')) {
    const text = formatShapeText(paragraph)
    if (!text) continue
    const properties = findPath(paragraph, 'a:pPr')
    const level = Math.min(8, Number(properties?.attributes.lvl ?? 0) || 0)
    const number = findPath(properties, 'a:buAutoNum')
    // Numbers go on behind what stands deeper, and begin anew behind other paragraphs.
    if (!number) counters = counters.slice(0, level)
    const isPlain = findPath(properties, 'a:buNone') !== undefined
    const hasBullet = findPath(properties, 'a:buChar') ?? findPath(properties, 'a:buBlip')
    if (!number && !hasBullet && (isPlain || (!isList && level === 0))) {
      flush()
      blocks.push(text)
      continue
    }
    items.push(formatItem(level, number ? nextNumber(level, number) : '-', text))
  }
  flush()
  return blocks
}

/** Kinds of numbers (ST_TextAutonumberScheme, ECMA-376 part 1, 20.1.10.61) without their marks, and our names of them. */
const SCHEMES: [RegExp, string][] = [
  [/^alphaLc/, 'lowerLetter'],
  [/^alphaUc/, 'upperLetter'],
  [/^romanLc/, 'lowerRoman'],
  [/^romanUc/, 'upperRoman'],
  [/^circleNum/, 'decimalEnclosedCircle'],
  [/^ea1(Chs|Cht|Jpn)/, 'chineseCounting'],
]

/** Formats a number of a list as its scheme writes it: `alphaLcParenBoth` as (a), `ea1ChsPeriod` as 一. */
function formatBulletNumber(value: number, scheme: string): string {
  const number = formatNumber(value, SCHEMES.find(([pattern]) => pattern.test(scheme))?.[1] ?? 'decimal')
  if (scheme.endsWith('ParenBoth')) return `(${number})`
  if (scheme.endsWith('ParenR')) return `${number})`
  if (scheme.endsWith('Minus')) return `${number}-`
  return scheme.endsWith('Period') ? `${number}.` : number
}
