import { findPath, getChildren } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'

/** A paragraph's properties, from the styles and the numbering of a Word document. */
type ParagraphStyle = {
  /** Level of a heading, 1 to 9; 0 for the title. */
  heading?: number
  /** The list that the paragraph is an item of, and how deep. */
  list?: { level: number; id: string }
  isCode: boolean
}

export type WordStyles = {
  resolve(paragraph: XmlNode | undefined): ParagraphStyle
  /** Returns the marker of the list's next item: `-`, or its number as the document writes it. */
  nextMarker(list: { level: number; id: string }): string
}

type Style = { name: string; parent?: string; outline?: number; id?: string; level?: number }
type Level = { format: string; text: string; start: number }

const val = (node: XmlNode | undefined): string | undefined => node?.attributes['w:val']

const HEADING = /^(?:heading|标题|標題|titre|überschrift)\s*(\d)$/i
const CODE = /^(?:html preformatted|source ?code|code|preformatted text|plain text|代码)$/i

export function readStyles(styles: XmlNode | undefined, numbering: XmlNode | undefined): WordStyles {
  const byId = new Map<string, Style>()
  for (const node of getChildren(findPath(styles, 'w:styles'), 'w:style')) {
    const properties = findPath(node, 'w:pPr')
    const parent = val(findPath(node, 'w:basedOn'))
    byId.set(node.attributes['w:styleId'] ?? '', {
      name: val(findPath(node, 'w:name')) ?? '',
      ...definedNumbers(properties),
      ...(parent ? { parent } : {}),
    })
  }
  const levels = readNumbering(numbering)
  const counters = new Map<string, number[]>()

  /** Returns a style and those that it is based on, the nearest first. */
  const getChain = (id: string | undefined): Style[] => {
    const chain: Style[] = []
    for (let style = byId.get(id ?? ''); style && chain.length < 20; style = byId.get(style.parent ?? ''))
      chain.push(style)
    return chain
  }

  return {
    resolve(paragraph) {
      const properties = findPath(paragraph, 'w:pPr')
      const styleId = val(findPath(properties, 'w:pStyle'))
      const chain = getChain(styleId)
      const ownStyle = definedNumbers(properties)
      const pick = <Key extends keyof Style>(key: Key): Style[Key] | undefined =>
        (ownStyle as Style)[key] ?? chain.find((style) => style[key] !== undefined)?.[key]
      const id = pick('id')
      const outline = pick('outline')
      const heading = findHeading([...chain.map(({ name }) => name), styleId ?? ''], outline)
      const list = id && id !== '0' && levels.has(id) ? { id, level: pick('level') ?? 0 } : undefined
      return {
        isCode: chain.some(({ name }) => CODE.test(name)),
        ...(heading === undefined ? {} : { heading }),
        ...(list ? { list } : {}),
      }
    },
    nextMarker({ id, level }) {
      const definition = levels.get(id)
      const ownLevel = definition?.levels[level]
      const counter = counters.get(definition?.key ?? id) ?? []
      counters.set(definition?.key ?? id, counter)
      for (let above = 0; above < level; above++) counter[above] ??= definition?.levels[above]?.start ?? 1
      counter[level] = counter[level] === undefined ? (ownLevel?.start ?? 1) : counter[level] + 1
      counter.length = level + 1
      if (!ownLevel || ownLevel.format === 'bullet' || ownLevel.format === 'none') return '-'
      const text = ownLevel.text.replace(/%(\d)/g, (_, digit: string) => {
        const at = Number(digit) - 1
        return formatNumber(counter[at] ?? 1, definition?.levels[at]?.format ?? 'decimal')
      })
      return text.trim() || '-'
    },
  }
}

function definedNumbers(properties: XmlNode | undefined): Pick<Style, 'outline' | 'id' | 'level'> {
  const outline = val(findPath(properties, 'w:outlineLvl'))
  const id = val(findPath(properties, 'w:numPr', 'w:numId'))
  const level = val(findPath(properties, 'w:numPr', 'w:ilvl'))
  return {
    ...(outline && Number(outline) < 9 ? { outline: Number(outline) } : {}),
    ...(id ? { id } : {}),
    ...(level ? { level: Math.min(8, Number(level) || 0) } : {}),
  }
}

function findHeading(names: string[], outline: number | undefined): number | undefined {
  if (names.some((name) => /^(title|标题)$/i.test(name))) return 0
  const level = names.map((name) => HEADING.exec(name)?.[1]).find(Boolean)
  if (level) return Number(level)
  return outline === undefined ? undefined : outline + 1
}

function readNumbering(numbering: XmlNode | undefined): Map<string, { key: string; levels: Level[] }> {
  const root = findPath(numbering, 'w:numbering')
  const read = (node: XmlNode): Level => ({
    format: val(findPath(node, 'w:numFmt')) ?? 'decimal',
    text: val(findPath(node, 'w:lvlText')) ?? '',
    start: Number(val(findPath(node, 'w:start')) ?? 1),
  })
  const abstract = new Map<string, Level[]>()
  for (const node of getChildren(root, 'w:abstractNum')) {
    abstract.set(node.attributes['w:abstractNumId'] ?? '', getChildren(node, 'w:lvl').map(read))
  }
  return new Map(
    getChildren(root, 'w:num').map((node) => {
      const key = val(findPath(node, 'w:abstractNumId')) ?? ''
      const levels = [...(abstract.get(key) ?? [])]
      const overrides = getChildren(node, 'w:lvlOverride')
      for (const override of overrides) {
        const at = Number(override.attributes['w:ilvl'] ?? 0)
        const start = val(findPath(override, 'w:startOverride'))
        const level = findPath(override, 'w:lvl')
        if (level) levels[at] = read(level)
        const changed = levels[at]
        if (start && changed) levels[at] = { ...changed, start: Number(start) }
      }
      const id = node.attributes['w:numId'] ?? ''
      // Lists of one definition go on counting, unless they begin anew.
      return [id, { key: overrides.length ? `${key}/${id}` : key, levels }]
    }),
  )
}

const CHINESE_DIGITS = '〇一二三四五六七八九'

function formatNumber(value: number, format: string): string {
  if (/letter/i.test(format)) {
    const letter = String.fromCodePoint(97 + ((value - 1) % 26)).repeat(Math.min(5, Math.ceil(value / 26)))
    return format.startsWith('upper') ? letter.toUpperCase() : letter
  }
  if (/roman/i.test(format)) return format.startsWith('upper') ? toRoman(value) : toRoman(value).toLowerCase()
  if (/chinese|ideograph|japanese|taiwanese/i.test(format)) return toChinese(value)
  return String(value)
}

function toRoman(value: number): string {
  const parts: [number, string][] = [
    [1000, 'M'],
    [900, 'CM'],
    [500, 'D'],
    [400, 'CD'],
    [100, 'C'],
    [90, 'XC'],
    [50, 'L'],
    [40, 'XL'],
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ]
  let rest = Math.min(Math.max(0, value), 4999)
  let text = ''
  for (const [size, mark] of parts) for (; rest >= size; rest -= size) text += mark
  return text
}

function toChinese(value: number): string {
  if (value < 1 || value > 99) return String(value)
  const [tens, ones] = [Math.floor(value / 10), value % 10]
  const head = tens === 0 ? '' : tens === 1 ? '十' : `${CHINESE_DIGITS[tens]}十`
  return head + (ones ? CHINESE_DIGITS[ones] : '')
}
