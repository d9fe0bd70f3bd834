import { findAll, findPath, getChildren } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import { formatNumber } from '../text/numbers.ts'

/** Marks of characters that change what they mean, and the states of what is not shown. */
type OdfStyle = {
  isStruckOut?: boolean
  script?: 'sup' | 'sub' | ''
  font?: string
  isHidden?: boolean
}

/** A level of a list, or of the headings; without a format it has a bullet, or nothing. */
type Level = { format: string; prefix: string; suffix: string; start: number; shown: number }

export type OdfStyles = {
  /** Returns the marks of a style, with those that it takes from its parents. */
  resolve(name: string | undefined): OdfStyle
  /** Tells whether the items of a list have numbers at a level, counted from 0. */
  isNumbered(list: string, level: number): boolean
  /** Formats the number of an item or, with the list `outline`, of a heading: `counters` has those of its level and above. */
  formatNumber(list: string, counters: number[]): string
  startOf(list: string, level: number): number
}

/** The list style of headings. */
export const OUTLINE = 'outline'

/** Reads the styles of a document (OpenDocument 1.3, part 3, 16 and 20). */
export function readOdfStyles(parts: (XmlNode | undefined)[]): OdfStyles {
  const styles = new Map<string, OdfStyle & { parent?: string }>()
  const lists = new Map<string, Level[]>()
  for (const part of parts) {
    for (const node of findAll(part, 'style:style'))
      styles.set(node.attributes['style:name'] ?? '', readStyle(node))
    for (const node of findAll(part, 'text:list-style'))
      lists.set(node.attributes['style:name'] ?? '', getChildren(node).map(readLevel))
    for (const node of findAll(part, 'text:outline-style'))
      lists.set(OUTLINE, getChildren(node).map(readLevel))
  }
  const getLevel = (list: string, level: number): Level | undefined => lists.get(list)?.[level]
  return {
    resolve(name) {
      let merged: OdfStyle = {}
      let style = styles.get(name ?? '')
      for (let depth = 0; style && depth < 20; depth++) {
        merged = { ...style, ...merged }
        style = styles.get(style.parent ?? '')
      }
      return merged
    },
    isNumbered: (list, level) => Boolean(getLevel(list, level)?.format),
    startOf: (list, level) => getLevel(list, level)?.start ?? 1,
    formatNumber(list, counters) {
      const level = counters.length - 1
      const own = getLevel(list, level)
      if (!own?.format) return ''
      const from = Math.max(0, counters.length - own.shown)
      const numbers = counters
        .slice(from)
        .map((count, at) => formatCount(count, getLevel(list, from + at)?.format ?? '1'))
      return `${own.prefix}${numbers.join('.')}${own.suffix}`.trim()
    },
  }
}

function readStyle(node: XmlNode): OdfStyle & { parent?: string } {
  const text = findPath(node, 'style:text-properties')?.attributes ?? {}
  const parent = node.attributes['style:parent-style-name']
  const line = text['style:text-line-through-type'] ?? text['style:text-line-through-style']
  const position = text['style:text-position']
  const font = text['style:font-name'] ?? text['fo:font-family']
  const isHidden =
    text['text:display'] === 'none' ||
    findPath(node, 'style:table-properties')?.attributes['table:display'] === 'false' ||
    findPath(node, 'style:drawing-page-properties')?.attributes['presentation:visibility'] === 'hidden'
  return {
    ...(parent ? { parent } : {}),
    ...(line === undefined ? {} : { isStruckOut: line !== 'none' }),
    ...(position === undefined ? {} : { script: toScript(position) }),
    ...(font === undefined ? {} : { font: font.replace(/['"]/g, '') }),
    ...(isHidden ? { isHidden } : {}),
  }
}

/** Reads a position as `super 58%`, `sub 58%` or a share of the height: `33% 58%`. */
function toScript(position: string): OdfStyle['script'] {
  const [place = ''] = position.split(' ')
  if (place === 'super') return 'sup'
  if (place === 'sub') return 'sub'
  const share = Number.parseFloat(place)
  return share > 0 ? 'sup' : share < 0 ? 'sub' : ''
}

const readLevel = ({ name, attributes }: XmlNode): Level => ({
  format: /bullet|image/.test(name) ? '' : (attributes['style:num-format'] ?? ''),
  prefix: attributes['style:num-prefix'] ?? '',
  suffix: attributes['style:num-suffix'] ?? '',
  start: Number(attributes['text:start-value'] ?? 1) || 1,
  shown: Number(attributes['text:display-levels'] ?? 1) || 1,
})

/** Formats of numbers by how they begin, and our names of them: OpenDocument gives examples (`一, 二, 三, ...`). */
const FORMATS: Record<string, string> = {
  i: 'lowerRoman',
  I: 'upperRoman',
  a: 'lowerLetter',
  A: 'upperLetter',
  一: 'chineseCounting',
  壹: 'chineseLegalSimplified',
  甲: 'ideographTraditional',
  子: 'ideographZodiac',
  '①': 'decimalEnclosedCircle',
  ア: 'aiueoFullWidth',
  イ: 'irohaFullWidth',
  가: 'ganada',
  일: 'koreanCounting',
  '１': 'decimalFullWidth',
  α: 'lowerGreek',
}
const formatCount = (count: number, format: string): string =>
  formatNumber(count, FORMATS[Array.from(format)[0] ?? ''] ?? 'decimal')
