import { isCommonHan } from './character-model.ts'
import { countMojibake, hasRareHan } from './mojibake.ts'

const CHARACTER = /\S/gu
/** Signs of no text: replacement characters, private use, control characters, unassigned code points. */
const NOT_TEXT = /[\uFFFD\p{Co}\p{Cn}\p{Cs}]|[^\P{Cc}\s]/gu
/** Glyphs by their numbers, `(cid:12)`, replacement characters in UTF-8 that were read as GBK or Latin-1, and UTF-8 that was read as Latin-1: `Ã©`, `ä¸­`. */
const MOJIBAKE = /\(cid:\d+\)|锟斤拷|ï¿½|[ÃÂ][\u0080-\u00BF]|[à-ï][\u0080-\u00BF]{2}/g
/** Chinese characters in a row; a list of rare ones is not so. */
const HAN_RUN = /\p{Script=Han}{4,}/gu
/** Above this share of rare ones among many Chinese characters in rows, they are glyphs without a map. */
const MAX_RARE = 0.5
const MIN_HAN = 20
/** The space of TrueType fonts is glyph 3: between words it tells that all characters are numbers of glyphs. */
const GLYPH_SPACE = '\u0003'
const MIN_SPACES = 0.05
/** Characters other than Latin, East Asian ones and punctuation; a text has few of Unicode's blocks of them. */
const SCATTERED = /[\u0250-\u1FFF\u2100-\u2E7F\uA000-\uABFF]/g
const MIN_SCATTERED = 10
const MAX_BLOCKS = 0.6
/** From this share of letters beside one of another alphabet on, a text is glyphs without a map. */
const MAX_MIXED = 0.2
const MIN_MIXED = 6

/** Counts characters other than white space, and those among them that no text has: lost, private or control ones, mojibake. */
export function countGarbled(text: string): { garbled: number; chars: number } {
  const chars = count(text, CHARACTER)
  // Most text is plain ASCII and needs no closer look.
  if (!/[^\t\n\r -~]|\(cid:/.test(text)) return { garbled: 0, chars }
  const strange = count(text, NOT_TEXT)
  const garbled = strange + Math.max(countLengths(text, MOJIBAKE), countMojibake(text), countGlyphs(text))
  return { garbled: Math.min(chars, garbled), chars }
}

/** Counts letters of a text that a font without a map of its glyphs gave: Chinese characters, or alphabets, at random. */
function countGlyphs(text: string): number {
  const runs = hasRareHan(text) ? (text.match(HAN_RUN) ?? []).filter((run) => !isSorted(run)) : []
  const han = Array.from(runs.join(''))
  const rare = han.filter((character) => !isCommonHan(character.codePointAt(0) ?? 0)).length
  if (han.length >= MIN_HAN && rare / han.length > MAX_RARE) return han.length
  const chars = count(text, CHARACTER)
  const spaces = text.split(GLYPH_SPACE).length - 1
  if (spaces > 1 && spaces / chars > MIN_SPACES) return chars
  const scattered = text.match(SCATTERED) ?? []
  const blocks = new Set(scattered.map((character) => (character.codePointAt(0) ?? 0) >> 8))
  if (scattered.length >= MIN_SCATTERED && blocks.size / scattered.length > MAX_BLOCKS) return chars
  const { letters, mixed } = countMixed(text)
  return mixed >= MIN_MIXED && mixed / letters > MAX_MIXED ? letters : 0
}

const SCRIPTS =
  'Latin Cyrillic Greek Armenian Hebrew Arabic Devanagari Bengali Tamil Telugu Thai Tibetan Georgian Ethiopic Mongolian Khmer'
    .split(' ')
    .map((script) => new RegExp(`(?=\\p{L})\\p{Script=${script}}`, 'u'))
/** By code point, the place of its script among these; -1 for signs and for Chinese, Japanese and Korean, which mix. */
const scripts = new Map<number, number>()

function scriptOf(point: number): number {
  // Han and Hangul, most of what is read.
  if (point < 0xaa || (point >= 0x3000 && point <= 0x9fff) || (point >= 0xac00 && point <= 0xd7a3)) return -1
  const known = scripts.get(point)
  if (known !== undefined) return known
  const script = SCRIPTS.findIndex((pattern) => pattern.test(String.fromCodePoint(point)))
  scripts.set(point, script)
  return script
}

/** Counts letters other than those of ASCII, and those that follow a letter of another alphabet. */
function countMixed(text: string): { letters: number; mixed: number } {
  let [letters, mixed, last] = [0, 0, -1]
  for (let at = 0; at < text.length; at++) {
    const script = scriptOf(text.charCodeAt(at))
    if (script >= 0) letters++
    if (script >= 0 && last >= 0 && script !== last) mixed++
    last = script
  }
  return { letters, mixed }
}

/** A table of characters is in their order. */
const isSorted = (run: string): boolean =>
  Array.from(run).every((character, index, all) => index === 0 || character >= (all[index - 1] ?? ''))

function count(text: string, pattern: RegExp): number {
  let total = 0
  pattern.lastIndex = 0
  while (pattern.test(text)) total++
  return total
}

const countLengths = (text: string, pattern: RegExp): number =>
  text.match(pattern)?.reduce((sum, { length }) => sum + length, 0) ?? 0
