/** The classes of characters among which models of languages count transitions; their order is that of the models' tables. */
export const CLASSES = {
  lower: 0,
  upper: 1,
  digit: 2,
  space: 3,
  punctuation: 4,
  control: 5,
  han: 6,
  hiragana: 7,
  katakana: 8,
  halfWidth: 9,
  hangul: 10,
  wide: 11,
  foreignLower: 12,
  foreignUpper: 13,
  uncased: 14,
  symbol: 15,
  invalid: 16,
} as const
export const CLASS_COUNT = 17

const PATTERNS: [RegExp, number][] = [
  [/[\p{Cn}\p{Co}\p{Cs}\uFFFD]/u, CLASSES.invalid],
  [/\p{Cc}/u, CLASSES.control],
  [/[\uFF61-\uFF9F]/, CLASSES.halfWidth],
  [/[\u3000-\u3029\u3030-\u303F\u30FB\uFF01-\uFF60]/, CLASSES.wide],
  [/[\u00B5\u00AA\u00BA]/, CLASSES.symbol],
  [/[々〆\p{Script=Han}]/u, CLASSES.han],
  [/\p{Script=Hiragana}/u, CLASSES.hiragana],
  [/[\p{Script=Katakana}ー]/u, CLASSES.katakana],
  [/\p{Script=Hangul}/u, CLASSES.hangul],
  [/\p{Ll}/u, CLASSES.foreignLower],
  [/\p{Lu}/u, CLASSES.foreignUpper],
  [/[\p{Lo}\p{Lm}\p{M}]/u, CLASSES.uncased],
  [/\p{Zs}/u, CLASSES.space],
]

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return CLASSES.lower
  if (/[A-Z]/.test(character)) return CLASSES.upper
  if (/\d/.test(character)) return CLASSES.digit
  if (/\s/.test(character)) return CLASSES.space
  return code < 32 || code === 127 ? CLASSES.control : CLASSES.punctuation
})

/** Classes by code point, found out once for each. */
const classes = new Map<number, number>()

/** Returns the class of a code point. Letters outside ASCII are foreign: among them the encodings differ. */
export function classOf(point: number): number {
  if (point < 128) return ASCII[point] ?? 0
  // Two blocks that most characters of a Chinese or Korean text are in.
  if (point >= 0x4e00 && point <= 0x9fff) return CLASSES.han
  if (point >= 0xac00 && point <= 0xd7a3) return CLASSES.hangul
  const known = classes.get(point)
  if (known !== undefined) return known
  const character = String.fromCodePoint(point)
  const found = PATTERNS.find(([pattern]) => pattern.test(character))?.[1] ?? CLASSES.symbol
  classes.set(point, found)
  return found
}
