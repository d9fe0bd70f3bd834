import { CHARACTERS, FAMILIES, LETTERS, TRANSITIONS } from './character-costs.ts'
import { CLASSES, CLASS_COUNT, classOf } from './character-class.ts'

/**
 * A language's model: how unusual a text would be in it, as negative natural logarithms of the shares of characters among those
 * of their class and of classes after each other. Texts of the same bytes in several encodings can thus be compared.
 */
export type LanguageModel = {
  language: string
  /** By class before and class, row by row. */
  transitions: Float64Array
  /** By code point; capitals are among the small letters. */
  costs: Map<number, number>
  /** The characters that schools and offices of the language use, beyond those whose share is known. */
  everyday: ReadonlySet<number>
  /** Tells whether a letter belongs to the language's script. */
  isOwn: (point: number) => boolean
}

/** Costs of characters whose share in a language is not known, nats. */
const COST = {
  /** A letter of ASCII, and one after another. */
  ascii: 2.9,
  pair: 3.3,
  space: 0.5,
  digit: 2.3,
  everyday: 11,
  rare: 15,
  ownLetter: 7.5,
  otherLetter: 12,
  halfWidth: 4.1,
  syllable: 11,
  rareSyllable: 15,
  wide: 6,
  symbol: 7,
  usualSymbol: 3,
  control: 12,
  unassigned: 14,
  /** Bytes that the encoding does not have. */
  invalid: 25,
}
const USUAL_SYMBOLS = toPoints('“”‘’—–…·«»„°§€£№©®™×•→')

function toPoints(text: string): Set<number> {
  return new Set(Array.from(text, (character) => character.codePointAt(0) ?? 0))
}

/** Decodes the rows of a double-byte encoding that its standard gives to everyday characters. */
function decodeRows(encoding: string, leads: [number, number], trails: [number, number][]): Set<number> {
  const bytes: number[] = []
  for (let lead = leads[0]; lead <= leads[1]; lead++) {
    for (const [first, last] of trails)
      for (let trail = first; trail <= last; trail++) bytes.push(lead, trail)
  }
  return toPoints(new TextDecoder(encoding).decode(new Uint8Array(bytes)).replaceAll('\uFFFD', ''))
}

const BIG5_TRAILS: [number, number][] = [
  [0x40, 0x7e],
  [0xa1, 0xfe],
]
const SHIFT_JIS_TRAILS: [number, number][] = [
  [0x40, 0x7e],
  [0x80, 0xfc],
]
/** Level 1 of the standards GB 2312, Big5 and JIS X 0208, and the syllables of KS X 1001. */
const EVERYDAY: Record<string, ReadonlySet<number>> = {
  zh: decodeRows('gb18030', [0xb0, 0xd7], [[0xa1, 0xfe]]),
  'zh-Hant': decodeRows('big5', [0xa4, 0xc6], BIG5_TRAILS),
  ja: decodeRows('shift_jis', [0x89, 0x97], SHIFT_JIS_TRAILS),
  ko: decodeRows('euc-kr', [0xb0, 0xc8], [[0xa1, 0xfe]]),
}
const NONE: ReadonlySet<number> = new Set()

const GB2312_LEVEL_2 = decodeRows('gb18030', [0xd8, 0xf7], [[0xa1, 0xfe]])

/** Tells whether a Chinese character is one of GB 2312, or an everyday one of traditional or Japanese writing. */
export const isCommonHan = (point: number): boolean =>
  GB2312_LEVEL_2.has(point) || Object.values(EVERYDAY).some((set) => set.has(point))

const SCRIPTS: Record<string, RegExp> = {
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
  arabic: /\p{Script=Arabic}/u,
  hebrew: /\p{Script=Hebrew}/u,
  thai: /\p{Script=Thai}/u,
  latin: /\p{Script=Latin}/u,
}

const models = new Map<string, LanguageModel>()

/** Languages that have a model, by family. */
export const LANGUAGES = FAMILIES

/** Returns the model of a language. */
export function loadModel(language: string): LanguageModel {
  const known = models.get(language)
  if (known) return known
  const family = Object.entries(FAMILIES).find(([, names]) => names.split(' ').includes(language))?.[0] ?? ''
  const costs = new Map<number, number>()
  for (const [level, characters] of (CHARACTERS[language] ?? '').split('\t').entries())
    for (const point of toPoints(characters)) costs.set(point, level / 2)
  const script = SCRIPTS[family] ?? /[^\s\S]/
  const model = {
    language,
    transitions: Float64Array.from(TRANSITIONS[family] ?? '', (digit) => parseInt(digit, 36) / 2),
    costs,
    everyday: EVERYDAY[language] ?? NONE,
    isOwn: (point: number) => script.test(String.fromCodePoint(point)),
  }
  models.set(language, model)
  return model
}

/**
 * Returns how unusual a text is in a language, nats. Runs of ASCII cost the same in every language: there encodings do not differ.
 * Above `limit` the count may stop.
 */
export function measureCost(text: string, model: LanguageModel, limit = Infinity): number {
  const { transitions } = model
  let cost = 0
  let last: number = CLASSES.space
  let isAscii = true
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at) ?? 0
    if (point > 0xffff) at++
    const kind = classOf(point)
    const wasAscii = isAscii
    isAscii = kind < CLASSES.control
    if (isAscii && wasAscii) cost += COST.pair
    else cost += (transitions[last * CLASS_COUNT + kind] ?? 0) + costOfCharacter(point, kind, model)
    if (cost > limit) break
    last = kind
  }
  return cost
}

/** Returns how unusual the classes of a text of ASCII are, one after the other, nats: words are usual, mixed signs are not. */
export function measureAscii(text: string): number {
  const { transitions } = loadModel('nl')
  const classes = Array.from(text, (character) => classOf(character.charCodeAt(0)))
  return classes.reduce<number>(
    (sum, kind, index) =>
      sum + (transitions[(classes[index - 1] ?? CLASSES.space) * CLASS_COUNT + kind] ?? 0) + COST.ascii,
    0,
  )
}

/** Counts the letters from a to z among bytes, the capitals too. */
export function countLetters(bytes: Uint8Array): number[] {
  const counts = Array.from({ length: 26 }, () => 0)
  for (const byte of bytes) {
    const index = (byte | 0x20) - 0x61
    if (index >= 0 && index < 26 && byte >= 0x41 && byte < 0x80) counts[index]!++
  }
  return counts
}

/** Returns how unusual the letters of ASCII are in a language, nats. */
export const measureLetters = (counts: number[], language: string): number =>
  Array.from(LETTERS[language] ?? '', (digit) => parseInt(digit, 36) / 2).reduce(
    (sum, cost, index) => sum + cost * (counts[index] ?? 0),
    0,
  )

/** Returns the cost of a character among those of its class, nats. */
export function costOfCharacter(point: number, kind: number, model: LanguageModel): number {
  switch (kind) {
    case CLASSES.lower:
    case CLASSES.upper:
    case CLASSES.punctuation:
      return COST.ascii
    case CLASSES.space:
      return COST.space
    case CLASSES.digit:
      return COST.digit
    case CLASSES.control:
      return COST.control
    case CLASSES.invalid:
      return point === 0xfffd ? COST.invalid : COST.unassigned
    case CLASSES.halfWidth:
      return COST.halfWidth
    case CLASSES.symbol:
      return USUAL_SYMBOLS.has(point) ? COST.usualSymbol : COST.symbol
    default:
      return model.costs.get(point) ?? costOfOther(point, kind, model)
  }
}

function costOfOther(point: number, kind: number, model: LanguageModel): number {
  if (kind === CLASSES.han) return model.everyday.has(point) ? COST.everyday : COST.rare
  if (kind === CLASSES.hangul) return model.everyday.has(point) ? COST.syllable : COST.rareSyllable
  if (kind === CLASSES.wide) return COST.wide
  if (kind === CLASSES.foreignUpper) {
    const small = String.fromCodePoint(point).toLowerCase().codePointAt(0) ?? 0
    const cost = model.costs.get(small)
    if (cost !== undefined) return cost
  }
  return model.isOwn(point) ? COST.ownLetter : COST.otherLetter
}
