import { isSymbolFont, toUnicode } from '../office/symbols.ts'
import type { Output } from '../reading/output.ts'
import { decodeBytes } from '../text/byte-decoder.ts'
import { PLAIN } from '../text/marked-text.ts'
import { createDestinations, DROPPED, OPTIONAL } from './destinations.ts'
import type { Group, Surroundings } from './destinations.ts'
import { Flow } from './flow.ts'
import { findEncoding, isIncomplete, readFonts, readHeadings } from './fonts.ts'
import { setFormField } from './form.ts'
import { beginMathGroup } from './math.ts'
import { readTokens } from './tokens.ts'
import type { Token } from './tokens.ts'

const CHARACTERS = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['lbr', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['bullet', '•'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['\\~', ' '],
  ['\\_', '-'],
  ['\\\\', '\\'],
  ['\\{', '{'],
  ['\\}', '}'],
])
const MAX_GROUPS = 1000
const MAX_HIDDEN = 20

export type ParsedRtf = Surroundings & { body: Flow; hidden: string[] }

export function parseRtf(source: string, output: Output): ParsedRtf {
  const fonts = readFonts(source)
  const encoding = findEncoding(source)
  const headings = readHeadings(source, encoding)
  const body = new Flow()
  const surroundings: Surroundings = { headers: [], footers: [], notes: [] }
  const hidden: string[] = []
  let isAfterHidden = false
  const groups: Group[] = [
    { ...PLAIN, isDropped: false, isDeleted: false, isHidden: false, font: -1, skip: 1, flow: body },
  ]
  const destinations = createDestinations(groups, surroundings, output)
  let bytes: number[] = []
  let toSkip = 0
  /** Groups that are too deep are parts of the group around them. */
  let deeper = 0
  const group = (): Group => groups.at(-1)!

  const write = (text: string): void => {
    const { isDropped, isDeleted, isHidden, flow, font, math } = group()
    if (isDropped || isDeleted || !text) return
    const { name } = fonts.get(font) ?? {}
    const shown = isSymbolFont(name) ? toUnicode(text, name) : text
    if (math) {
      math.node.children.push(shown)
      return
    }
    if (isHidden && isAfterHidden) hidden[hidden.length - 1] += shown
    else if (isHidden && shown.trim() && hidden.length < MAX_HIDDEN) hidden.push(shown)
    isAfterHidden = isHidden && hidden.length > 0 && hidden.at(-1)!.length < 200
    flow.add(shown, group())
  }
  const getEncoding = (): string => {
    const { name, encoding: own } = fonts.get(group().font) ?? {}
    return isSymbolFont(name) ? 'latin1' : (own ?? encoding)
  }
  const flushBytes = (): void => {
    if (!bytes.length) return
    const label = getEncoding()
    const decoded = Buffer.from(bytes)
    bytes = []
    write(label === 'latin1' ? decoded.toString('latin1') : decodeBytes(decoded, label).text)
  }
  const addText = (text: string): void => {
    if (group().isDropped) return
    let rest = text.slice(toSkip)
    toSkip = Math.max(0, toSkip - text.length)
    // The second byte of a character may stand there as the letter that it is in ASCII.
    if (rest && bytes.length && isIncomplete(bytes, getEncoding())) {
      bytes.push(rest.charCodeAt(0))
      rest = rest.slice(1)
    }
    flushBytes()
    write(rest)
  }

  const beginGroup = (word: string, isOptional: boolean): void => {
    const { isDropped, math } = group()
    // A group in the place of the shape that is a picture holds the same for old programs.
    if (DROPPED.has(word)) {
      if (word === 'pict' && !isDropped) output.skip('picture', '图片')
      group().isDropped = true
    } else if (isOptional && !OPTIONAL.test(word)) group().isDropped = true
    else if (math && !isDropped) group().math = beginMathGroup(math, word)
    else if (!isDropped || word === 'ud') destinations.get(word)?.()
  }
  const control = (word: string, value: number | undefined): void => {
    const isOn = value !== 0
    const { flow, field, isInnerRow } = group()
    if (word === 'f') group().font = value ?? -1
    else if (word === 'uc') group().skip = Math.min(10, Math.max(0, value ?? 1))
    else if (word === 'u' && value !== undefined) {
      write(String.fromCharCode(value & 0xffff))
      toSkip = group().skip
    } else if (word === 'plain') Object.assign(group(), PLAIN, { isDeleted: false, isHidden: false })
    else if (word === 'super' || word === 'up') group().script = isOn ? 'sup' : ''
    else if (word === 'sub' || word === 'dn') group().script = isOn ? 'sub' : ''
    else if (word === 'nosupersub') group().script = ''
    else if (word === 'strike' || word === 'striked') group().isStruckOut = isOn
    else if (word === 'deleted') group().isDeleted = isOn
    else if (word === 'v') group().isHidden = isOn
    else if (word === 's' && headings.has(value ?? 0)) flow.setHeading(headings.get(value ?? 0))
    else if (field?.form && word.startsWith('ff')) setFormField(field.form, word, value)
    else if (CHARACTERS.has(word)) addText(CHARACTERS.get(word) ?? '')
    else if (!isInnerRow || word === 'nestrow') flow.control(word, value)
  }
  const open = (): void => {
    flushBytes()
    toSkip = 0
    const { end: _, isDouble, ...inherited } = group()
    if (groups.length >= MAX_GROUPS) deeper++
    else groups.push({ ...inherited, isDropped: inherited.isDropped || isDouble === true })
  }
  const close = (): void => {
    flushBytes()
    toSkip = 0
    if (deeper > 0) deeper--
    else if (groups.length > 1) groups.pop()?.end?.()
  }
  const addByte = (byte: number): void => {
    if (group().isDropped) return
    if (toSkip > 0) toSkip--
    else bytes.push(byte)
  }

  let isFirst = false
  let isOptional = false
  const take = ({ word, value, byte, symbol, text }: Token): void => {
    const wasFirst = isFirst
    if (word) {
      if (isFirst || DROPPED.has(word)) beginGroup(word, isOptional)
      if (!group().isDropped) {
        flushBytes()
        control(word, value)
      }
    } else if (byte !== undefined) addByte(byte)
    else if (symbol === '{') open()
    else if (symbol === '}') close()
    else if (symbol && CHARACTERS.has(symbol)) addText(CHARACTERS.get(symbol) ?? '')
    else if (text) addText(text)
    // Only a group's first word, or its second behind `\*`, names what the group is.
    isOptional = symbol === '\\*' && wasFirst
    isFirst = symbol === '{' || isOptional
  }
  for (const token of readTokens(source)) take(token)
  flushBytes()
  while (groups.length > 1) groups.pop()?.end?.()
  body.end()
  return { ...surroundings, body, hidden: hidden.map((each) => each.trim()) }
}
