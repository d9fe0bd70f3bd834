import type { Numbering, NumberLevel } from '../office/numbering.ts'
import { readTable, readXst, TABLE } from './word-file.ts'
import type { WordFile } from './word-file.ts'

/** Kinds of numbers (MSONFC, MS-OSHARED 2.2.1.3) by the names of Office Open XML; the first of them are in the same order. */
const FORMATS =
  'decimal upperRoman lowerRoman upperLetter lowerLetter ordinal cardinalText ordinalText hex chicago ideographDigital japaneseCounting aiueo iroha decimalFullWidth decimalHalfWidth japaneseLegal japaneseDigitalTenThousand decimalEnclosedCircle decimalFullWidth2 aiueoFullWidth irohaFullWidth decimalZero bullet ganada chosung decimalEnclosedFullstop decimalEnclosedParen decimalEnclosedCircleChinese ideographEnclosedCircle ideographTraditional ideographZodiac ideographZodiacTraditional taiwaneseCounting ideographLegalTraditional taiwaneseCountingThousand taiwaneseDigital chineseCounting chineseLegalSimplified chineseCountingThousand koreanDigital koreanCounting koreanLegal koreanDigital2 hebrew1 arabicAlpha hebrew2 arabicAbjad hindiVowels hindiConsonants hindiNumbers hindiCounting thaiLetters thaiNumbers thaiCounting vietnameseCounting numberInDash russianLower russianUpper'.split(
    ' ',
  )

const LIST_BYTES = 28
const LEVEL_BYTES = 28
const OVERRIDE_BYTES = 16
const NO_STYLE = 0xfff

type WordList = { levels: NumberLevel[]; styles: number[] }

/** The numbers of a document's lists. */
export type WordLists = {
  /** Lists by their places in the table, from 1, which paragraphs name. */
  numberings: Map<string, Numbering>
  /** Returns the level that a style has in a list. */
  findLevel(list: number, style: number): number | undefined
}

/** Reads the definitions of lists, and their uses, which may begin anew or have levels of their own (MS-DOC 2.9.131). */
export function readLists(file: WordFile): WordLists {
  const lists = readDefinitions(file)
  const numberings = new Map<string, Numbering>()
  const definitions: (WordList | undefined)[] = []
  const table = readTable(file, TABLE.listOverrides)
  const count = table.length >= 4 ? table.readUInt32LE(0) : 0
  let at = 4 + count * OVERRIDE_BYTES
  for (let index = 0; index < count && 4 + (index + 1) * OVERRIDE_BYTES <= table.length; index++) {
    const entry = 4 + index * OVERRIDE_BYTES
    const id = table.readInt32LE(entry)
    const list = lists.get(id)
    const levels = [...(list?.levels ?? [])]
    const overrides = table[entry + 12] ?? 0
    at += 4
    for (let override = 0; override < overrides && at + 8 <= table.length; override++) {
      const [start, flags] = [table.readInt32LE(at), table.readUInt32LE(at + 4)]
      at += 8
      const number = flags & 0xf
      if (flags & 0x20) {
        const { level, end } = readLevel(table, at)
        at = end
        levels[number] = level
      } else if (flags & 0x10 && levels[number]) levels[number] = { ...levels[number], start }
    }
    definitions[index + 1] = list
    // Lists of one definition go on counting, unless they begin anew.
    numberings.set(String(index + 1), { key: overrides ? `${id}/${index}` : String(id), levels })
  }
  return {
    numberings,
    findLevel(list, style) {
      const level = definitions[list]?.styles.indexOf(style) ?? -1
      return level >= 0 ? level : undefined
    },
  }
}

/** Reads definitions; their levels lie behind the table, one for a simple list, else nine. */
function readDefinitions(file: WordFile): Map<number, WordList> {
  const table = readTable(file, TABLE.lists)
  const lists = new Map<number, WordList>()
  const count = table.length >= 2 ? table.readUInt16LE(0) : 0
  if (count === 0) return lists
  const behind = file.table.subarray(file.main.readUInt32LE(TABLE.lists) + table.length)
  let at = 0
  for (let index = 0; index < count && 2 + (index + 1) * LIST_BYTES <= table.length; index++) {
    const entry = table.subarray(2 + index * LIST_BYTES)
    const styles = Array.from({ length: 9 }, (_, level) => entry.readUInt16LE(8 + level * 2))
    const levels: NumberLevel[] = []
    for (let left = (entry[26] ?? 0) & 1 ? 1 : 9; left > 0; left--) {
      const { level, end } = readLevel(behind, at)
      at = end
      levels.push(level)
    }
    lists.set(entry.readInt32LE(0), {
      levels,
      styles: styles.map((style) => (style === NO_STYLE ? -1 : style)),
    })
  }
  return lists
}

/** Reads a level (MS-DOC 2.9.139): characters below 9 in its text stand for the numbers of the levels. */
function readLevel(bytes: Buffer, at: number): { level: NumberLevel; end: number } {
  if (at + LEVEL_BYTES > bytes.length)
    return { level: { format: 'bullet', text: '', start: 1, isDecimal: false }, end: bytes.length }
  const flags = bytes[at + 5] ?? 0
  const properties = (bytes[at + 24] ?? 0) + (bytes[at + 25] ?? 0)
  const { text, end } = readXst(bytes, at + LEVEL_BYTES + properties)
  const format = bytes[at + 4] ?? 0
  return {
    level: {
      format: format === 0xff ? 'none' : (FORMATS[format] ?? 'decimal'),
      text: Array.from(text, (character) =>
        character < '\t' ? `%${character.charCodeAt(0) + 1}` : character,
      ).join(''),
      start: bytes.readInt32LE(at),
      isDecimal: Boolean(flags & 4),
      ...(flags & 8 ? { restart: bytes[at + 26] ?? 0 } : {}),
    },
    end,
  }
}
