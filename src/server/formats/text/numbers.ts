/**
 * Writes the numbers of lists and headings. `format` is a name of Office Open XML (ST_NumberFormat, ECMA-376 part 1, 17.18.59);
 * an unknown one is written in digits, and so is a number that no list counts to.
 */
export function formatNumber(value: number, format: string): string {
  const write = WRITERS.get(format)
  const isCounted = Number.isInteger(value) && value >= 0 && value <= MAX_COUNT
  return (isCounted && write?.(value)) || String(value)
}

/** Largest number that Word gives an item. */
const MAX_COUNT = 0x7fff

type Write = (value: number) => string | undefined

/** Numbers by the position of a character: 1 is the first. */
const pick =
  (characters: string): Write =>
  (value) =>
    Array.from(characters)[value - 1]

/** Numbers of a block of Unicode that begins with 1. */
const pickFrom =
  (first: number, count: number): Write =>
  (value) =>
    value >= 1 && value <= count ? String.fromCodePoint(first + value - 1) : undefined

/** Most times that a letter is repeated: Word's last number in Latin letters is 780. */
const MAX_REPEATED = 30

/** Letters as Word writes them: z is followed by aa, then bb. */
const letters =
  (alphabet: string): Write =>
  (value) =>
    value < 1 || value > MAX_REPEATED * alphabet.length
      ? undefined
      : alphabet.charAt((value - 1) % alphabet.length).repeat(Math.ceil(value / alphabet.length))

const digits =
  (characters: string): Write =>
  (value) =>
    Array.from(String(value), (digit) => Array.from(characters)[Number(digit)]).join('')

const lowerRoman: Write = (value) => toRoman(value)?.toLowerCase()
const LATIN = 'abcdefghijklmnopqrstuvwxyz'
const GREEK = 'αβγδεζηθικλμνξοπρστυφχψω'
const RUSSIAN = 'абвгдежзиклмнопрстуфхцчшщыэюя'
const STEMS = '甲乙丙丁戊己庚辛壬癸'
const BRANCHES = '子丑寅卯辰巳午未申酉戌亥'
const PLAIN_CHINESE = {
  digits: '〇一二三四五六七八九',
  units: ['', '十', '百', '千'],
  zero: '零',
  tens: '十',
}
const FORMAL_CHINESE = {
  digits: '零壹贰叁肆伍陆柒捌玖',
  units: ['', '拾', '佰', '仟'],
  zero: '零',
  tens: '壹拾',
}
const TRADITIONAL_FORMAL = { ...FORMAL_CHINESE, digits: '零壹貳參肆伍陸柒捌玖' }

const WRITERS = new Map<string, Write>(
  Object.entries({
    decimalZero: (value) => String(value).padStart(2, '0'),
    upperRoman: toRoman,
    lowerRoman,
    upperLetter: letters(LATIN.toUpperCase()),
    lowerLetter: letters(LATIN),
    lowerGreek: letters(GREEK),
    russianUpper: letters(RUSSIAN.toUpperCase()),
    russianLower: letters(RUSSIAN),
    hex: (value) => value.toString(16).toUpperCase(),
    ordinal: (value) => `${value}${toOrdinalEnding(value)}`,
    numberInDash: (value) => `- ${value} -`,
    decimalFullWidth: digits('０１２３４５６７８９'),
    decimalFullWidth2: digits('０１２３４５６７８９'),
    decimalEnclosedCircle: toCircled,
    decimalEnclosedCircleChinese: toCircled,
    decimalEnclosedFullstop: pickFrom(0x2488, 20),
    decimalEnclosedParen: pickFrom(0x2474, 20),
    ideographEnclosedCircle: pickFrom(0x3280, 10),
    ideographTraditional: pick(STEMS),
    ideographZodiac: pick(BRANCHES),
    ideographZodiacTraditional: (value) =>
      value >= 1 && value <= 60 ? `${STEMS[(value - 1) % 10]}${BRANCHES[(value - 1) % 12]}` : undefined,
    ideographDigital: digits('〇一二三四五六七八九'),
    japaneseDigitalTenThousand: digits('〇一二三四五六七八九'),
    taiwaneseDigital: digits('○一二三四五六七八九'),
    chineseCounting: toChinese(PLAIN_CHINESE),
    chineseCountingThousand: toChinese(PLAIN_CHINESE),
    taiwaneseCounting: toChinese(PLAIN_CHINESE),
    taiwaneseCountingThousand: toChinese(PLAIN_CHINESE),
    japaneseCounting: toChinese(PLAIN_CHINESE),
    chineseLegalSimplified: toChinese(FORMAL_CHINESE),
    ideographLegalTraditional: toChinese(TRADITIONAL_FORMAL),
    japaneseLegal: toChinese(TRADITIONAL_FORMAL),
    koreanDigital: digits('영일이삼사오육칠팔구'),
    koreanCounting: toChinese({
      digits: '영일이삼사오육칠팔구',
      units: ['', '십', '백', '천'],
      zero: '',
      tens: '십',
    }),
    ganada: letters('가나다라마바사아자차카타파하'),
    chosung: letters('ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ'),
    aiueoFullWidth: letters(
      'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン',
    ),
    irohaFullWidth: letters(
      'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン',
    ),
    chicago: letters('*†‡§'),
  }),
)

function toRoman(value: number): string | undefined {
  if (value < 1 || value > 4999) return undefined
  const parts = [
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
  ] as const
  let rest = value
  let text = ''
  for (const [size, mark] of parts) for (; rest >= size; rest -= size) text += mark
  return text
}

/** Unicode has three blocks of numbers in circles: 1 to 20, 21 to 35, 36 to 50. */
function toCircled(value: number): string | undefined {
  if (value === 0) return '⓪'
  if (value <= 20) return String.fromCodePoint(0x2460 + value - 1)
  if (value <= 35) return String.fromCodePoint(0x3251 + value - 21)
  return value <= 50 ? String.fromCodePoint(0x32b1 + value - 36) : undefined
}

function toOrdinalEnding(value: number): string {
  if (value % 100 > 10 && value % 100 < 14) return 'th'
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'
}

type ChineseScript = { digits: string; units: string[]; zero: string; tens: string }

/** Writes numbers up to 9999 with their units: 十, 二十一, 一百零五. `tens` is how 10 to 19 begin. */
function toChinese({ digits, units, zero, tens }: ChineseScript): Write {
  return (value) => {
    if (value > 9999) return undefined
    if (value === 0) return digits[0]
    let text = ''
    let isGap = false
    for (let place = 3; place >= 0; place--) {
      const digit = Math.floor(value / 10 ** place) % 10
      if (digit === 0) {
        isGap = text !== ''
        continue
      }
      const begins = text === '' && place === 1 && digit === 1
      text += (isGap ? zero : '') + (begins ? tens : `${digits[digit]}${units[place]}`)
      isGap = false
    }
    return text
  }
}
