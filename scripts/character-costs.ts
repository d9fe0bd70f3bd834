/**
 * Writes the models of languages by which readings tell encodings apart and find mojibake:
 *
 *   node scripts/character-costs.ts <folder>
 *
 * The folder has a text of each language, `zh.txt`, `ja.txt` … Those of the models in the repository came from the Universal
 * Declaration of Human Rights, XQuAD, CMRC 2018, DRCD, JGLUE and KLUE (CC BY-SA 4.0), the translations of react.dev (CC BY 4.0),
 * and our own Chinese texts; what is kept of them are costs of characters: negative natural logarithms of their share among those
 * of their class.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { classOf, CLASS_COUNT } from '../src/server/formats/text/character-class.ts'
import { CLASSES } from '../src/server/formats/text/character-class.ts'

const FAMILIES: Record<string, string> = {
  han: 'zh zh-Hant',
  ja: 'ja',
  ko: 'ko',
  cyrillic: 'ru uk bg sr be mk kk',
  greek: 'el',
  arabic: 'ar fa ur',
  hebrew: 'he',
  thai: 'th',
  latin: 'fr de es pt it nl ca sv da nb fi is ga pl cs sk hu ro hr sl sq tr az lt lv et vi',
}
const OUTPUT = new URL('../src/server/formats/text/character-costs.ts', import.meta.url)
/** Costs are written in half nats. */
const STEPS = 2
/** Rarer characters of large classes are left to the defaults. */
const MIN_COUNT = 8
const MAX_COST = 9.5
/** Share of a transition that is assumed beside those of the text: prose is not all that is read. */
const SMOOTHING = 0.004
/** The same of signs such as ° and ± in notes and code of Latin letters. */
const SIGN_SMOOTHING = 0.03
/** Cost of letters of two scripts in a word, nats. */
const MIXED_COST = 9

const folder = process.argv[2]
if (!folder) throw new Error('usage: node scripts/character-costs.ts <folder of texts>')

const TONES = /[\u0300\u0301\u0303\u0309\u0323]/g
/** Windows-1258 writes the tones of Vietnamese as characters of their own. */
const splitTones = (text: string): string =>
  Array.from(text.normalize('NFC'), (character) => {
    const parts = character.normalize('NFD')
    return parts.replace(TONES, '').normalize('NFC') + (parts.match(TONES)?.join('') ?? '')
  }).join('')

const readText = (language: string): string => {
  const text = readFileSync(`${folder}/${language}.txt`, 'utf8')
  // Code pages have the letters of Romanian with a cedilla, which Unicode has with a comma.
  if (language === 'ro') return `${text}\n${text.replaceAll('ș', 'ş').replaceAll('ț', 'ţ')}`
  return language === 'vi' ? `${text}\n${splitTones(text)}` : text
}

function countTransitions(text: string, counts: number[][]): void {
  let last: number = CLASSES.space
  for (const character of text) {
    const next = classOf(character.codePointAt(0) ?? 0)
    counts[last]![next]!++
    last = next
  }
}

/** Families whose letters do not stand beside those of ASCII in a word. */
const UNMIXED = /^(cyrillic|greek|hebrew|arabic|thai)$/
const LETTERS = [CLASSES.lower, CLASSES.upper] as number[]
const OWN_LETTERS = [CLASSES.foreignLower, CLASSES.foreignUpper, CLASSES.uncased] as number[]
const isMixed = (one: number, other: number): boolean =>
  (LETTERS.includes(one) && OWN_LETTERS.includes(other)) ||
  (OWN_LETTERS.includes(one) && LETTERS.includes(other))

/** Writes the cost of each transition as a digit of base 36. */
function writeTransitions(counts: number[][], family: string): string {
  return counts
    .flatMap((row, last) => {
      const total = row.reduce((sum, count) => sum + count, 0)
      return row.map((count, next) => {
        const share = total ? count / total : 1 / CLASS_COUNT
        const isSign = last === CLASSES.symbol || next === CLASSES.symbol
        const smoothing = family === 'latin' && isSign ? SIGN_SMOOTHING : SMOOTHING
        const cost = -Math.log(share * (1 - SMOOTHING * CLASS_COUNT) + smoothing)
        return Math.round((UNMIXED.test(family) && isMixed(last, next) ? MIXED_COST : cost) * STEPS).toString(
          36,
        )
      })
    })
    .join('')
}

/** Scripts of a language's own characters; its transitions tell how often others stand between them. */
const SCRIPTS: Record<string, RegExp> = {
  han: /[\p{Script=Han}\u3001-\u3029\uFF01-\uFF60]/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\u3001-\u3029\uFF01-\uFF60]/u,
  ko: /[\p{Script=Hangul}]/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  greek: /\p{Script=Greek}/u,
  arabic: /[\p{Script=Arabic}،؟؛]/u,
  hebrew: /\p{Script=Hebrew}/u,
  thai: /\p{Script=Thai}/u,
  latin: /[\p{Script=Latin}\u0300\u0301\u0303\u0309\u0323]/u,
}

/** Groups the characters of a text, other than ASCII, by their costs. Capitals count as small letters. */
function writeCharacters(text: string, script: RegExp): string[] {
  const counts = new Map<string, number>()
  const totals = Array.from({ length: CLASS_COUNT }, () => 0)
  for (const each of text) {
    const character = each.toLowerCase()
    if (character < '\x80' || character.length > 2 || !script.test(character)) continue
    counts.set(character, (counts.get(character) ?? 0) + 1)
    totals[classOf(character.codePointAt(0) ?? 0)]!++
  }
  const levels: string[] = []
  for (const [character, count] of [...counts].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const kind = classOf(character.codePointAt(0) ?? 0)
    const isLarge = kind === CLASSES.han || kind === CLASSES.hangul
    const cost = -Math.log(count / totals[kind]!)
    if (count < (isLarge ? MIN_COUNT : 2) || cost > MAX_COST) continue
    const level = Math.round(cost * STEPS)
    levels[level] = (levels[level] ?? '') + character
  }
  return Array.from(levels, (characters) => characters ?? '')
}

/** Writes the cost of each letter of ASCII as a digit of base 36. */
function writeLetters(text: string): string {
  const letters = text.toLowerCase().match(/[a-z]/g) ?? []
  return Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => {
    const count = letters.filter((each) => each === letter).length
    return Math.min(35, Math.round(-Math.log((count + 1) / (letters.length + 26)) * STEPS)).toString(36)
  }).join('')
}

const transitions: Record<string, string> = {}
const letters: Record<string, string> = {}
const characters: Record<string, string[]> = {}
for (const [family, languages] of Object.entries(FAMILIES)) {
  const counts = Array.from({ length: CLASS_COUNT }, () => Array.from({ length: CLASS_COUNT }, () => 0))
  for (const language of languages.split(' ')) {
    const text = readText(language)
    countTransitions(text, counts)
    if (family === 'latin') letters[language] = writeLetters(text)
    characters[language] = writeCharacters(text, SCRIPTS[family]!)
  }
  // Katakana of half width, which no text of today has, are in the lists of old programs.
  if (family === 'ja')
    counts[CLASSES.halfWidth]![CLASSES.halfWidth] = counts[CLASSES.katakana]![CLASSES.katakana]!
  transitions[family] = writeTransitions(counts, family)
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
writeFileSync(
  OUTPUT,
  `// Written by scripts/character-costs.ts.

/** Families of languages, by their names in \`TRANSITIONS\`. */
export const FAMILIES = {
${Object.entries(FAMILIES)
  .map(([family, languages]) => `  ${family}: ${quote(languages)},`)
  .join('\n')}
}

/** Costs of a class after another one, row by row, in half nats, each a digit of base 36. */
export const TRANSITIONS: Record<string, string> = {
${Object.entries(transitions)
  .map(([family, costs]) => `  ${family}: ${quote(costs)},`)
  .join('\n')}
}

/** Costs of the letters from a to z in languages that are written with them, in half nats, each a digit of base 36. */
export const LETTERS: Record<string, string> = {
${Object.entries(letters)
  .map(([language, costs]) => `  ${language}: ${quote(costs)},`)
  .join('\n')}
}

/** Characters of each language, those of cost 0 first, separated by tabs, then those of half a nat … */
export const CHARACTERS: Record<string, string> = {
${Object.entries(characters)
  .map(
    ([language, levels]) =>
      `  ${quote(language)}: ${quote(levels.join('\\t').replaceAll('\\t', '\t')).replaceAll('\t', '\\t')},`,
  )
  .join('\n')}
}
`,
)
