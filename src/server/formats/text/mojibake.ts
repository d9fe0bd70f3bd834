import iconv from 'iconv-lite'
import { CLASSES, classOf } from './character-class.ts'
import { costOfCharacter, LANGUAGES, loadModel, measureCost } from './character-model.ts'
import { guessEncodings } from './encoding-guess.ts'

/** Characters of one text that are looked at; their share in it is taken for that of the whole. */
const SAMPLE_CHARS = 2000
/** Characters of a line that are looked at. */
const LINE_CHARS = 200
/** From these costs on, a line is so unusual that it may be mojibake: nats a character, and the share of odd letters. */
const RARE_CHARACTERS = 7.8
const RARE_LETTERS = 4.6
const MIN_STRANGE = 0.25
/** Share of unusual lines from which on a text is looked at. */
const MIN_SHARE = 0.05
/** The other reading has to be this much more usual, nats, and itself like a text, nats a byte. */
const MIN_GAIN = 12
const MAX_COST = 4.5

/** An encoding as which text was read, and the lines of which this may be true. */
type Suspect = { encoding: string; name?: string; isOdd: (line: string) => boolean }

const SUSPECTS: Suspect[] = [
  {
    encoding: 'windows-1252',
    isOdd: (line) => share(line, /[\u0080-\u00FFŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]/g) >= MIN_STRANGE,
  },
  {
    encoding: 'windows-1251',
    isOdd: (line) => /[\u0400-\u045F]{2}/.test(line) && isUnusual(line, LANGUAGES.cyrillic),
  },
  { encoding: 'gb18030', isOdd: hasRareHan },
  { encoding: 'big5', name: 'big5-hkscs', isOdd: hasRareHan },
  { encoding: 'shift_jis', isOdd: hasRareHan },
  { encoding: 'euc-kr', name: 'cp949', isOdd: (line) => isRare(line, CLASSES.hangul) },
]

/** Counts characters other than white space in lines that make sense only when they are decoded in another way. */
export function countMojibake(text: string): number {
  const lines = text.split('\n').filter((line) => /[\u0080-\uFFFF]/.test(line))
  const oddLines = new Map<Suspect['isOdd'], string[]>()
  return Math.max(
    0,
    ...SUSPECTS.map((suspect) => {
      const { isOdd } = suspect
      const odd = oddLines.get(isOdd) ?? lines.filter((line) => isOdd(line.slice(0, LINE_CHARS)))
      oddLines.set(isOdd, odd)
      // A name in one line of many is not worth a closer look.
      return odd.reduce((sum, { length }) => sum + length, 0) > MIN_SHARE * text.length
        ? countAs(odd, suspect)
        : 0
    }),
  )
}

function countAs(odd: string[], { encoding, name = encoding }: Suspect): number {
  const sample = odd.join('\n').slice(0, SAMPLE_CHARS)
  if (!sample) return 0
  const bytes = iconv.encode(sample, name)
  // A text with characters that the encoding lacks did not come from it, except where a byte was lost.
  const [kept, lost] = [iconv.decode(bytes, name), share(sample, /[?\uFFFD]/g)]
  if (kept !== sample && share(kept, /[?\uFFFD]/g) - lost > 0.1) return 0
  const ranked = guessEncodings(bytes)
  const [best] = ranked
  if (!best || !/^(utf-8|gb|big5|shift|euc)/.test(best.encoding) || best.encoding === encoding) return 0
  const own = ranked.find((guess) => guess.encoding === encoding)
  const isBetter = own === undefined || own.cost - best.cost > MIN_GAIN
  return isBetter && best.cost < MAX_COST * bytes.length
    ? odd.reduce((sum, line) => sum + line.replace(/\s/g, '').length, 0)
    : 0
}

function share(text: string, pattern: RegExp): number {
  return (text.match(pattern)?.length ?? 0) / Math.max(1, text.replace(/\s/g, '').length)
}

function isUnusual(line: string, languages: string): boolean {
  const costs = languages.split(' ').map((language) => measureCost(line, loadModel(language)))
  return Math.min(...costs) > RARE_LETTERS * line.length
}

/** Least cost of each character of the first plane in the languages of East Asia, found when it is met; 0 where unknown. */
const leastCosts = new Float32Array(0x10000)

function leastCost(point: number, kind: number): number {
  const known = leastCosts[point] ?? 0
  if (known) return known
  const languages = kind === CLASSES.hangul ? ['ko'] : ['zh', 'zh-Hant', 'ja']
  const least = Math.min(...languages.map((language) => costOfCharacter(point, kind, loadModel(language))))
  leastCosts[point] = least
  return least
}

/** Tells whether the characters of a class are on average rare in the languages that have it. */
function isRare(line: string, kind: number): boolean {
  let [sum, count] = [0, 0]
  for (let at = 0; at < line.length; at++) {
    const point = line.charCodeAt(at)
    if (classOf(point) !== kind) continue
    sum += leastCost(point, kind)
    count++
  }
  return sum > RARE_CHARACTERS * count
}

/** Tells whether the Chinese characters of a text are rare ones on average. */
export function hasRareHan(line: string): boolean {
  return isRare(line, CLASSES.han)
}
