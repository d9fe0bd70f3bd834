import traditionalCharacters from 'opencc-js/dict/TSCharacters'
import { foldFigures, listPowers } from '#contract/documents/exponents.ts'

/** A word, or two Chinese characters that stand side by side, by which a text can be found. */
export type Term = { hash: number; text: string; kind: 'word' | 'pair' }

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
const HAN = /\p{Script=Han}/u
const MARKS = /[\u0300-\u036f]/g
const NON_ASCII = /[^\0-\x7f]/

/** Character → the one that it is compared as, for the Basic Multilingual Plane: traditional → simplified. */
const folded = Uint16Array.from({ length: 0x1_0000 }, (_, unit) => unit)
for (const [traditional, simplified] of traditionalCharacters.split('|').map((pair) => pair.split(' ')))
  if (traditional?.length === 1 && simplified?.length === 1)
    folded[traditional.charCodeAt(0)] = simplified.charCodeAt(0)

/**
 * Folds a text for comparison: full-width forms, capital letters and traditional characters become the common ones, exponents
 * `^6`.
 */
export function foldText(text: string): string {
  const plain = foldFigures(text)
  let result = ''
  let from = 0
  for (let at = 0; at < plain.length; at++) {
    const unit = plain.charCodeAt(at)
    const other = folded[unit]!
    if (other === unit) continue
    result += plain.slice(from, at) + String.fromCharCode(other)
    from = at + 1
  }
  return from ? result + plain.slice(from) : plain
}

/**
 * Yields the terms of a text in their order, each as often as it occurs. Chinese has its words and all pairs of characters, since
 * segmenters disagree about words; other scripts have words, English ones without their endings. Powers come last.
 */
export function* extractTerms(text: string): Generator<Term> {
  let run = ''
  const foldedText = foldText(text.toWellFormed())
  for (const { segment, isWordLike } of segmenter.segment(foldedText)) {
    if (!isWordLike) {
      yield* extractPairs(run)
      run = ''
    } else if (HAN.test(segment)) {
      run += segment
      yield toTerm(segment, 'word')
    } else {
      yield* extractPairs(run)
      run = ''
      yield* extractWords(segment)
    }
  }
  yield* extractPairs(run)
  for (const power of listPowers(foldedText)) yield toTerm(power, 'word')
}

/** Number of each term's occurrences in a text, by its hash, and its length: all texts of a collection in the same unit. */
export type TermCounts = { counts: ReadonlyMap<number, number>; length: number }

/** Counts all terms of a text; the length is in words. */
export function countTerms(text: string): TermCounts {
  const counts = new Map<number, number>()
  let length = 0
  for (const { hash, kind } of extractTerms(text)) {
    counts.set(hash, (counts.get(hash) ?? 0) + 1)
    if (kind === 'word') length++
  }
  return { counts, length }
}

/** Scripts without spaces between words. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'v')
const LETTERS = `[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED_SCRIPTS}]]+`
const SPACED_WORD = new RegExp(`${LETTERS}(?:[_.,:'’]${LETTERS})*`, 'gv')

/**
 * Creates a function that counts these terms in the texts of a document, and no others. Where words have no spaces between them, it
 * looks for the characters of a term instead of the words that a dictionary knows, which takes most of the time of `countTerms`.
 * The length is in characters.
 */
export function createTermCounter(terms: readonly Term[]): (text: string) => TermCounts {
  const unspacedTerms = terms.filter(({ text }) => UNSPACED.test(text))
  const spacedHashes = new Set(terms.filter((term) => !unspacedTerms.includes(term)).map(({ hash }) => hash))
  /** Word of the document → the terms that it is: most words occur again and again. */
  const hashesByWord = new Map<string, number[]>()
  const listHashes = (word: string): number[] => {
    const known = hashesByWord.get(word)
    if (known) return known
    const hashes = Array.from(extractWords(word), ({ hash }) => hash).filter((hash) => spacedHashes.has(hash))
    hashesByWord.set(word, hashes)
    return hashes
  }
  return (text) => {
    const foldedText = foldText(text.toWellFormed())
    const counts = new Map<number, number>()
    for (const { hash, text: term } of unspacedTerms) {
      let found = 0
      for (let at = foldedText.indexOf(term); at >= 0; at = foldedText.indexOf(term, at + term.length))
        found++
      if (found) counts.set(hash, found)
    }
    const count = (hash: number): void => void counts.set(hash, (counts.get(hash) ?? 0) + 1)
    if (spacedHashes.size) {
      for (const word of foldedText.match(SPACED_WORD) ?? []) listHashes(word).forEach(count)
      for (const power of listPowers(foldedText)) {
        const { hash } = toTerm(power, 'word')
        if (spacedHashes.has(hash)) count(hash)
      }
    }
    return { counts, length: text.length }
  }
}

function* extractPairs(run: string): Generator<Term> {
  const characters = Array.from(run)
  for (let at = 0; at + 1 < characters.length; at++)
    yield toTerm(characters[at]! + characters[at + 1]!, 'pair')
}

/** Yields a word as a whole, and the parts that marks within it separate: `v2.1`, `snake_case`. */
function* extractWords(segment: string): Generator<Term> {
  const word = NON_ASCII.test(segment)
    ? segment.normalize('NFD').replace(MARKS, '').normalize('NFC')
    : segment
  if (/^\d[\d,]*$/.test(word)) return yield toTerm(word.replaceAll(',', ''), 'word')
  // `1,234.50` is found as 1234.5 too.
  const figure = /^\d[\d,]*\.\d+$/.test(word) ? String(Number(word.replaceAll(',', ''))) : word
  if (figure !== word) yield toTerm(figure, 'word')
  yield toTerm(stem(word), 'word')
  const parts = word.split(/[^\p{L}\p{N}]+/u)
  if (parts.length > 1) for (const part of parts) if (part) yield toTerm(stem(part), 'word')
}

const toTerm = (text: string, kind: Term['kind']): Term => ({ hash: hashText(text, kind), text, kind })

/** Returns 32 bits, well mixed (FNV-1a with MurmurHash3's finalizer): among 60,000 terms a foreign one is met once in 70,000. */
function hashText(text: string, kind: Term['kind']): number {
  let hash = kind === 'pair' ? 0x9747b28c : 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * Removes the endings of an English word that do not change its subject: plural, -ing, -ed (the first steps of Porter's stemmer),
 * and a final e, so that `make` and `making` are the same. Other words stay as they are.
 */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z']+$/.test(word)) return word
  const plain = word.replace(/'s?$/, '')
  const singular = plain
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/(?<=\w{2})ies$/, 'y')
    .replace(/(?<=[^su'i])s$/, '')
  const [, root = ''] = /^(.*[aeiouy].*?)(?:ing|ed)$/.exec(singular) ?? []
  const base = root.length > 2 ? root.replace(/([bdfgmnprt])\1$/, '$1') : singular
  return base.length > 3 ? base.replace(/e$/, '').replace(/(?<=[^aeiou])y$/, 'i') : base
}
