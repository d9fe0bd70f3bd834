import { findPath, getChildren } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import { createMarkers } from '../office/numbering.ts'
import type { NumberLevel } from '../office/numbering.ts'

/** A paragraph's properties, from the styles and the numbering of a Word document. */
type ParagraphStyle = {
  /** Level of a heading, 1 to 9; 0 for the title. */
  heading?: number
  /** The list that the paragraph is an item of, and how deep. */
  list?: { level: number; id: string }
  isCode: boolean
}

/** Marks of a run's characters that change what they mean. */
type RunStyle = { isStruckOut?: boolean; script?: 'sup' | 'sub' | '' }

export type WordStyles = {
  resolve(paragraph: XmlNode | undefined): ParagraphStyle
  /** Returns the marks of a run by its properties `w:rPr`. */
  resolveRun(properties: XmlNode | undefined): RunStyle
  /** Returns the marker of the list's next item: `-`, or its number as the document writes it. */
  nextMarker(list: { level: number; id: string }): string
}

type Style = {
  name: string
  marks: RunStyle
  parent?: string
  outline?: number
  id?: string
  level?: number
}
/** `style`: the style that gives a paragraph this level. */
type Level = NumberLevel & { style?: string }
type Numbering = { key: string; levels: (Level | undefined)[] }

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
      marks: readMarks(findPath(node, 'w:rPr')),
      ...definedNumbers(properties),
      ...(parent ? { parent } : {}),
    })
  }
  const levels = readNumbering(numbering, (style) => byId.get(style)?.id)

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
      const linkedLevel = levels
        .get(id ?? '')
        ?.levels.findIndex((each) => each?.style && each.style === styleId)
      const level = ownStyle.level ?? (linkedLevel && linkedLevel > 0 ? linkedLevel : pick('level')) ?? 0
      const list = id && id !== '0' && levels.has(id) ? { id, level } : undefined
      return {
        isCode: chain.some(({ name }) => CODE.test(name)),
        ...(heading === undefined ? {} : { heading }),
        ...(list ? { list } : {}),
      }
    },
    resolveRun(properties) {
      const ownMarks = readMarks(properties)
      const chain = getChain(val(findPath(properties, 'w:rStyle')))
      return { ...Object.assign({}, ...chain.map(({ marks }) => marks).reverse()), ...ownMarks }
    },
    nextMarker: createMarkers(levels),
  }
}

/** Returns the state of a switch; undefined where it is not there. */
const isOn = (node: XmlNode | undefined): boolean | undefined =>
  node && !/^(0|false|none|off)$/.test(val(node) ?? '1')

const toOptional = <Key extends string, Value>(
  key: Key,
  text: string | undefined,
  parse: (text: string) => Value,
): Partial<Record<Key, Value>> =>
  text === undefined ? {} : ({ [key]: parse(text) } as Partial<Record<Key, Value>>)

const SCRIPTS: Record<string, RunStyle['script']> = { superscript: 'sup', subscript: 'sub', baseline: '' }

function readMarks(properties: XmlNode | undefined): RunStyle {
  const strikes = ['w:strike', 'w:dstrike'].flatMap((name) => isOn(findPath(properties, name)) ?? [])
  const script = SCRIPTS[val(findPath(properties, 'w:vertAlign')) ?? '']
  return {
    ...(strikes.length ? { isStruckOut: strikes.includes(true) } : {}),
    ...(script === undefined ? {} : { script }),
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

/** Reads definitions of numbers, some of which only name a style whose numbers they use. */
function readNumbering(
  numbering: XmlNode | undefined,
  findNumbers: (style: string) => string | undefined,
): Map<string, Numbering> {
  const root = findPath(numbering, 'w:numbering')
  const read = (node: XmlNode): Level => ({
    format: val(findPath(node, 'w:numFmt')) ?? 'decimal',
    text: val(findPath(node, 'w:lvlText')) ?? '',
    start: Number(val(findPath(node, 'w:start')) ?? 1),
    isDecimal: isOn(findPath(node, 'w:isLgl')) ?? false,
    ...toOptional('restart', val(findPath(node, 'w:lvlRestart')), Number),
    ...toOptional('style', val(findPath(node, 'w:pStyle')), String),
  })
  const abstract = new Map<string, Level[]>()
  const styleLinks = new Map<string, string>()
  for (const node of getChildren(root, 'w:abstractNum')) {
    const id = node.attributes['w:abstractNumId'] ?? ''
    abstract.set(id, getChildren(node, 'w:lvl').map(read))
    const style = val(findPath(node, 'w:numStyleLink'))
    if (style) styleLinks.set(id, style)
  }
  const abstractIds = new Map(
    getChildren(root, 'w:num').map((node) => [
      node.attributes['w:numId'] ?? '',
      val(findPath(node, 'w:abstractNumId')) ?? '',
    ]),
  )
  return new Map(
    getChildren(root, 'w:num').map((node) => {
      const ownKey = val(findPath(node, 'w:abstractNumId')) ?? ''
      const linkedKey = abstractIds.get(findNumbers(styleLinks.get(ownKey) ?? '') ?? '')
      const key = linkedKey ?? ownKey
      const levels: Numbering['levels'] = [...(abstract.get(key) ?? [])]
      const overrides = getChildren(node, 'w:lvlOverride')
      for (const override of overrides) {
        const at = Number(override.attributes['w:ilvl'] ?? 0)
        if (!Number.isInteger(at) || at < 0 || at > 8) continue
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
