/** Most terms of one message: those of some 25,000 Chinese characters. New words after that are not found. */
const MAX_TERMS = 20_000
/** Most words of one search. */
const MAX_WORDS = 8

/** Folds case, which a search ignores. */
export const foldCase = (text: string): string => text.toLowerCase()

/** Splits a search into words at white space, case folded. */
export const parseWords = (keywords: string): string[] =>
  [...new Set(foldCase(keywords).split(/\s+/).filter(Boolean))].slice(0, MAX_WORDS)

const isSpace = (unit: number): boolean => unit <= 0x20 || unit === 0x3000 || unit === 0xa0

/**
 * Returns the search terms of a text, each as a number: every character (UTF-16 unit), and every two adjacent ones within a word.
 * Chinese has no spaces between words, so any two characters may be a word.
 */
export function extractTerms(text: string): number[] {
  const terms = new Set<number>()
  const characters = foldCase(text)
  let previous = 0
  for (let at = 0; at < characters.length && terms.size < MAX_TERMS; at++) {
    const unit = characters.charCodeAt(at)
    const space = isSpace(unit)
    if (!space) terms.add(hashPair(0, unit))
    if (!space && previous) terms.add(hashPair(previous, unit))
    previous = space ? 0 : unit
  }
  return [...terms]
}

/** Returns the terms that a message with all these words must have; words longer than two characters need a further check. */
export function toQueryTerms(words: readonly string[]): number[] {
  const terms = words.flatMap((word) =>
    word.length === 1
      ? [hashPair(0, word.charCodeAt(0))]
      : Array.from({ length: word.length - 1 }, (_, at) =>
          hashPair(word.charCodeAt(at), word.charCodeAt(at + 1)),
        ),
  )
  return [...new Set(terms)]
}

/** Selects the words that terms cannot prove: the text itself has to be compared. */
export const selectWordsToCheck = (words: readonly string[]): string[] =>
  words.filter(({ length }) => length > 2)

/** Mixes two units into a number of 32 bits, different for different pairs (MurmurHash3's finalizer). */
function hashPair(first: number, second: number): number {
  let term = (first << 16) | second
  term = Math.imul(term ^ (term >>> 16), 0x85ebca6b)
  term = Math.imul(term ^ (term >>> 13), 0xc2b2ae35)
  return (term ^ (term >>> 16)) | 0
}
