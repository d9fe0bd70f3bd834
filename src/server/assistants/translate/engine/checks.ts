import { foldFigures } from '#contract/documents/exponents.ts'
import type { TranslationProblem } from '#contract/translate/messages.ts'
import type { Placeholders } from '#contract/translate/documents.ts'
import { hasPlaceholders, matchTags, stripTags } from '#server/formats/formats.ts'
import type { Term } from './request.ts'

type CheckOptions = {
  /** The code of the language to translate into, such as `zh-CN`. */
  target_lang: string
  terms: readonly Term[]
  placeholders?: Placeholders | null | undefined
}

/** Finds the problems of a translation, the worst first, without understanding it. Both texts may have tags. */
export function checkTranslation(
  source: string,
  translation: string | undefined,
  { target_lang, terms, placeholders }: CheckOptions,
): TranslationProblem[] {
  if (!translation?.trim()) return ['missing']
  const [from, to] = [stripTags(source), stripTags(translation)]
  // Links are no text.
  const [fromWords, toWords] = [from.replace(LINK, ' '), to.replace(LINK, ' ')]
  const problems: Record<Exclude<TranslationProblem, 'missing' | 'too_long'>, boolean> = {
    untranslated: isUntranslated(fromWords, toWords, target_lang),
    placeholders: !hasPlaceholders(source, placeholders, translation),
    tags: !matchTags(source, translation).isExact,
    numbers: !hasNumbers(fromWords, toWords),
    links: !listLinks(from).every((link) => to.includes(link)),
    length: !isLengthLikely(from, to),
    terms: terms.some(
      ({ term, translation: termTranslation }) =>
        includesTerm(from, term) && !includesTerm(to, termTranslation),
    ),
  }
  return (Object.keys(problems) as (keyof typeof problems)[]).filter((problem) => problems[problem])
}

/** Tells whether a text has a term, in any case; in scripts with spaces only as whole words. */
export function includesTerm(text: string, term: string): boolean {
  const escaped = RegExp.escape(term.trim())
  const edge = (character: string | undefined): string =>
    /[\p{L}\p{N}]/u.test(character ?? '') && !HAN.test(character ?? '') ? EDGE : ''
  const before = edge(term.trim().at(0)) && `(?<!${EDGE})`
  const after = edge(term.trim().at(-1)) && `(?!${EDGE})`
  return new RegExp(`${before}${escaped}${after}`, 'iu').test(text)
}

const HAN = /\p{Script=Han}/u
/** A letter or digit beside a term, which would make it part of a longer word. */
const EDGE = '(?!\\p{Script=Han})[\\p{L}\\p{N}]'

const LINK = /https?:\/\/[^\s<>"'）)\]，。；]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const listLinks = (text: string): string[] => text.match(LINK) ?? []

/** The scripts in which languages are written; all others are written in Latin letters. */
const SCRIPTS: Record<string, RegExp> = {
  zh: /\p{Script=Han}/gu,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  ko: /\p{Script=Hangul}/gu,
  ru: /\p{Script=Cyrillic}/gu,
  uk: /\p{Script=Cyrillic}/gu,
  ar: /\p{Script=Arabic}/gu,
  fa: /\p{Script=Arabic}/gu,
  he: /\p{Script=Hebrew}/gu,
  el: /\p{Script=Greek}/gu,
  th: /\p{Script=Thai}/gu,
  hi: /\p{Script=Devanagari}/gu,
}
const LATIN = /\p{Script=Latin}/gu
const LETTER = /\p{L}/gu

/** Fewer letters prove nothing: names and abbreviations are the same in every language. */
const MIN_LETTERS = 12
/** Least share of a language's script among the letters of a translation, where the rest may be names in other scripts. */
const MIN_SHARE = 0.15

function isUntranslated(source: string, translation: string, targetLang: string): boolean {
  const script = SCRIPTS[targetLang.split('-')[0] ?? ''] ?? LATIN
  const share = (text: string): number => count(text, script) / Math.max(1, count(text, LETTER))
  if (count(source, LETTER) < MIN_LETTERS) return false
  // A text in the target's script may already be in the target language.
  if (share(source) >= 1 - MIN_SHARE) return false
  return share(translation) < MIN_SHARE || translation.trim() === source.trim()
}

/** Tells whether a text has something to translate. Tags have no letters, and its entities stand for signs. */
export const hasLetters = (text: string): boolean => /\p{L}/u.test(text.replace(/&(lt|gt|amp);/g, ''))

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Weight of texts below which lengths prove nothing: they may be abbreviated or explained. */
const MIN_WEIGHT = 60
const MAX_RATIO = 4

/** A Chinese character says about as much as two and a half letters. */
const HAN_WEIGHT = 2.5
const getWeight = (text: string): number =>
  text.replace(/\s+/g, '').length + count(text, SCRIPTS.ja!) * (HAN_WEIGHT - 1)

function isLengthLikely(source: string, translation: string): boolean {
  const [from, to] = [getWeight(source), getWeight(translation)]
  return Math.max(from, to) < MIN_WEIGHT || (from <= to * MAX_RATIO && to <= from * MAX_RATIO)
}

/**
 * Tells whether a translation has the numbers of its source. Only their digits are compared: 30 million may be 3000 万, 1,200.50
 * may be 1200.5, and small ones may be words.
 */
function hasNumbers(source: string, translation: string): boolean {
  const translationNumbers = new Set(listNumbers(translation))
  return listNumbers(source).every(
    (number) => translationNumbers.has(number) || isSpelled(number, translation),
  )
}

const NUMBER = /\d+(?:[,.，  ]\d{3})*(?:[.,]\d+)?/g

/** Lists the digits of each number without separators and without zeros at either end. */
const listNumbers = (text: string): string[] =>
  (foldFigures(text).match(NUMBER) ?? []).map(
    (number) => number.replace(/\D/g, '').replace(/^0+|0+$/g, '') || '0',
  )

/** Tells whether a number below a hundred may be spelled out, as months and amounts of people are in many languages. */
function isSpelled(digits: string, text: string): boolean {
  if (digits.length > 2) return false
  return /[〇零一二三四五六七八九十百千万亿两]/.test(text) || SPELLED.test(text)
}
const SPELLED =
  /\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|first|second|third|\w+th|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)/i
