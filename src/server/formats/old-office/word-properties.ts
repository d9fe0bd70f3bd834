import { readTable, readXst, TABLE } from './word-file.ts'
import type { WordFile } from './word-file.ts'
import type { TextMarks } from '../text/marked-text.ts'
import { createRuns, readPages } from './word-pages.ts'

/** A paragraph's properties (MS-DOC 2.6.2). */
export type ParagraphProperties = {
  style: number
  /** Level of a heading, 1 to 9; 0 for the title. */
  heading?: number
  /** The list that the paragraph is an item of, by its place in the table of lists, from 1. */
  list: number
  level?: number
  /** How deep the paragraph lies in tables. */
  depth: number
  /** Its end is that of a row, of a cell in an inner table, of a row there. */
  isRowEnd: boolean
  isInnerCell: boolean
  isInnerRowEnd: boolean
  /** The definition of the row that it ends. */
  row?: Buffer
}

/** A character's properties (MS-DOC 2.6.1). */
type CharacterProperties = TextMarks & {
  isDeleted: boolean
  isHidden: boolean
  font: number
  symbol?: { font: number; code: number }
  /** Place of the picture or of the form field behind the character. */
  data?: number
}

const OPERAND_BYTES = [1, 1, 2, 4, 2, 2, 0, 3]
const TABLE_DEFINITION = 0xd608

/** Yields the changes of properties by their codes (MS-DOC 2.2.5). */
function* readChanges(bytes: Buffer): Generator<{ code: number; operand: Buffer }> {
  for (let at = 0; at + 3 <= bytes.length;) {
    const code = bytes.readUInt16LE(at)
    let [start, size] = [at + 2, OPERAND_BYTES[code >> 13] ?? 1]
    if (code === TABLE_DEFINITION && start + 2 <= bytes.length) {
      size = Math.max(0, bytes.readUInt16LE(start) - 1)
      start += 2
    } else if (code >> 13 === 6) size = bytes[start++] ?? 0
    at = start + size
    if (at <= bytes.length) yield { code, operand: bytes.subarray(start, at) }
  }
}

const PLAIN_PARAGRAPH: ParagraphProperties = {
  style: 0,
  list: 0,
  depth: 0,
  isRowEnd: false,
  isInnerCell: false,
  isInnerRowEnd: false,
}

/** Changes of a paragraph that are too many for their page lie in the stream of data. */
const LARGE = new Set([0x6645, 0x6646, 0x646b])

function changeParagraph(properties: ParagraphProperties, changes: Buffer, data: Buffer, nested = 0): void {
  for (const { code, operand } of readChanges(changes)) {
    const value = operand[0] ?? 0
    if (code === 0x2416) properties.depth = value ? Math.max(1, properties.depth) : 0
    else if (code === 0x6649) properties.depth = Math.max(0, operand.readInt32LE(0))
    else if (code === 0x2417) properties.isRowEnd = value === 1
    else if (code === 0x244b) properties.isInnerCell = value === 1
    else if (code === 0x244c) properties.isInnerRowEnd = value === 1
    else if (code === 0x260a) properties.level = Math.min(8, value)
    // Above are the numbers of lists that the paragraph has left.
    else if (code === 0x460b) properties.list = operand.readUInt16LE(0) < 0x7ff ? operand.readUInt16LE(0) : 0
    else if (code === 0x2640) {
      if (value < 9) properties.heading = value + 1
      else delete properties.heading
    } else if (code === TABLE_DEFINITION) properties.row = operand
    else if (LARGE.has(code) && nested < 2) {
      const at = operand.readUInt32LE(0)
      if (at + 2 > data.length) continue
      const large = data.subarray(at + 2, at + 2 + data.readUInt16LE(at))
      changeParagraph(properties, large, data, nested + 1)
    }
  }
}

const PLAIN_CHARACTER: CharacterProperties = {
  script: '',
  isStruckOut: false,
  isDeleted: false,
  isHidden: false,
  font: 0,
}
const SCRIPTS = ['', 'sup', 'sub'] as const

/** Applies a switch, which may say to be as in the style, or its opposite. */
const toSwitch = (value: number, style: boolean): boolean =>
  value === 0x80 ? style : value === 0x81 ? !style : value === 1

function changeCharacter(
  style: CharacterProperties,
  changes: Buffer[],
  getStyle: (index: number) => Buffer[],
): CharacterProperties {
  let base = style
  let properties = { ...style }
  const apply = (bytes: Buffer, isOwn: boolean): void => {
    for (const { code, operand } of readChanges(bytes)) {
      const value = operand[0] ?? 0
      if (code === 0x0837 || code === 0x2a53) properties.isStruckOut = toSwitch(value, base.isStruckOut)
      else if (code === 0x0800) properties.isDeleted = toSwitch(value, base.isDeleted)
      else if (code === 0x083c) properties.isHidden = toSwitch(value, base.isHidden)
      else if (code === 0x2a48) properties.script = SCRIPTS[value] ?? ''
      else if (code === 0x4a4f) properties.font = operand.readUInt16LE(0)
      else if (code === 0x6a09)
        properties.symbol = { font: operand.readUInt16LE(0), code: operand.readUInt16LE(2) }
      else if (code === 0x6a03) properties.data = operand.readUInt32LE(0)
      else if (code === 0x2a33) properties = { ...base }
      else if (code === 0x4a30 && isOwn) {
        for (const inherited of getStyle(operand.readUInt16LE(0))) apply(inherited, false)
        base = { ...properties }
      }
    }
  }
  for (const bytes of changes) apply(bytes, true)
  return properties
}

type Style = { kind: number; number: number; base: number; paragraph: Buffer; character: Buffer }

const NO_STYLE = 0xfff
const TITLE = 62

/** Reads the style sheet (MS-DOC 2.9.271). */
function readStyles(sheet: Buffer): (Style | undefined)[] {
  if (sheet.length < 6) return []
  const baseBytes = sheet.readUInt16LE(4)
  const styles: (Style | undefined)[] = []
  for (let at = 2 + sheet.readUInt16LE(0); at + 2 <= sheet.length;) {
    const style = sheet.subarray(at + 2, at + 2 + sheet.readUInt16LE(at))
    at += 2 + sheet.readUInt16LE(at)
    if (style.length < Math.max(10, baseBytes)) {
      styles.push(undefined)
      continue
    }
    const [kind, number] = [style.readUInt16LE(2) & 0xf, style.readUInt16LE(0) & 0xfff]
    const parts: Buffer[] = []
    // Behind the name is a zero, and each part begins at an even place.
    for (let part = readXst(style, baseBytes).end + 2; part + 2 <= style.length;) {
      const end = part + 2 + style.readUInt16LE(part)
      parts.push(style.subarray(part + 2, end))
      part = end + (end % 2)
    }
    const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = parts
    const isCharacter = kind === 2
    styles.push({
      kind,
      number,
      base: style.readUInt16LE(2) >> 4,
      paragraph: kind === 1 ? first.subarray(2) : Buffer.alloc(0),
      character: isCharacter ? first : kind === 1 ? second : Buffer.alloc(0),
    })
  }
  return styles
}

/** Properties of the file's text by the places of characters in the file. */
export type WordProperties = {
  getParagraph(offset: number, changes: Buffer): ParagraphProperties
  getCharacter(offset: number, changes: Buffer): CharacterProperties
}

export function readProperties(file: WordFile): WordProperties {
  const styles = readStyles(readTable(file, TABLE.styles))
  const paragraphs = createRuns(readPages(file, TABLE.paragraphs))
  const characters = createRuns(readPages(file, TABLE.characters))
  /** Returns a style and those that it is based on, the farthest first. */
  const getChain = (index: number): Style[] => {
    const chain: Style[] = []
    for (let at = index; at !== NO_STYLE && chain.length < 20;) {
      const style = styles[at]
      if (!style) break
      chain.unshift(style)
      at = style.base
    }
    return chain
  }
  const paragraphStyles = new Map<number, ParagraphProperties>()
  const getParagraphStyle = (index: number): ParagraphProperties => {
    let style = paragraphStyles.get(index)
    if (!style) {
      style = { ...PLAIN_PARAGRAPH, style: index }
      for (const { number, paragraph } of getChain(index)) {
        // Built-in styles 1 to 9 are the nine headings.
        if (number >= 1 && number <= 9) style.heading = number
        else if (number === TITLE) style.heading = 0
        changeParagraph(style, paragraph, file.data)
      }
      // Styles at these places are always the headings, even where the sheet is damaged.
      if (style.heading === undefined && !styles[index] && index >= 1 && index <= 9) style.heading = index
      paragraphStyles.set(index, style)
    }
    return style
  }
  const characterStyles = new Map<number, CharacterProperties>()
  const getCharacterStyle = (index: number): CharacterProperties => {
    let style = characterStyles.get(index)
    if (!style) {
      style = changeCharacter(
        PLAIN_CHARACTER,
        getChain(index).map(({ character }) => character),
        () => [],
      )
      characterStyles.set(index, style)
    }
    return style
  }
  const getParagraph = (offset: number, changes: Buffer): ParagraphProperties => {
    const bytes = paragraphs.find(offset)
    const properties = { ...getParagraphStyle(bytes.length >= 2 ? bytes.readUInt16LE(0) : 0) }
    changeParagraph(properties, bytes.subarray(2), file.data)
    if (changes.length) changeParagraph(properties, changes, file.data)
    return properties
  }
  let last:
    | { paragraph: Buffer; character: Buffer; changes: Buffer; properties: CharacterProperties }
    | undefined
  return {
    getParagraph,
    getCharacter(offset, changes) {
      const [paragraph, character] = [paragraphs.find(offset), characters.find(offset)]
      if (last?.paragraph === paragraph && last.character === character && last.changes === changes)
        return last.properties
      const style = getCharacterStyle(paragraph.length >= 2 ? paragraph.readUInt16LE(0) : 0)
      const properties = changeCharacter(style, [character, changes], (index) =>
        getChain(index).flatMap((each) => (each.kind === 2 ? [each.character] : [])),
      )
      last = { paragraph, character, changes, properties }
      return properties
    },
  }
}
